import { literal, literals } from './trail-database.js';

/** The members of events by which the tools search and count. The line itself has all of them. */
const columns = {
  ...{ kind: 'VARCHAR', id: 'VARCHAR', at: 'VARCHAR', seq: 'INTEGER', instance: 'VARCHAR', release: 'VARCHAR' },
  ...{ interactionId: 'VARCHAR', errorId: 'VARCHAR', listener: 'VARCHAR', method: 'VARCHAR', endpoint: 'VARCHAR' },
  ...{ apiVersion: 'VARCHAR', status: 'SMALLINT', firstByteMs: 'DOUBLE', lastByteMs: 'DOUBLE', bytes: 'BIGINT' },
  ...{ issuer: 'VARCHAR', tpp: 'VARCHAR', consent: 'VARCHAR', acr: 'VARCHAR', error: 'VARCHAR', refusedBy: 'VARCHAR' },
  ...{ reason: 'VARCHAR', core: 'VARCHAR', coreMs: 'DOUBLE', coreFault: 'VARCHAR', attended: 'BOOLEAN' },
  ...{ unattended: 'VARCHAR', product: 'VARCHAR', rows: 'INTEGER', badRecords: 'INTEGER', customer: 'VARCHAR' },
  ...{ account: 'VARCHAR', event: 'VARCHAR', step: 'VARCHAR', command: 'VARCHAR', outcome: 'VARCHAR', by: 'VARCHAR' },
} as const;

/** All columns, without the line, for a SELECT. */
export const eventColumns = [...Object.keys(columns), 'segment'].map((name) => `"${name}"`).join(', ');

/** DuckDB reads no empty list of files. */
const noObjects = `(SELECT '{}'::JSON AS json, '' AS filename LIMIT 0)`;

/** Bytes; a longer line is none of the writer's. */
const longestLine = 65_536;

/**
 * A SELECT of the events in segments. The schema is given: a member that a line lacks, or has in another type, is NULL, and
 * a line that is no event is left out, such as half a line at the end of an open segment.
 */
export function eventsOf(paths: readonly string[]): string {
  const objects =
    paths.length === 0
      ? noObjects
      : `read_json_objects(${literals(paths)}, format = 'newline_delimited', ignore_errors = true, ` +
        `maximum_object_size = ${longestLine}, filename = true)`;
  const event = `json_transform(json, ${literal(JSON.stringify(columns))})`;
  const segment = `regexp_extract(filename, '([^/]+?)([.]open)?[.]ndjson$', 1) AS segment`;
  return (
    `SELECT event.*, segment, line FROM (SELECT json::VARCHAR AS line, ${event} AS event, ${segment} FROM ${objects}) ` +
    'WHERE event."kind" IS NOT NULL AND event."at" IS NOT NULL'
  );
}
