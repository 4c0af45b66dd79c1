import { readEvent, type StoredEvent } from '../../src/trail/stored-event.js';
import type { TrailQuestion, TrailSearch } from '../../src/trail/trail-search.js';
import type { AskedTime, SearchedTrail } from './searched-trail.js';
import { literal } from './trail-database.js';

export function searchOf({ connection, looked }: SearchedTrail): TrailSearch {
  return {
    find: async (question) => {
      const sql = `SELECT line FROM events WHERE ${conditionOf(question)} ORDER BY "at", "instance", "seq"`;
      const rows = (await connection.runAndReadAll(sql)).getRows();
      return {
        events: rows.flatMap(([line]): StoredEvent[] => {
          const event = readEvent(String(line));
          return event === undefined ? [] : [event];
        }),
        looked,
      };
    },
  };
}

function conditionOf({ members, values, kind, ...time }: TrailQuestion): string {
  const list = values.map(literal).join(', ');
  const named = members.map((member) => `"${member}" IN (${list})`).join(' OR ');
  return [`(${named})`, ...(kind === undefined ? [] : [`"kind" = ${literal(kind)}`]), ...timeConditions(time)].join(
    ' AND ',
  );
}

/** Times are compared as texts: the gateway writes each in the same form. */
export function timeConditions({ from, to }: AskedTime): string[] {
  return [
    ...(from === undefined ? [] : [`"at" >= ${literal(from)}`]),
    ...(to === undefined ? [] : [`"at" < ${literal(to)}`]),
  ];
}
