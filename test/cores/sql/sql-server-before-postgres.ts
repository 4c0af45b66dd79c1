import pg from 'pg';
import type { Asked } from './tds-messages.js';
import { type Reply, TdsServer } from './tds-server.js';
import type { TdsColumn } from './tds-values.js';

const { builtins } = pg.types;
/** SQL Server's type for one of PostgreSQL; a text for every other. */
const names: ReadonlyMap<number, string> = new Map<number, string>([
  [builtins.INT2, 'smallint'],
  [builtins.INT4, 'int'],
  [builtins.INT8, 'bigint'],
  [builtins.NUMERIC, 'decimal(38,6)'],
  [builtins.BOOL, 'bit'],
  [builtins.DATE, 'date'],
  [builtins.TIMESTAMP, 'datetime2(6)'],
  [builtins.TIMESTAMPTZ, 'datetimeoffset(6)'],
]);

function typeName(type: number, modifier = -1): string {
  if (type === Number(builtins.NUMERIC) && modifier >= 0)
    return `decimal(${(modifier - 4) >> 16},${(modifier - 4) & 0xffff})`;
  return names.get(type) ?? 'nvarchar(4000)';
}

/** The adapter's statements, in PostgreSQL's words. `TOP` is left out: the tables of the tests are smaller. */
function translated(sql: string): string {
  return sql
    .replace(/SELECT TOP \(\d+\) /g, 'SELECT ')
    .replace(/\bN'/g, "'")
    .replaceAll('COLLATE Latin1_General_BIN2', 'COLLATE "C"')
    .replaceAll('nvarchar(4000)', 'text')
    .replace(/FETCH NEXT (@p\d+|\d+) ROWS/g, 'FETCH NEXT ($1) ROWS')
    .replace(/@p(\d+)/g, '$$$1');
}

const described = (columns: readonly [string, string], rows: readonly (readonly string[])[]): Reply => ({
  columns: columns.map((name) => ({ name, type: 'nvarchar(256)' })),
  rows,
});

/**
 * A server that speaks SQL Server's protocol and has the data of a PostgreSQL: the driver and the adapter are the real ones,
 * and the judgement of T-SQL is PostgreSQL's of the translated statement.
 */
export async function sqlServerBefore({ href, password }: URL): Promise<TdsServer & { end: () => Promise<void> }> {
  const text = (value: string): string => (value === 't' ? 'true' : value === 'f' ? 'false' : value);
  const pool = new pg.Pool({
    connectionString: href,
    // The kit counts the timers of this process.
    idleTimeoutMillis: 0,
    options: '-c timezone=UTC -c datestyle=ISO,YMD',
    types: { getTypeParser: (type) => (Number(type) === Number(builtins.BOOL) ? text : String) },
  });
  // The kit ends the database's connections when it removes the database.
  pool.on('error', () => undefined);
  const reply = (asked: Asked): Promise<Reply> => answerOf(pool, asked).catch(refusal);
  const server = await TdsServer.start(reply, { password: decodeURIComponent(password) });
  return Object.assign(server, {
    end: async () => {
      await server.close();
      await pool.end();
    },
  });
}

async function answerOf(pool: pg.Pool, { sql, values }: Asked): Promise<Reply> {
  if (sql === 'SET SHOWPLAN_XML ON') return { errors: [{ number: 262, class: 14, message: 'no right' }] };
  if (sql === 'SET SHOWPLAN_XML OFF') return 'nothing';
  const [first, second] = [values['@p1'], values['@p2']].map(String);
  if (sql.includes('sp_describe_undeclared_parameters')) return parameters(pool, first ?? '', second ?? '');
  if (sql.includes('sp_describe_first_result_set')) {
    const columns = await columnsOf(pool, first ?? '');
    return described(
      ['name', 'system_type_name'],
      columns.map(({ name, type }) => [name, type]),
    );
  }
  const given = Array.from(Object.keys(values), (_, index) => values[`@p${index + 1}`]);
  const { fields, rows } = await pool.query<(string | null)[]>({
    text: translated(sql),
    values: given,
    rowMode: 'array',
  });
  return { columns: fields.map(columnOf), rows };
}

const columnOf = ({ name, dataTypeID, dataTypeModifier }: pg.FieldDef): TdsColumn => ({
  name,
  type: typeName(dataTypeID, dataTypeModifier),
});

async function withPrepared<T>(pool: pg.Pool, sql: string, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(`PREPARE asked AS ${translated(sql)}`);
    return await use(client);
  } finally {
    await client.query('DEALLOCATE ALL').catch(() => undefined);
    client.release();
  }
}

function parameters(pool: pg.Pool, sql: string, declared: string): Promise<Reply> {
  return withPrepared(pool, sql, async (client) => {
    const { rows } = await client.query<{ types: string }>(
      `SELECT array_to_string(parameter_types::oid[], ',') AS types FROM pg_prepared_statements WHERE name = 'asked'`,
    );
    const types = (rows[0]?.types ?? '').split(',').filter((type) => type !== '');
    const found = types.map((type, index) => [`@p${index + 1}`, typeName(Number(type))] as const);
    return described(
      ['name', 'suggested_system_type_name'],
      found.filter(([name]) => !declared.includes(`${name} `)),
    );
  });
}

function columnsOf(pool: pg.Pool, sql: string): Promise<TdsColumn[]> {
  const count = new Set(sql.match(/@p\d+/g)).size;
  const nothing = count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join(', ')})`;
  return withPrepared(pool, `SELECT * FROM (${sql}) asked LIMIT 0`, async (client) => {
    const { fields } = await client.query(`EXECUTE asked${nothing}`);
    return fields.map(columnOf);
  });
}

/** The errors of SQL Server that mean the same. */
const numbers: Readonly<Record<string, number>> = { '42P01': 208, '42703': 207, '42601': 102, '42501': 229 };

function refusal(error: unknown): Reply {
  if (!(error instanceof pg.DatabaseError)) return 'gone';
  return { errors: [{ number: numbers[error.code ?? ''] ?? 8180, class: 16, message: error.message }] };
}
