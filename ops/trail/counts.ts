import type { SearchedTrail, AskedTime } from './searched-trail.js';
import { timeConditions } from './duckdb-search.js';
import { literal } from './trail-database.js';

type Row = Readonly<Record<string, unknown>>;

/** The requests of a TPP, by endpoint and outcome, the most frequent first. `trail why` explains the latest of each. */
export function requestsOfTpp(trail: SearchedTrail, tpp: string, time: AskedTime): Promise<Row[]> {
  return rows(
    trail,
    `SELECT "issuer", coalesce("endpoint", 'unknown') AS endpoint, "status", "refusedBy", "reason",
       count(*)::INTEGER AS requests, min("at") AS first, max("at") AS last, arg_max("id", "at" || "id") AS "latestId"
     FROM events WHERE ${requests(time)} AND "tpp" = ${literal(tpp)}
     GROUP BY ALL ORDER BY requests DESC, endpoint, "status"`,
  );
}

const loadGroups = {
  // Two issuers may give the same client id.
  tpps: `coalesce("tpp", 'without a TPP') AS name, "tpp", CASE WHEN count(DISTINCT "issuer") = 1 THEN max("issuer") END AS issuer`,
  endpoints: `coalesce("endpoint", 'unknown') AS name`,
  hours: `substr("at", 1, 13) || ':00Z' AS name`,
} as const;

/** The load by one of the groups; hours by time, the others by the time that the gateway took. */
export function load(trail: SearchedTrail, group: keyof typeof loadGroups, time: AskedTime): Promise<Row[]> {
  return rows(
    trail,
    `SELECT ${loadGroups[group]}, ${requestsIn()} AS requests, coalesce(sum("bytes"), 0)::DOUBLE AS bytes,
       round(coalesce(sum("lastByteMs"), 0) / 1000, 3) AS seconds,
       round(quantile_cont("lastByteMs", 0.95), 1) AS p95Ms,
       ${requestsIn('"status" >= 400 AND "status" < 500')} AS refused, ${requestsIn('"status" >= 500')} AS failed
     FROM events WHERE ${requests(time)}
     GROUP BY ALL ORDER BY ${group === 'hours' ? 'name' : 'seconds DESC, name'}`,
  );
}

/** An event may be of several requests, which it counts. */
function requestsIn(condition = 'true'): string {
  return `coalesce(sum(coalesce("count", 1)) FILTER (${condition}), 0)::INTEGER`;
}

/** Operators' own health checks and metrics are not load of TPPs. */
function requests(time: AskedTime): string {
  return [`"kind" = 'request'`, `"listener" IN ('api', 'tpps')`, ...timeConditions(time)].join(' AND ');
}

async function rows({ connection }: SearchedTrail, sql: string): Promise<Row[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}
