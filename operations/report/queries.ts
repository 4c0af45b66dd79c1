import type { DuckDBConnection } from '@duckdb/node-api';
import { literal } from '../trail/trail-database.js';
import type { Figure, Measured } from './figures.js';
import { dayName, type Period } from './period.js';

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

export async function rowsOf(connection: DuckDBConnection, sql: string): Promise<Row[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson() as unknown as Row[];
}

/** The columns by which figures of a table may be grouped; `''` makes one row of all. */
export const groupings = {
  availability: { '': `''`, day: 'day', hour: 'hour', version: 'scope', endpoint: 'scope' },
  requests: { '': `''`, day: 'day', hour: 'hour', version: 'version', endpoint: `version || ' ' || "endpoint"` },
  consent_changes: { '': `''`, day: 'day', hour: 'hour' },
  journeys: { '': `''`, day: 'day', hour: 'hour', stage: 'stage' },
} as const satisfies Readonly<Record<Measured, Readonly<Partial<Record<Grouping, string>>>>>;
export type Grouping = '' | 'day' | 'hour' | 'version' | 'endpoint' | 'stage';

/** By which rows of the availability a grouping is answered. */
const scopesOf: Readonly<Partial<Record<Grouping, string>>> = {
  '': `scope = ''`,
  day: `scope = ''`,
  hour: `scope = ''`,
  version: `scope <> '' AND scope NOT LIKE '% %'`,
  endpoint: `scope LIKE '% %'`,
};

/** @returns a row for each value of the grouping, which is its first column, `key` */
export function figuresBy(
  connection: DuckDBConnection,
  of: Measured,
  figures: readonly Figure[],
  grouping: Grouping,
  period: Period,
  more = 'true',
): Promise<Row[]> {
  const by = (groupings[of] as Partial<Record<Grouping, string>>)[grouping];
  if (by === undefined) return Promise.resolve([]);
  const aggregates = figures.filter((figure) => figure.of === of).map(({ name, sql }) => `${sql} AS "${name}"`);
  const conditions = [inPeriod(period), more, ...(of === 'availability' ? [scopesOf[grouping] ?? 'false'] : [])];
  return rowsOf(
    connection,
    `SELECT ${[`${by} AS key`, ...aggregates].join(', ')} FROM ${of}
     WHERE ${conditions.map((condition) => `(${condition})`).join(' AND ')}
     ${grouping === '' ? '' : `GROUP BY ${by} ORDER BY key`}`,
  );
}

export function inPeriod({ fromMs, toMs }: Period): string {
  return `day BETWEEN ${literal(dayName(fromMs))} AND ${literal(dayName(toMs - 1))}`;
}
