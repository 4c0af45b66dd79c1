import type { DuckDBConnection } from '@duckdb/node-api';
import { literal, literals } from '../trail/trail-database.js';
import { outstandingBefore } from './consent-history.js';
import { figureNamed, figures } from './figures.js';
import type { miTabs } from './mi-tabs.js';
import { dayMs, dayName, type Period } from './period.js';
import { figuresBy, inPeriod, rowsOf, type Row } from './queries.js';

export interface Brand {
  readonly brand: string | null;
  /** The products that are personal, and business, current accounts; where none is named, the split is not known. */
  readonly pca: readonly string[];
  readonly bca: readonly string[];
}

/** The rows of a tab, with the names that its fields have as values. */
export async function tabRows(
  connection: DuckDBConnection,
  tab: keyof typeof miTabs,
  month: Period,
  brand: Brand,
): Promise<Row[]> {
  const rows = await rowsByTab[tab](connection, month, brand);
  return rows.map((row) => ({ ...row, brand: brand.brand }));
}

type RowsOfTab = (connection: DuckDBConnection, month: Period, brand: Brand) => Promise<Row[]>;

const perEndpoint: RowsOfTab = (connection, month, { pca, bca }) => {
  const aggregates = (table: string) =>
    figures
      .filter((figure) => figure.measured === table)
      .map(({ name, sql }) => `${sql} AS "${name}"`)
      .join(', ');
  const calls = (products: readonly string[]) =>
    products.length === 0 ? 'NULL' : `count(*) FILTER ("product" IN ${literals(products)})::DOUBLE`;
  return rowsOf(
    connection,
    `WITH volumes AS (
       SELECT day AS date, version, ${endpointName} AS endpoint, ${aggregates('requests')}, ${calls(pca)} AS "pcaCalls", ${calls(bca)} AS "bcaCalls"
       FROM requests WHERE ${inPeriod(month)} GROUP BY ALL
     ), seconds AS (SELECT day AS date, scope, ${aggregates('availability')} FROM availability GROUP BY ALL)
     SELECT volumes.* EXCLUDE (version), seconds.* EXCLUDE (date, scope), nullif(version, '') AS version,
       CASE WHEN version = '' THEN '0' END AS "endpointId"
     FROM volumes JOIN seconds ON volumes.date = seconds.date
       AND scope = CASE WHEN version = '' THEN '' ELSE version || ' ' || endpoint END
     ORDER BY date, version NULLS FIRST, endpoint`,
  );
};

const endpointName = `CASE WHEN version = '' THEN 'OIDC' ELSE "endpoint" END`;

const ofMonth =
  (table: 'consent_changes' | 'journeys'): RowsOfTab =>
  async (connection, month) => {
    const rows = (await isCovered(connection)) ? await figuresBy(connection, table, figures, '', month) : [{}];
    return rows.map((row) => ({ ...row, date: month.name }));
  };

/** Whether the trail has a day of the month: else its numbers are unknown, and not zero. */
async function isCovered(connection: DuckDBConnection): Promise<boolean> {
  const days = await rowsOf(connection, `FROM days WHERE state NOT IN ('missing', 'dropped') LIMIT 1`);
  return days.length > 0;
}

const consents: RowsOfTab = async (connection, month, brand) => {
  const rows = await ofMonth('consent_changes')(connection, month, brand);
  if (!(await isCovered(connection))) return rows;
  return [
    {
      ...rows[0],
      outstandingAtStart: await outstanding(connection, month.fromMs),
      outstandingAtEnd: await outstanding(connection, month.toMs),
    },
  ];
};

async function outstanding(connection: DuckDBConnection, beforeMs: number): Promise<number> {
  const [row] = await rowsOf(connection, outstandingBefore(beforeMs));
  return Number(row?.['number']);
}

const outliers: RowsOfTab = (connection, month) =>
  rowsOf(
    connection,
    `SELECT day AS date, "at", nullif(version, '') AS version, ${endpointName} AS endpoint,
       CASE WHEN version = '' THEN '0' END AS "endpointId", "lastByteMs", "firstByteMs", "tpp", "bytes"
     FROM requests WHERE ${inPeriod(month)} AND "lastByteMs" > 750 AND ${figureNamed('mean-ttlb-ms')?.rows ?? 'true'}
     ORDER BY "lastByteMs" DESC, at_ms, "id" LIMIT 100`,
  );

const tpps: RowsOfTab = async (connection, month) => {
  const [from, to] = [new Date(month.fromMs).toISOString(), new Date(month.toMs).toISOString()];
  const count = (event: string, time: string) => `count(*) FILTER ("event" IN ${event} AND ${time})::DOUBLE`;
  const [added, removed] = [`('registered')`, `('deleted', 'withdrawn-by-directory')`];
  const [before, during] = [`"at" < ${literal(from)}`, `"at" >= ${literal(from)} AND "at" < ${literal(to)}`];
  const rows = await rowsOf(
    connection,
    `SELECT ${literal(month.name)} AS date, *, "tppsAtStart" + "tppsAdded" - "tppsRemoved" AS "tppsAtEnd" FROM (
       SELECT ${count(added, before)} - ${count(removed, before)} AS "tppsAtStart",
         ${count(added, during)} AS "tppsAdded", ${count(removed, during)} AS "tppsRemoved", ${count(added, 'true')} AS registrations
       FROM events WHERE "kind" = 'tpp'
     )`,
  );
  return rows.map((row) => (row['registrations'] === 0 ? { date: row['date'] ?? null } : row));
};

const rowsByTab: Readonly<Record<keyof typeof miTabs, RowsOfTab>> = {
  performance: perEndpoint,
  volumes: perEndpoint,
  consents,
  authentication: ofMonth('journeys'),
  outliers,
  tpps,
  additional: (_connection, month) => Promise.resolve([{ date: month.name }]),
  psuInterface: (_connection, { fromMs, toMs }) =>
    Promise.resolve(
      Array.from({ length: (toMs - fromMs) / dayMs }, (_, index) => ({ date: dayName(fromMs + index * dayMs) })),
    ),
};
