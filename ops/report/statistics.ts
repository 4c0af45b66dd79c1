import type { DuckDBConnection } from '@duckdb/node-api';
import type { SearchScope } from '../../src/trail/trail-search.js';
import { duration } from '../../src/trail/words.js';
import type { SearchedTrail } from '../trail/searched-trail.js';
import { availabilityRules } from './availability-rules.js';
import { csv, type Cell } from '../csv.js';
import { markedDaysText } from '../trail/marked-days.js';
import { noDowntimeText } from './day-states.js';
import { downtimesOf, type Downtime } from './downtimes.js';
import type { Figure } from './figure.js';
import { figureNamed } from './figures.js';
import { dayName, type Period } from './period.js';
import { figuresBy, rowsOf, type Grouping, type Row } from './queries.js';

/** The figures that a bank publishes. */
const published = [
  'uptime-percent',
  'downtime-percent',
  'planned-downtime-seconds',
  'unplanned-downtime-seconds',
  'covered-seconds',

  'mean-ttlb-ms',
  'accounts-mean-ttlb-ms',
  'funds-mean-ttlb-ms',
  'median-ttlb-ms',
  'p95-ttlb-ms',
  'p99-ttlb-ms',
  'error-rate-percent',
  'requests',
  'failed-requests',
].flatMap((name) => figureNamed(name) ?? []);

export interface DayStatistics {
  readonly day: string;
  /** `complete`, `partial`, `missing`, `dropped` or `incomplete`: how the trail covers the day. */
  readonly state: string;
  readonly figures: Row;
}

interface InterfaceStatistics {
  /** `all`, or a version of the API. */
  readonly version: string;
  readonly quarter: Row;
  readonly days: readonly DayStatistics[];
}

export interface Statistics {
  readonly report: 'statistics';
  readonly quarter: string;
  /** The first and the last day. */
  readonly from: string;
  readonly to: string;
  /** The quarter is not over: the report ends with yesterday. */
  readonly incomplete: boolean;
  readonly madeAt: string;
  readonly rules: readonly string[];
  readonly figures: readonly Pick<Figure, 'name' | 'rule' | 'unit'>[];
  readonly interfaces: readonly InterfaceStatistics[];
  readonly downtimes: readonly Omit<Downtime, 'cause' | 'unanswered' | 'withCause'>[];
  readonly searched: Pick<SearchScope, 'days' | 'openEvents'>;
}

const furtherRules = [
  'Times are measured from the receipt of a request to the last byte of its answer, over the API and the authorization server for TPPs; the customers’ pages are not among them.',
  'A version has its share of the requests, to which the rules of availability are applied separately.',
  'The statistics of the bank’s own channels, which are published next to these, are not in the trail.',
];

export async function statisticsOf(trail: SearchedTrail, period: Period, nowMs: number): Promise<Statistics> {
  const { connection, searched } = trail;
  const versions = await rowsOf(
    connection,
    `SELECT DISTINCT version FROM requests WHERE version <> '' ORDER BY version`,
  );
  const interfaces: InterfaceStatistics[] = [];
  for (const version of ['', ...versions.map((row) => String(row['version']))])
    interfaces.push(await statisticsOfInterface(connection, period, version));
  const downtimes = await downtimesOf(connection, period);
  return {
    report: 'statistics',
    quarter: period.name,
    from: dayName(period.fromMs),
    to: dayName(period.toMs - 1),
    incomplete: period.isIncomplete,
    madeAt: new Date(nowMs).toISOString(),
    rules: [...availabilityRules, ...furtherRules],
    figures: published.map(({ name, rule, unit }) => ({ name, rule, unit })),
    interfaces,
    // The cause of a downtime is the bank's business.
    downtimes: downtimes.map(({ cause: _, unanswered: _requests, withCause: _share, ...facts }) => facts),
    searched: { days: searched.days.filter((day) => day >= dayName(period.fromMs)), openEvents: searched.openEvents },
  };
}

async function statisticsOfInterface(
  connection: DuckDBConnection,
  period: Period,
  version: string,
): Promise<InterfaceStatistics> {
  const figures = async (grouping: Grouping) => [
    await figuresBy(connection, 'availability', published, grouping, period, version),
    await figuresBy(connection, 'requests', published, grouping, period, version),
  ];
  const [[availability], [requests]] = (await figures('')) as [Row[], Row[]];
  const byDay = (await figures('day')).map((rows) => new Map(rows.map((row) => [row['key'], row])));
  const days = await rowsOf(connection, 'FROM days ORDER BY day');
  // Where the trail has no day, it counted no request: they are unknown, and not 0.
  const isInTrail = days.some(({ state }) => isThere(state));
  const rows = isInTrail ? [availability, requests] : [availability];
  return {
    version: version === '' ? 'all' : version,
    quarter: published.reduce<Row>((row, figure) => ({ ...row, [figure.name]: valueOf(figure, rows, isInTrail) }), {}),
    days: days.map(({ day, state }) => {
      const ofDay = byDay.map((table) => table.get(day));
      return {
        day: String(day),
        state: String(state),
        figures: Object.fromEntries(published.map((figure) => [figure.name, valueOf(figure, ofDay, isThere(state))])),
      };
    }),
  };
}

function isThere(state: Cell | undefined): boolean {
  return state !== 'missing' && state !== 'dropped';
}

/** @param isInTrail whether a figure without a row counts nothing, or is unknown */
function valueOf({ name, unit }: Figure, rows: readonly (Row | undefined)[], isInTrail: boolean): Cell {
  const row = rows.find((candidate) => candidate !== undefined && name in candidate);
  if (row !== undefined) return row[name] ?? null;
  return isInTrail && unit === 'requests' ? 0 : null;
}

/** A line for each day and version; a figure that is not known has no value. */
export function statisticsCsv({ interfaces }: Statistics): string {
  const names = published.map(({ name }) => name);
  const rows = interfaces.flatMap(({ version, days }) =>
    days.map(({ day, state, figures }) => [day, version, state, ...names.map((name) => figures[name] ?? null)]),
  );
  return csv(['day', 'version', 'state', ...names], rows);
}

export function statisticsText(statistics: Statistics): string {
  const { quarter, from, to, incomplete, interfaces, downtimes } = statistics;
  const marked = (interfaces[0]?.days ?? []).filter(({ state }) => state !== 'complete');
  return [
    `${quarter}, from ${from} to ${to}${incomplete ? ': the quarter has not ended' : ''}`,
    ...interfaces.map(
      ({ version, quarter: { 'uptime-percent': uptime, 'mean-ttlb-ms': mean, 'error-rate-percent': errors } }) =>
        `${version}: uptime ${uptime ?? 'unknown'} %, mean time to the last byte ${mean ?? 'unknown'} ms, error rate ${errors ?? 'unknown'} %`,
    ),
    downtimes.length === 0
      ? noDowntimeText(marked)
      : `Downtime: ${duration(1_000 * downtimes.reduce((sum, { seconds }) => sum + seconds, 0))}`,
    ...markedDaysText(marked),
  ].join('\n');
}
