import type { TlsTerms } from '../../../../../packages/core-adapter/tls-files.js';
import { Connections } from '../connections.js';
import type { Cell, Description, Parameters, SqlDatabase, Statement } from '../dialect.js';
import { type Positioned, Texts } from '../named-parameters.js';
import type { SqlSettings } from '../sql.settings.js';
import { cellKind, cellOf, parameterKind } from './sqlserver.cells.js';
import type { Tedious, TediousColumn, TediousConnection, TediousRequest } from './sqlserver.driver.js';
import { sqlServerFaults, statementFault } from './sqlserver.faults.js';
import { planWarnings } from './sqlserver.plans.js';
import { refuseUnknown, SqlServerSession } from './sqlserver.session.js';

/** The value of a parameter for the driver. */
interface Given {
  readonly type: keyof Tedious['TYPES'];
  readonly value: string | number | null;
  /** The declared length. Without it, the server would make a plan for each length of a value. */
  readonly length?: number;
}
type Answer = Readonly<Record<string, Cell>>;

/** The right to see plans is missing. */
const noShowplan = 262;
const placeholder = (position: number): string => `@${nameOf(position)}`;
const nameOf = (position: number): string => `p${position}`;
const cellsOf = (columns: readonly TediousColumn[]): Cell[] => columns.map(cellOf);

/** The driver's type of a text is the column's, so that the server need not convert the column; other types it makes of the text. */
function givenAs(value: string | number, type: string): Given {
  if (typeof value === 'number') return { type: 'Int', value };
  return /^(var)?char\b/.test(type)
    ? { type: 'VarChar', value, length: 8000 }
    : { type: 'NVarChar', value, length: 4000 };
}

export class SqlServerDatabase implements SqlDatabase {
  private readonly connections: Connections<TediousConnection>;
  private readonly limitMs: number;
  private readonly texts = new Texts(placeholder);
  /** The types of the parameters, by the statement's text. */
  private readonly types = new Map<string, readonly string[]>();

  constructor(
    private readonly driver: Tedious,
    private readonly settings: SqlSettings,
  ) {
    refuseUnknown(settings);
    this.limitMs = settings.statementTimeoutMs;
    this.connections = new Connections(
      settings.connections,
      () => new SqlServerSession(driver, settings),
      sqlServerFaults,
    );
  }

  useCertificates(tls: TlsTerms): void {
    this.connections.reopen(() => new SqlServerSession(this.driver, { ...this.settings, tls }));
  }

  rows({ sql }: Statement, parameters: Parameters, signal: AbortSignal): Promise<Cell[][]> {
    const text = this.texts.of(sql);
    const values = text.names.map((name) => parameters[name] as string | number);
    return this.connections.use(signal, async (client) => {
      const types = await this.typesOf(client, text, values);
      const given = values.map((value, index) => givenAs(value, types[index] as string));
      return this.run(client, text.text, given, cellsOf);
    });
  }

  describe(sql: string, signal: AbortSignal): Promise<Description> {
    const text = this.texts.of(sql);
    return this.connections.use(signal, async (client) => {
      try {
        const types = await this.typesOf(client, text, []);
        return {
          columns: await this.columnsOf(client, text, types),
          parameters: types.map((type, index) => ({ name: text.names[index] as string, kind: parameterKind(type) })),
          warnings: await this.planWarnings(client, text, types),
        };
      } catch (error) {
        throw statementFault(error);
      }
    });
  }

  close(): Promise<void> {
    return this.connections.close();
  }

  /**
   * The server deduces the types from the other sides of the comparisons. A text of another type than its column would
   * have the server convert the whole column.
   */
  private async typesOf(
    client: TediousConnection,
    { text, names }: Positioned,
    values: readonly (string | number)[],
  ): Promise<readonly string[]> {
    const known = this.types.get(text);
    if (known !== undefined) return known;
    const numbers = values.flatMap((value, index) =>
      typeof value === 'number' ? [`${placeholder(index + 1)} int`] : [],
    );
    const found = await this.answer(client, 'sp_describe_undeclared_parameters', text, numbers.join(', '));
    const deduced = new Map(found.map(({ name, suggested_system_type_name: type }) => [name, type]));
    const types = names.map((_, index) => deduced.get(placeholder(index + 1)) ?? 'int');
    this.types.set(text, types);
    return types;
  }

  private async columnsOf(
    client: TediousConnection,
    { text }: Positioned,
    types: readonly string[],
  ): Promise<Description['columns']> {
    const declared = types.map((type, index) => `${placeholder(index + 1)} ${type}`).join(', ');
    const found = await this.answer(client, 'sp_describe_first_result_set', text, declared);
    return found.map(({ name, system_type_name: type }) => ({
      name: name ?? '',
      kind: cellKind(type ?? ''),
      type: type ?? '',
    }));
  }

  private async planWarnings(
    client: TediousConnection,
    { text }: Positioned,
    types: readonly string[],
  ): Promise<string[]> {
    const declared = types.map((type, index) => `DECLARE ${placeholder(index + 1)} ${type};\n`).join('');
    try {
      await this.batch(client, 'SET SHOWPLAN_XML ON');
      const [[plan] = []] = await this.batch(client, `${declared}${text}`);
      return planWarnings(plan ?? '');
    } catch (error) {
      if ((error as { number?: number }).number !== noShowplan) throw error;
      return ['its plan is not judged: the database user lacks the right SHOWPLAN'];
    } finally {
      await this.batch(client, 'SET SHOWPLAN_XML OFF');
    }
  }

  /** The rows of a procedure of the server, by the names of their columns. */
  private answer(client: TediousConnection, procedure: string, text: string, declared: string): Promise<Answer[]> {
    const given: Given[] = [text, declared].map((value) => ({ type: 'NVarChar', value: value === '' ? null : value }));
    return this.run(client, `EXEC sys.${procedure} @p1, @p2`, given, (columns) =>
      Object.fromEntries(columns.map((column) => [column.metadata.colName, cellOf(column)])),
    );
  }

  private run<Row>(
    client: TediousConnection,
    sql: string,
    given: readonly Given[],
    read: (columns: readonly TediousColumn[]) => Row,
  ): Promise<Row[]> {
    return this.requested(client, sql, read, (request) => {
      for (const [index, { type, value, length }] of given.entries())
        request.addParameter(nameOf(index + 1), this.driver.TYPES[type], value, length === undefined ? {} : { length });
      client.execSql(request);
    });
  }

  private batch(client: TediousConnection, sql: string): Promise<Cell[][]> {
    return this.requested(client, sql, cellsOf, (request) => client.execSqlBatch(request));
  }

  /** The server has no time limit for a statement: the gateway cancels it. */
  private requested<Row>(
    client: TediousConnection,
    sql: string,
    read: (columns: readonly TediousColumn[]) => Row,
    send: (request: TediousRequest) => void,
  ): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const rows: Row[] = [];
      const limit = setTimeout(() => client.cancel(), this.limitMs);
      const request = new this.driver.Request(sql, (error) => {
        clearTimeout(limit);
        if (error) reject(error);
        else resolve(rows);
      });
      request.on('row', (columns) => rows.push(read(columns)));
      send(request);
    });
  }
}
