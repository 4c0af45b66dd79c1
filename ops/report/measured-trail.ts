import type { SegmentRoot } from '../../src/trail/root-record.js';
import type { AskedTime, EventSelection, SearchedTrail } from '../trail/searched-trail.js';
import { timeConditions } from '../trail/duckdb-search.js';
import { literal, literals } from '../trail/trail-database.js';
import { abandonedAfterMs, longestSilenceMs, requestsInRow, unavailableAfterMs } from './availability-rules.js';
import { consentHistory, consentTerms } from './consent-history.js';
import { common, joined } from './intervals.js';
import { dayMs, type Period } from './period.js';
import type { DaysOfChain } from '../trail/days-of-chain.js';

/** The time before and after the period that is read: a downtime may lie across its ends. */
const aroundMs = dayMs;
/** Later than every event; arithmetic on it stays exact. */
const endOfTimeMs = 8_640_000_000_000_000;

/**
 * The events that a period needs: all of its time, of the time around it and of a day more, so that a silence that begins before
 * these days is longer than one of them; and of the days before, those by which outages were planned and consents given.
 * @param from the first day that is read; absent: the first of the trail
 */
export function neededEvents(
  { fromMs, toMs }: Period,
  from: string | undefined,
): EventSelection & { readonly from: string } {
  const kinds = ['consent', 'tpp', 'outage'];
  return { from: iso(fromMs - aroundMs - dayMs), to: iso(toMs + aroundMs), before: { kinds, from } };
}

/**
 * Makes the tables of which the figures are queries, for the period:
 * - `requests`: those that count, with the time around the period
 * - `downtimes`: by scope; the scope '' is the whole interface, `v3.1` a version, `v3.1 balances` an endpoint
 * - `availability`: the milliseconds of each scope and hour of the period
 * - `days`: the days of the period, each `complete`, `partial`, `missing` (no event), `dropped`, or `incomplete` (a segment)
 * - `consent_terms`: every consent, of all times
 * - `consent_history`: their changes
 * - `consent_changes`: those of the time around the period, with the reads that needed an authentication; and `journeys`
 */
