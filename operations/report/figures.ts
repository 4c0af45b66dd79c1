/** The tables of the measured trail of whose rows a figure is an aggregate. */
export type Measured = 'availability' | 'requests' | 'consent_changes' | 'journeys';

/** The definition of a figure. */
export interface Figure {
  readonly name: string;
  /** In one sentence, as reports state it. */
  readonly rule: string;
  readonly unit: 'requests' | 'ms' | 'percent' | 's' | 'bytes' | 'TPPs' | 'consents' | 'journeys';
  readonly of: Measured;
  /** An aggregate over rows of the table. */
  readonly sql: string;
  /** The rows behind the figure, as a condition; all where it is absent. */
  readonly rows?: string;
}

/** Unknown where the trail covers no second. */
const seconds = (ms: string) => `CASE WHEN sum(known_ms) > 0 THEN round(sum(${ms}) / 1000, 3)::DOUBLE END`;
const isTimed = `"status" <> 499 AND "lastByteMs" IS NOT NULL`;
const time = (aggregate: string) => `round(${aggregate} FILTER (${isTimed}), 1)`;

const ofAvailability: readonly Omit<Figure, 'of'>[] = [
  {
    name: 'uptime-percent',
    rule: 'The share of the seconds that the trail covers in which the interface was not down, planned or unplanned.',
    unit: 'percent',
    sql: 'round(100 - 100 * sum(down_ms) / nullif(sum(known_ms), 0), 4)::DOUBLE',
  },
  {
    name: 'downtime-percent',
    rule: 'The share of the seconds that the trail covers in which the interface was down, planned or unplanned.',
    unit: 'percent',
    sql: 'round(100 * sum(down_ms) / nullif(sum(known_ms), 0), 4)::DOUBLE',
  },
  {
    name: 'uptime-seconds',
    rule: 'The seconds that the trail covers in which the interface was not down.',
    unit: 's',
    sql: seconds('known_ms - down_ms'),
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
    sql: 'round(coalesce(sum(known_ms), 0) / 1000, 3)::DOUBLE',
  },
];

const ofRequests: readonly Omit<Figure, 'of'>[] = [
  { name: 'requests', rule: 'The requests that count.', unit: 'requests', sql: 'count(*)::DOUBLE' },
  counted('successful-requests', 'The requests that got a 2xx or 3xx.', 'requests', '"status" < 400'),
  counted(
    'refused-requests',
    'The requests that got a 4xx; a caller that left is not among them.',
    'requests',
    '"status" BETWEEN 400 AND 498',
  ),
  counted('failed-requests', 'The requests that got a 5xx.', 'requests', '"status" >= 500'),
  counted(
    'abandoned-requests',
    'The requests whose caller left before the answer (499).',
    'requests',
    '"status" = 499',
  ),
  {
    name: 'error-rate-percent',
    rule: 'The share of requests that got a 5xx.',
    unit: 'percent',
    sql: 'round(100 * count_if("status" >= 500) / nullif(count(*), 0), 4)::DOUBLE',
    rows: '"status" >= 500',
  },
  {
    name: 'mean-ttlb-ms',
    rule: 'The mean time from the receipt of a request to the last byte of its answer, over all answers of any status; each page is an answer.',
    unit: 'ms',
    sql: time('avg("lastByteMs")'),
    rows: isTimed,
  },
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
  counted(
    'unattended-requests',
    'The requests for a resource without the customer: without x-fapi-customer-ip-address.',
    'requests',
    'NOT "attended"',
  ),
];

const ofConsents: readonly Omit<Figure, 'of'>[] = [
  counted('consents-begun', 'The consents that TPPs created.', 'consents', `"event" = 'created'`),
  counted('consents-approved', 'The consents that customers approved.', 'consents', `"event" = 'authorised'`),
  counted(
    'consents-renewed',
    'The authentications with which customers kept an approved consent.',
    'consents',
    `"event" = 'reauthenticated'`,
  ),
  counted('consents-refused', 'The consents that were rejected.', 'consents', `"event" = 'rejected'`),
  ...(['tpp', 'customer', 'bank', 'operator', 'gateway'] as const).map((actor) =>
    counted(
      `consents-withdrawn-by-${actor}`,
      `The consents that ${actor === 'tpp' ? 'the TPP' : `the ${actor}`} revoked, deleted, or whose access it ended; consents that a measure against a TPP ended leave no events.`,
      'consents',
      `"event" IN ('revoked', 'deleted', 'access-ended') AND actor = '${actor}'`,
    ),
  ),
  counted(
    'consents-lapsed',
    'The consents that were not approved in time and lapsed.',
    'consents',
    `"event" = 'lapsed'`,
  ),
  counted(
    'consents-expired',
    'The consents that gave access until their term, which their events state; the events behind it are those that last gave the access.',
    'consents',
    `"event" = 'expired'`,
  ),
];

const ofJourneys: readonly Omit<Figure, 'of'>[] = [
  counted(
    'journeys-begun',
    'The times that a customer came to the pages of the authorization.',
    'journeys',
    `"step" = 'begun'`,
  ),
  counted('journeys-approved', 'The journeys in which the customer approved.', 'journeys', `"step" = 'approved'`),
  counted(
    'journeys-refused',
    'The journeys in which the customer, or the bank, refused.',
    'journeys',
    `"step" = 'refused'`,
  ),
  counted(
    'journeys-abandoned',
    'The journeys that the customer left without a decision.',
    'journeys',
    `"step" = 'abandoned'`,
  ),
  counted(
    'failed-sign-ins',
    'The attempts at signing in that failed or were blocked.',
    'journeys',
    `"step" IN ('sign-in-failed', 'sign-in-blocked')`,
  ),
];

function counted(name: string, rule: string, unit: Figure['unit'], rows: string): Omit<Figure, 'of'> {
  return { name, rule, unit, sql: `count_if(${rows})::DOUBLE`, rows };
}

/** Every figure of every report. A report has them by their names. */
export const figures: readonly Figure[] = [
  ...ofAvailability.map((figure) => ({ ...figure, of: 'availability' as const })),
  ...ofRequests.map((figure) => ({ ...figure, of: 'requests' as const })),
  ...ofConsents.map((figure) => ({ ...figure, of: 'consent_changes' as const })),
  ...ofJourneys.map((figure) => ({ ...figure, of: 'journeys' as const })),
];

export function figureNamed(name: string): Figure | undefined {
  return figures.find((figure) => figure.name === name);
}
