import type pg from 'pg';

/** A server that answers and that the gateway cannot use. The message gives the reason. */
export class UnusableServer extends Error {
  override readonly name = 'UnusableServer';

  constructor(
    readonly code: 'standby' | 'read-only' | 'no-schema' | 'search-path',
    readonly schema: string,
  ) {
    super(code);
  }
}

const judgement = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS "readOnly",
  current_schema() AS schema, to_regnamespace(quote_ident($1)) IS NOT NULL AS "hasSchema"`;

interface Judgement {
  readonly standby: boolean;
  readonly readOnly: boolean;
  readonly schema: string | null;
  readonly hasSchema: boolean;
}

/**
 * Judges the server of a connection, and the session.
 * @param readWrite whether a read-only primary is as unusable as a standby
 * @throws UnusableServer
 */
export async function judge(client: pg.Client, schema: string, readWrite: boolean): Promise<void> {
  const { rows } = await client.query<Judgement>({ text: judgement, values: [schema] });
  const [found = { standby: true } as Judgement] = rows;
  if (found.standby) throw new UnusableServer('standby', schema);
  if (found.readOnly && readWrite) throw new UnusableServer('read-only', schema);
  if (!found.hasSchema) throw new UnusableServer('no-schema', schema);
  if (found.schema !== schema) throw new UnusableServer('search-path', schema);
}
