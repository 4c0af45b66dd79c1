import type { RequestEvent, WrittenEvent } from '../../src/trail/event.js';
import { literal, literals } from './trail-database.js';

type MembersOf<Event> = Event extends unknown ? keyof Event : never;
type ValueOf<Event, Name extends PropertyKey> = Event extends unknown
  ? Name extends keyof Event
    ? Event[Name]
    : never
  : never;
/** Where two kinds have a member of one name, the column is that of requests. */
type Value<Name extends PropertyKey> = Name extends keyof RequestEvent
  ? RequestEvent[Name]
  : ValueOf<WrittenEvent, Name>;
type ColumnType<Of> = [Of] extends [string | undefined]
  ? 'VARCHAR'
  : [Of] extends [number | undefined]
    ? 'SMALLINT' | 'INTEGER' | 'DOUBLE'
    : [Of] extends [boolean | undefined]
      ? 'BOOLEAN'
      : never;

/**
 * The members of events (src/trail/event.ts) by which the tools search and count: one that no event has, or has in another type, does not
 * compile. The column `rest` has the others of a request, as JSON.
 */
const members = {
  kind: 'VARCHAR',
  id: 'VARCHAR',
  at: 'VARCHAR',
  seq: 'INTEGER',
  instance: 'VARCHAR',
  release: 'VARCHAR',
  interactionId: 'VARCHAR',
  errorId: 'VARCHAR',
  listener: 'VARCHAR',
  method: 'VARCHAR',
  endpoint: 'VARCHAR',
  apiVersion: 'VARCHAR',
  status: 'SMALLINT',
  firstByteMs: 'DOUBLE',
  lastByteMs: 'DOUBLE',
  bytes: 'DOUBLE',
  issuer: 'VARCHAR',
  tpp: 'VARCHAR',
  consent: 'VARCHAR',
  acr: 'VARCHAR',
  error: 'VARCHAR',
  refusedBy: 'VARCHAR',
  reason: 'VARCHAR',
  core: 'VARCHAR',
  coreMs: 'DOUBLE',
  coreFault: 'VARCHAR',
  attended: 'BOOLEAN',
  unattended: 'VARCHAR',
  product: 'VARCHAR',
  rows: 'INTEGER',
  count: 'INTEGER',
  badRecords: 'INTEGER',
  customer: 'VARCHAR',
  account: 'VARCHAR',
  event: 'VARCHAR',
  step: 'VARCHAR',
  command: 'VARCHAR',
  outcome: 'VARCHAR',
  by: 'VARCHAR',
} as const satisfies { readonly [Name in MembersOf<WrittenEvent>]?: ColumnType<Value<Name>> };

/** The columns of an event: its members, the name of its segment, and the rest. For a SELECT. */
export const eventColumns = [...Object.keys(members), 'segment', 'rest'].map((name) => `"${name}"`).join(', ');

/** Bytes; no gateway writes a longer line. */
const longestLine = 65_536;
/** DuckDB reads no empty list of files. */
const noObjects = `(SELECT '{}'::JSON AS json, '' AS filename LIMIT 0)`;

/** RFC 7396: the members that a merge with null removes. */
const withoutMembers = literal(JSON.stringify(Object.fromEntries(Object.keys(members).map((name) => [name, null]))));
/** Other kinds are rare, and some of their members have the name of a member of a request and another type. */
const rest = `CASE WHEN event."kind" = 'request' THEN nullif(json_merge_patch(json, ${withoutMembers})::VARCHAR, '{}')
  ELSE json::VARCHAR END`;

/**
 * A SELECT of the events in segments, with {@link eventColumns}.
 * @param texts only of lines with one of these texts; to look for a text takes a tenth of the time of reading every line's members
 */
export function eventsOf(paths: readonly string[], texts?: readonly string[]): string {
  return select(paths, `${rest} AS rest`, texts);
}

/** A SELECT of the number of lines in segments. */
export function countOf(paths: readonly string[]): string {
  return `SELECT count(*)::INTEGER FROM ${objectsOf(paths)}`;
}

/** A SELECT of the events in segments, each with its line as it was written in place of the rest. */
export function linesOf(paths: readonly string[]): string {
  return select(paths, 'json::VARCHAR AS line');
}

/**
 * The schema is given: a member that a line lacks, or has in another type, is NULL, and a line that is not an event is omitted,
 * such as half a line at the end of an open segment.
 */
function select(paths: readonly string[], last: string, texts?: readonly string[]): string {
  const event = `json_transform(json, ${literal(JSON.stringify(members))})`;
  const segment = `regexp_extract(filename, '([^/]+?)([.]open)?[.]ndjson$', 1)`;
  const objects = texts === undefined ? objectsOf(paths) : objectsWith(texts, paths);
  return (
    `SELECT event.*, segment, ${last} FROM (SELECT json, ${event} AS event, ${segment} AS segment FROM ${objects}) ` +
    'WHERE event."kind" IS NOT NULL AND event."at" IS NOT NULL'
  );
}

/** Materialized: otherwise DuckDB would look for the text last. */
function objectsWith(texts: readonly string[], paths: readonly string[]): string {
  const written = texts.map((text) => literal(JSON.stringify(text).slice(1, -1)));
  const contained = written.map((text) => `contains(json::VARCHAR, ${text})`).join(' OR ');
  const found = `SELECT json, filename FROM ${objectsOf(paths)} WHERE ${contained}`;
  return `(WITH found AS MATERIALIZED (${found}) FROM found)`;
}

function objectsOf(paths: readonly string[]): string {
  if (paths.length === 0) return noObjects;
  return (
    `read_json_objects(${literals(paths)}, format = 'newline_delimited', ignore_errors = true, ` +
    `maximum_object_size = ${longestLine}, filename = true)`
  );
}
