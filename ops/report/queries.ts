import type { DuckDBConnection } from '@duckdb/node-api';
import type { Cell } from '../csv.js';
import { literal } from '../trail/trail-database.js';
import type { Figure, MeasuredTable } from './figure.js';
import { dayName, type Period } from './period.js';

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
} as const satisfies Readonly<Record<MeasuredTable, Readonly<Partial<Record<Grouping, string>>>>>;
export type Grouping = '' | 'day' | 'hour' | 'version' | 'endpoint' | 'stage';

/** The rows of a version; '' has all of them. Groups of the availability have scopes. */
function ofVersion(measured: MeasuredTable, grouping: Grouping, version: string): string {
  if (measured !== 'availability')
    return measured === 'requests' && version !== '' ? `version = ${literal(version)}` : 'true';
  if (grouping === 'version') return `scope <> '' AND scope NOT LIKE '% %'`;
  return grouping === 'endpoint' ? `scope LIKE '% %'` : `scope = ${literal(version)}`;
}

/**
 * The figures that are aggregates of the table.
 * @param version that of the API; '' has all, and all consents and journeys are of all
 * @returns a row for each value of the grouping, which is its first column, `key`
 */
export function figuresBy(
  connection: DuckDBConnection,
  measured: MeasuredTable,
  figures: readonly Figure[],
  grouping: Grouping,
  period: Period,
  version = '',
): Promise<Row[]> {
  const by = (groupings[measured] as Partial<Record<Grouping, string>>)[grouping];
  if (by === undefined) return Promise.resolve([]);
  const aggregates = figures
    .filter((figure) => figure.measured === measured)
    .map(({ name, sql }) => `${sql} AS "${name}"`);
  return rowsOf(
    connection,
    `SELECT ${[`${by} AS key`, ...aggregates].join(', ')} FROM ${measured}
     WHERE ${inPeriod(period)} AND ${ofVersion(measured, grouping, version)}
     ${grouping === '' ? '' : `GROUP BY ${by} ORDER BY key`}`,
  );
}

export function inPeriod({ fromMs, toMs }: Period): string {
  return `day BETWEEN ${literal(dayName(fromMs))} AND ${literal(dayName(toMs - 1))}`;
}
