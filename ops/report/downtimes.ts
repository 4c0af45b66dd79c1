import type { DuckDBConnection } from '@duckdb/node-api';
import { reasons, type Reason } from '../../src/trail/reasons.js';
import { duration, instant } from '../../src/trail/words.js';
import type { Period } from './period.js';
import { rowsOf } from './queries.js';

/** A downtime of the whole interface. */
export interface Downtime {
  /** ISO 8601 in UTC, with milliseconds. */
  readonly begin: string;
  readonly end: string;
  /** The trail that was read, up to a day after the period, shows no end: `end` is then its end. */
  readonly goesOn: boolean;
  readonly seconds: number;
  readonly plannedSeconds: number;
  readonly unplannedSeconds: number;
  /** The most frequent reason of the unanswered requests, or `no-process`. */
  readonly cause: string;
  /** The unanswered requests in it, and those of them that had the cause. */
  readonly unanswered: number;
  readonly withCause: number;
}

/** The downtimes that overlap the period, each as a whole: also its part before or after the period. */
export async function downtimesOf(connection: DuckDBConnection, { fromMs, toMs }: Period): Promise<Downtime[]> {
  const rows = await rowsOf(
    connection,
    `WITH asked AS (FROM downtimes WHERE scope = '' AND begin_ms < ${toMs} AND end_ms > ${fromMs}),
     planned_part AS (
       SELECT asked.begin_ms, sum(least(asked.end_ms, planned.end_ms) - greatest(asked.begin_ms, planned.begin_ms)) AS ms
       FROM asked JOIN planned ON asked.begin_ms < planned.end_ms AND planned.begin_ms < asked.end_ms GROUP BY asked.begin_ms
     ), causes AS (
       SELECT asked.begin_ms, coalesce("reason", "coreFault", 'status-' || "status") AS cause, sum(requests_in_event) AS requests
       FROM asked JOIN requests ON at_ms >= asked.begin_ms AND at_ms < asked.end_ms WHERE unanswered GROUP BY ALL
     ), main AS (
       SELECT begin_ms, arg_max(cause, (requests, cause)) AS cause, max(requests) AS with_cause, sum(requests) AS unanswered
       FROM causes GROUP BY begin_ms
     )
     SELECT begin_ms::DOUBLE AS "beginMs", end_ms::DOUBLE AS "endMs", coalesce(planned_part.ms, 0)::DOUBLE AS "plannedMs",
       CASE WHEN rule = 'no process' THEN 'no-process' ELSE coalesce(cause, 'unknown') END AS cause,
       coalesce(unanswered, 0)::DOUBLE AS unanswered, CASE WHEN rule = 'no process' THEN 0 ELSE coalesce(with_cause, 0) END::DOUBLE AS "withCause",
       end_ms >= (SELECT max(end_ms) FROM covered_time) AS "goesOn"
     FROM asked LEFT JOIN planned_part USING (begin_ms) LEFT JOIN main USING (begin_ms) ORDER BY begin_ms`,
  );
  return rows.map(({ beginMs, endMs, plannedMs, cause, unanswered, withCause, goesOn }) => {
    const [begin, end, planned] = [Number(beginMs), Number(endMs), Number(plannedMs)];
    return {
      begin: new Date(begin).toISOString(),
      end: new Date(end).toISOString(),
      goesOn: goesOn === true,
      seconds: (end - begin) / 1_000,
      plannedSeconds: planned / 1_000,
      unplannedSeconds: (end - begin - planned) / 1_000,
      cause: String(cause),
      unanswered: Number(unanswered),
      withCause: Number(withCause),
    };
  });
}

export function downtimeText(downtime: Downtime): string {
  const { begin, end, goesOn, seconds, plannedSeconds, cause, unanswered, withCause } = downtime;
  const planned = plannedSeconds === 0 ? '' : `, ${duration(plannedSeconds * 1_000)} of it planned`;
  const because =
    cause === 'no-process'
      ? 'no process ran'
      : `${cause} (${withCause} of ${unanswered} unanswered requests)${meaningOf(cause)}`;
  const until = goesOn ? 'and continues at the end of the searched trail' : `to ${instant(Date.parse(end))}`;
  return `  ${instant(Date.parse(begin))} ${until}: ${duration(seconds * 1_000)}${planned}; ${because}`;
}

/** A cause that is not a reason has none, such as a status. */
function meaningOf(cause: string): string {
  return Object.hasOwn(reasons, cause) ? `. ${reasons[cause as Reason].meaning}` : '';
}
