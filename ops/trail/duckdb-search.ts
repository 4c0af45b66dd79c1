import type { StoredEvent } from '../../src/trail/stored-event.js';
import type { SearchedMember, TrailQuestion, TrailSearch } from '../../src/trail/trail-search.js';
import { eventColumns } from './event-columns.js';
import type { AskedTime, SearchedTrail } from './searched-trail.js';
import { literal } from './trail-database.js';

export function searchOf({ connection, searched }: SearchedTrail): TrailSearch {
  return {
    find: async (question) => {
      const sql = `${question.members.map((member) => having(member, question)).join(' UNION ')} ORDER BY "at", "instance", "seq"`;
      return { events: (await connection.runAndReadAll(sql)).getRowObjectsJson().map(eventOf), searched };
    },
  };
}

/** A query for each member: with OR between members, DuckDB would read every row of the indexes. */
function having(member: SearchedMember, { values, kind, ...time }: TrailQuestion): string {
  const conditions = [
    `"${member}" IN (${values.map(literal).join(', ')})`,
    ...(kind === undefined ? [] : [`"kind" = ${literal(kind)}`]),
    ...timeConditions(time),
  ];
  return `SELECT ${eventColumns} FROM events WHERE ${conditions.join(' AND ')}`;
}

/** The event as its line states it: absent is absent. */
function eventOf({ rest, segment: _, ...members }: Readonly<Record<string, unknown>>): StoredEvent {
  const present = Object.entries(members).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(present), ...(typeof rest === 'string' && (JSON.parse(rest) as StoredEvent)) };
}

/** Times are compared as texts: the gateway writes each in the same form. */
export function timeConditions({ from, to }: AskedTime): string[] {
  return [
    ...(from === undefined ? [] : [`"at" >= ${literal(from)}`]),
    ...(to === undefined ? [] : [`"at" < ${literal(to)}`]),
  ];
}
