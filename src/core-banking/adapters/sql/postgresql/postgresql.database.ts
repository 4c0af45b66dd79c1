import type pg from 'pg';
import type { TlsTerms } from '../../../../../packages/core-adapter/tls-files.js';
import type { Cell, Description, Parameters, SqlDatabase, Statement } from '../dialect.js';
import { type PositionedStatement, positioned, PositionedStatements } from '../named-parameters.js';
import type { SqlSettings } from '../sql.settings.js';
import { cellKind, parameterKind } from './postgresql.cells.js';
import { statementFault } from './postgresql.faults.js';
import { PostgresqlPool } from './postgresql.pool.js';

const placeholder = (position: number): string => `$${position}`;

export class PostgresqlDatabase implements SqlDatabase {
  private readonly pool: PostgresqlPool;
  private readonly texts = new PositionedStatements(placeholder);

  constructor(settings: SqlSettings) {
    this.pool = new PostgresqlPool(settings);
  }

  rows({ name, sql }: Statement, parameters: Parameters, signal: AbortSignal): Promise<Cell[][]> {
    const { text, names } = this.texts.withPlaceholders(sql);
    const values = names.map((one) => parameters[one]);
    return this.pool.use(signal, async (session) => {
      const { rows } = await session.query<Cell[]>({
        ...(name !== undefined && { name }),
        text,
        values,
        rowMode: 'array',
      });
      return rows;
    });
  }

  describe(sql: string, signal: AbortSignal): Promise<Description> {
    return this.pool.use(signal, (session) => describe(session, positioned(sql, placeholder)));
  }

  useCertificates(tls: TlsTerms): void {
    this.pool.useCertificates(tls);
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

async function describe(client: pg.Client, { text, names }: PositionedStatement): Promise<Description> {
  const begin = 'PREPARE described AS ';
  const prepared = `${begin}${text}`;
  try {
    await client.query(prepared);
  } catch (error) {
    throw statementFault(error, prepared, begin.length);
  }
  try {
    // The server checks the user's rights when it begins to run a statement.
    const values = names.length === 0 ? '' : `(${names.map(() => 'NULL').join(', ')})`;
    return {
      columns: await columnsOf(client, text, values),
      parameters: (await parameterTypes(client)).map((type, index) => ({
        name: names[index] as string,
        kind: parameterKind(type),
      })),
    };
  } catch (error) {
    throw statementFault(error);
  } finally {
    await client.query('DEALLOCATE described').catch(() => undefined);
  }
}

async function parameterTypes(client: pg.Client): Promise<number[]> {
  const select = `SELECT array_to_string(parameter_types::oid[], ',') AS types FROM pg_prepared_statements WHERE name = 'described'`;
  const { rows } = await client.query<{ types: string }>(select);
  return (rows[0]?.types ?? '')
    .split(',')
    .filter((type) => type !== '')
    .map(Number);
}

/** `LIMIT 0` runs nothing. */
async function columnsOf(client: pg.Client, text: string, values: string): Promise<Description['columns']> {
  await client.query(`PREPARE its_columns AS SELECT * FROM (\n${text}\n) described LIMIT 0`);
  // The session is used again after a refusal.
  const { fields } = await client
    .query(`EXECUTE its_columns${values}`)
    .finally(() => client.query('DEALLOCATE its_columns').catch(() => undefined));
  const types = fields.map(({ dataTypeID }) => dataTypeID);
  const { rows } = await client.query<{ oid: string }>(
    `SELECT oid FROM pg_type WHERE typtype = 'e' AND oid = ANY ($1)`,
    [types],
  );
  const enumerations = new Set(rows.map(({ oid }) => Number(oid)));
  return fields.map(({ name, dataTypeID }) => ({ name, kind: cellKind(dataTypeID, enumerations) }));
}
