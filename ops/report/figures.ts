import { ofConsents, ofJourneys } from './consent-figures.js';
import { requestsWhere, type Figure, type FigureOfTable } from './figure.js';

/** Unknown where the trail covers no second. */
const seconds = (ms: string) => `CASE WHEN sum(covered_ms) > 0 THEN round(sum(${ms}) / 1000, 3)::DOUBLE END`;
const isTimed = `"status" <> 499 AND "lastByteMs" IS NOT NULL`;
const time = (aggregate: string) => `round(${aggregate} FILTER (${isTimed}), 1)`;

const requestsThat = (name: string, rule: string, rows: string): FigureOfTable => ({
  name,
  rule,
  unit: 'requests',
  sql: requestsWhere(rows),
  rows,
});

const ofAvailability: readonly FigureOfTable[] = [
  {
    name: 'uptime-percent',
    rule: 'The share of the seconds that the trail covers in which the interface was not down, planned or unplanned.',
    unit: 'percent',
    sql: 'round(100 - 100 * sum(down_ms) / nullif(sum(covered_ms), 0), 4)::DOUBLE',
  },
  {
    name: 'downtime-percent',
    rule: 'The share of the seconds that the trail covers in which the interface was down, planned or unplanned.',
    unit: 'percent',
    sql: 'round(100 * sum(down_ms) / nullif(sum(covered_ms), 0), 4)::DOUBLE',
  },
  {
    name: 'uptime-seconds',
    rule: 'The seconds that the trail covers in which the interface was not down.',
    unit: 's',
    sql: seconds('covered_ms - down_ms'),
  },
  {
    name: 'planned-downtime-seconds',
    rule: 'The seconds of downtime inside a planned outage.',
    unit: 's',
    sql: seconds('planned_ms'),
  },
  {
    name: 'unplanned-downtime-seconds',
    rule: 'The seconds of downtime outside planned outages.',
    unit: 's',
    sql: seconds('down_ms - planned_ms'),
  },
  {
    name: 'covered-seconds',
    rule: 'The seconds that the trail covers.',
    unit: 's',
    sql: 'round(coalesce(sum(covered_ms), 0) / 1000, 3)::DOUBLE',
  },
];

const ofRequests: readonly FigureOfTable[] = [
  { name: 'requests', rule: 'The requests that count.', unit: 'requests', sql: requestsWhere('true') },
  requestsThat('successful-requests', 'The requests that got a 2xx or 3xx.', '"status" < 400'),
  requestsThat(
    'refused-requests',
    'The requests that got a 4xx; a caller that left is not among them.',
    '"status" BETWEEN 400 AND 498',
  ),
  requestsThat('failed-requests', 'The requests that got a 5xx.', '"status" >= 500'),
  requestsThat('abandoned-requests', 'The requests whose caller left before the answer (499).', '"status" = 499'),
  {
    name: 'error-rate-percent',
    rule: 'The share of requests that got a 5xx.',
    unit: 'percent',
    sql: `round(100 * ${requestsWhere('"status" >= 500')} / nullif(sum(requests_in_event), 0), 4)::DOUBLE`,
    rows: '"status" >= 500',
  },
  {
    name: 'mean-ttlb-ms',
    rule: 'The mean time from the receipt of a request to the last byte of its answer, over all answers of any status; each page is an answer.',
    unit: 'ms',
    sql: time('avg("lastByteMs")'),
    rows: isTimed,
  },
  ...(
    [
      ['accounts', 'without', `"endpoint" NOT LIKE 'funds-%'`],
      ['funds', 'over', `"endpoint" LIKE 'funds-%'`],
    ] as const
  ).map(([name, which, rows]) => ({
    name: `${name}-mean-ttlb-ms`,
    rule: `The same mean ${which} the answers of confirmation of funds.`,
    unit: 'ms' as const,
    sql: `round(avg("lastByteMs") FILTER (${isTimed} AND ${rows}), 1)`,
    rows: `${isTimed} AND ${rows}`,
  })),
  ...([0.5, 0.95, 0.99] as const).map((share) => ({
    name: share === 0.5 ? 'median-ttlb-ms' : `p${share * 100}-ttlb-ms`,
    rule: `The time to the last byte within which ${share * 100} % of the answers were sent.`,
    unit: 'ms' as const,
    sql: time(`quantile_cont("lastByteMs", ${share})`),
    rows: isTimed,
  })),
  {
    name: 'mean-ttfb-ms',
    rule: 'The mean time from the receipt of a request to the first byte of its answer, over all answers.',
    unit: 'ms',
    sql: time('avg("firstByteMs")'),
    rows: isTimed,
  },
  {
    name: 'median-ttfb-ms',
    rule: 'The time to the first byte within which 50 % of the answers were begun.',
    unit: 'ms',
    sql: time('quantile_cont("firstByteMs", 0.5)'),
    rows: isTimed,
  },
  {
    name: 'total-ttlb-ms',
    rule: 'The sum of the times to the last byte of all answers.',
    unit: 'ms',
    sql: time('sum("lastByteMs")'),
    rows: isTimed,
  },
  {
    name: 'total-ttfb-ms',
    rule: 'The sum of the times to the first byte of all answers.',
    unit: 'ms',
    sql: time('sum("firstByteMs")'),
    rows: isTimed,
  },
  {
    name: 'median-bytes',
    rule: 'The length of the body that 50 % of the answers do not exceed, without those that were sent as a stream.',
    unit: 'bytes',
    sql: 'quantile_cont("bytes", 0.5)',
    rows: '"bytes" IS NOT NULL',
  },
  {
    name: 'bytes',
    rule: 'The bytes of the bodies of all answers, without those that were sent as a stream.',
    unit: 'bytes',
    sql: 'coalesce(sum("bytes"), 0)::DOUBLE',
  },
  {
    name: 'distinct-tpps',
    rule: 'The TPPs, each an issuer and a client id, that sent a request with a token or a certificate that the gateway knew.',
    unit: 'TPPs',
    sql: `count(DISTINCT ("issuer", "tpp")) FILTER ("tpp" IS NOT NULL)::DOUBLE`,
    rows: '"tpp" IS NOT NULL',
  },
  requestsThat(
    'unattended-requests',
    'The requests for a resource without the customer: without x-fapi-customer-ip-address.',
    'NOT "attended"',
  ),
];

/** Every figure of every report. A report has them by their names. */
export const figures: readonly Figure[] = [
  ...ofAvailability.map((figure) => ({ ...figure, measured: 'availability' as const })),
  ...ofRequests.map((figure) => ({ ...figure, measured: 'requests' as const })),
  ...ofConsents.map((figure) => ({ ...figure, measured: 'consent_changes' as const })),
  ...ofJourneys.map((figure) => ({ ...figure, measured: 'journeys' as const })),
];

export function figureNamed(name: string): Figure | undefined {
  return figures.find((figure) => figure.name === name);
}