export async function measure(
  { connection, earlier }: SearchedTrail,
  { fromMs, toMs }: Period,
  { dropped, incomplete }: DaysOfChain,
): Promise<void> {
  const around = { from: iso(fromMs - aroundMs), to: iso(toMs + aroundMs) };
  for (const [name, sql] of [
    ['requests', requests(around)],
    ['process_runs', processRuns(earlier)],
    ['no_process', noProcess],
    ['missing_days', missingDays(fromMs, toMs, dropped, incomplete)],
    ['covered_time', coveredTime(fromMs, toMs)],
    ['scopes', scopes],
    ['down_by_requests', downByRequests],
    ['downtimes', downtimes],
    ['outages', outages],
    ['planned', joined('(FROM outages WHERE begin_ms < end_ms)')],
    ['hours', hours(fromMs, toMs)],
    ['availability', availability],
    ['days', days],
    ['consent_terms', consentTerms(atMs, text)],
    ['consent_history', consentHistory(atMs)],
    ['consent_changes', consentChanges(around)],
    ['journeys', journeys(around)],
  ] as const)
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${sql}`);
}

type Around = Required<AskedTime>;
const inTime = (time: Around) => timeConditions(time).join(' AND ');

const atMs = `epoch_ms(try_cast("at" AS TIMESTAMP))`;

/** See the rules of availability. */
const requests = (time: Around) => `
  SELECT ${atMs} AS at_ms, "at", substr("at", 1, 10) AS day, substr("at", 1, 13) || ':00Z' AS hour, "segment", "seq",
    "instance", "id", coalesce("apiVersion", '') AS version, "method", "endpoint", "status", "firstByteMs", "lastByteMs",
    "bytes", coalesce("count", 1) AS requests_in_event, "issuer", "tpp", "consent", "reason", "coreFault", "core", "attended", "product",
    "status" >= 500 OR ("status" = 499 AND coalesce("lastByteMs", 0) >= ${abandonedAfterMs}) AS unanswered,
    unanswered OR "status" <> 499 AS counts_for_availability
  FROM events
  WHERE "kind" = 'request' AND ${inTime(time)} AND "listener" IN ('api', 'tpps') AND "status" IS NOT NULL
    AND ("endpoint" LIKE '/as/%' OR ("endpoint" IS NOT NULL AND "apiVersion" IS NOT NULL))`;

/** The time of which each run of a process left events. The roots know it of the days of which not every event is read. */
const processRuns = (earlier: readonly SegmentRoot[]) => `
  SELECT "instance", min(at_ms) AS begin_ms, max(at_ms + coalesce("lastByteMs", 0))::BIGINT AS end_ms
  FROM (
    SELECT "instance", ${atMs} AS at_ms, CASE WHEN "kind" = 'request' THEN "lastByteMs" END AS "lastByteMs" FROM events
    UNION ALL SELECT "instance", unnest([begin_ms, end_ms]), NULL FROM (${runsOf(earlier)})
  ) WHERE at_ms IS NOT NULL GROUP BY "instance"`;

function runsOf(roots: readonly SegmentRoot[]): string {
  const runs = new Map<string, { beginMs: number; endMs: number }>();
  for (const { instance, firstAt, lastAt } of roots) {
    const { beginMs, endMs } = runs.get(instance) ?? { beginMs: Infinity, endMs: -Infinity };
    runs.set(instance, { beginMs: Math.min(beginMs, Date.parse(firstAt)), endMs: Math.max(endMs, Date.parse(lastAt)) });
  }
  const rows = [...runs].map(([instance, { beginMs, endMs }]) => `(${literal(instance)}, ${beginMs}, ${endMs})`);
  return rows.length === 0
    ? `SELECT NULL::VARCHAR AS "instance", NULL::BIGINT AS begin_ms, NULL::BIGINT AS end_ms`
    : `SELECT * FROM (VALUES ${rows.join(', ')}) AS runs("instance", begin_ms, end_ms)`;
}

const noProcess = `
  SELECT end_ms AS begin_ms, next_ms AS end_ms
  FROM (SELECT end_ms, lead(begin_ms) OVER (ORDER BY begin_ms) AS next_ms FROM (${joined('process_runs')}))
  WHERE next_ms - end_ms > ${longestSilenceMs}`;

const missingDays = (fromMs: number, toMs: number, dropped: readonly string[], incomplete: readonly string[]) => `
  SELECT day, CASE WHEN day IN ${literals(dropped)} THEN 'dropped' WHEN day IN ${literals(incomplete)} THEN 'incomplete' ELSE 'missing' END AS state,
    begin_ms, begin_ms + ${dayMs} AS end_ms FROM (
    SELECT strftime(make_timestamp_ms(begin_ms), '%Y-%m-%d') AS day, begin_ms
    FROM range(${fromMs - aroundMs}, ${toMs + aroundMs}, ${dayMs}) days(begin_ms)
  ) WHERE day IN ${literals([...dropped, ...incomplete])} OR day NOT IN (SELECT DISTINCT substr("at", 1, 10) FROM events)`;

/** The time that the trail covers: between its first and last event, without missing days and silences that have one. */
const coveredTime = (fromMs: number, toMs: number) => `
  WITH bounds AS (SELECT min(begin_ms) AS first_ms, max(end_ms) AS last_ms FROM process_runs),
  all_uncovered AS (
    SELECT ${-endOfTimeMs} AS begin_ms, coalesce(first_ms, ${endOfTimeMs}) AS end_ms FROM bounds
    UNION ALL SELECT last_ms, ${endOfTimeMs} FROM bounds WHERE last_ms IS NOT NULL
    UNION ALL SELECT begin_ms, end_ms FROM missing_days
    UNION ALL SELECT begin_ms, end_ms FROM no_process WHERE EXISTS (
      FROM missing_days day WHERE day.begin_ms >= no_process.begin_ms AND day.end_ms <= no_process.end_ms)
  ), pieces AS (
    SELECT end_ms AS begin_ms, lead(begin_ms) OVER (ORDER BY begin_ms) AS end_ms FROM (${joined('all_uncovered')})
  )
  FROM (${common('pieces', `(SELECT ${fromMs - aroundMs} AS begin_ms, ${toMs + aroundMs} AS end_ms)`)}) WHERE begin_ms < end_ms`;

const scopesOfRequest = `CASE WHEN version = '' THEN [''] ELSE ['', version, version || ' ' || "endpoint"] END`;

const scopes = `
  SELECT '' AS scope UNION SELECT DISTINCT unnest(${scopesOfRequest}) FROM (SELECT DISTINCT version, "endpoint" FROM requests)`;

/** A run is an unbroken row of unanswered requests; its number is that of the answered requests before it. */
const downByRequests = `
  WITH counted AS (
    SELECT at_ms, "segment", "seq", unanswered, unnest(${scopesOfRequest}) AS scope FROM requests WHERE counts_for_availability
  ), numbered AS (
    SELECT scope, at_ms, "segment", "seq", unanswered, count_if(NOT unanswered) OVER (
      PARTITION BY scope ORDER BY at_ms, "segment", "seq" ROWS UNBOUNDED PRECEDING) AS run
    FROM counted
    WHERE scope IN (SELECT scope FROM counted WHERE unanswered GROUP BY scope HAVING count(*) >= ${requestsInRow})
  ), rows_of_five AS (
    SELECT scope, run, at_ms, lead(at_ms, ${requestsInRow - 1}) OVER (
      PARTITION BY scope, run ORDER BY at_ms, "segment", "seq") AS fifth_ms
    FROM numbered WHERE unanswered
  ), begun AS (
    SELECT scope, run, min(at_ms) AS begin_ms FROM rows_of_five WHERE fifth_ms - at_ms <= ${unavailableAfterMs} GROUP BY scope, run
  )
  SELECT begun.scope, begun.begin_ms, coalesce(answered.at_ms, ${endOfTimeMs}) AS end_ms
  FROM begun LEFT JOIN numbered answered
    ON answered.scope = begun.scope AND NOT answered.unanswered AND answered.run = begun.run + 1`;

/** Those of the whole time that the trail covers, joined where both rules say so. */
const downtimes = `
  WITH all_down AS (
    SELECT scope, begin_ms, end_ms, 'requests' AS rule FROM down_by_requests
    UNION ALL SELECT scope, begin_ms, end_ms, 'no process' FROM no_process CROSS JOIN scopes
  ), united AS (${joined('all_down', ['scope'], 'rule')})
  FROM (${common('united', 'covered_time')}) WHERE begin_ms < end_ms`;

const text = (member: string) => `json_extract_string("rest", '$.${member}')`;

/** Each from the moment at which it was entered, up to its end or removal: an outage that is entered afterwards was not planned. */
const outages = `
  SELECT outage, min(from_ms) AS from_ms, min(to_ms) AS to_ms,
    greatest(min(from_ms), min(at_ms) FILTER ("event" = 'planned')) AS begin_ms,
    least(min(to_ms), coalesce(min(at_ms) FILTER ("event" = 'removed'), ${endOfTimeMs})) AS end_ms
  FROM (
    SELECT ${text('outage')} AS outage, "event", ${atMs} AS at_ms,
      epoch_ms(try_cast(${text('from')} AS TIMESTAMP)) AS from_ms, epoch_ms(try_cast(${text('to')} AS TIMESTAMP)) AS to_ms
    FROM events WHERE "kind" = 'outage'
  ) WHERE from_ms < to_ms GROUP BY outage HAVING count_if("event" = 'planned') > 0`;

const hours = (fromMs: number, toMs: number) => `
  SELECT begin_ms, begin_ms + 3600000 AS end_ms, strftime(make_timestamp_ms(begin_ms), '%Y-%m-%d') AS day,
    strftime(make_timestamp_ms(begin_ms), '%Y-%m-%dT%H:00Z') AS hour
  FROM range(${fromMs}, ${toMs}, 3600000) hours(begin_ms)`;

const sumByHour = (table: string, columns = '') => `
  SELECT ${columns}hour, sum(least(part.end_ms, hours.end_ms) - greatest(part.begin_ms, hours.begin_ms)) AS ms
  FROM ${table} part JOIN hours ON part.begin_ms < hours.end_ms AND hours.begin_ms < part.end_ms GROUP BY ALL`;

const availability = `
  SELECT scopes.scope, hours.day, hours.hour, coalesce(covered_hours.ms, 0)::BIGINT AS covered_ms,
    coalesce(down.ms, 0)::BIGINT AS down_ms, coalesce(planned_down.ms, 0)::BIGINT AS planned_ms
  FROM hours CROSS JOIN scopes
  LEFT JOIN (${sumByHour('covered_time')}) covered_hours USING (hour)
  LEFT JOIN (${sumByHour('downtimes', 'scope, ')}) down ON down.hour = hours.hour AND down.scope = scopes.scope
  LEFT JOIN (${sumByHour(`(${common('downtimes', 'planned')})`, 'scope, ')}) planned_down
    ON planned_down.hour = hours.hour AND planned_down.scope = scopes.scope`;

const days = `
  SELECT day, coalesce(any_value(missing_days.state), CASE WHEN sum(covered_ms) < ${dayMs} THEN 'partial' ELSE 'complete' END) AS state
  FROM availability LEFT JOIN missing_days USING (day) WHERE scope = '' GROUP BY day`;

/** A read that was refused because the customer's authentication was too long ago changes no consent, but belongs to its life. */
const consentChanges = (time: Around) => `
  SELECT *, substr("at", 1, 10) AS day, substr("at", 1, 13) || ':00Z' AS hour FROM (
    SELECT *, CASE WHEN "by" LIKE 'operator:%' THEN 'operator' ELSE "by" END AS actor FROM consent_history WHERE ${inTime(time)}
    UNION ALL BY NAME
    SELECT "at", at_ms, "id", "consent", requests."issuer", requests."tpp", 'authentication-needed' AS "event", 'gateway' AS actor, "reason",
      coalesce(one_off, false) AS one_off
    FROM requests LEFT JOIN consent_terms USING ("consent")
    WHERE "reason" IN ('window-closed', 'history-start-missing', 'history-older-than-90-days'))`;

/** The stage of an abandoned journey is where the customer left it. */
const journeys = (time: Around) => `
  SELECT "at", ${atMs} AS at_ms, substr("at", 1, 10) AS day, substr("at", 1, 13) || ':00Z' AS hour, "id", "consent", "issuer", "tpp",
    "step", coalesce(${text('stage')}, '') AS stage, "reason"
  FROM events WHERE "kind" = 'authorisation' AND ${inTime(time)}`;

function iso(atMsValue: number): string {
  return new Date(atMsValue).toISOString();
}
