import type { TlsTerms } from '../../../../../packages/core-adapter/tls-files.js';
import { Connections } from '../connections.js';
import type { Cell, Description, Parameters, SqlDatabase, Statement } from '../dialect.js';
import { Texts } from '../named-parameters.js';
import type { SqlSettings } from '../sql.settings.js';
import { cellKind, cellOf } from './oracle.cells.js';
import type { OracleColumn, OracleConnection, OracleDriver } from './oracle.driver.js';
import { oracleFaults, statementFault } from './oracle.faults.js';
import { planOf } from './oracle.plans.js';
import { OracleSession, refuseUnknown } from './oracle.session.js';

/** How many rows the database sends at a time. */
const batch = 1_000;

/**
 * Each read is one SELECT, in which the database lets no function write unless the function begins a separate transaction. A
 * read-only transaction would not stop such a function either.
 */
export class OracleDatabase implements SqlDatabase {
  private readonly connections: Connections<Promise<OracleConnection>>;
  private readonly texts = new Texts((position) => `:p${position}`);

  constructor(
    private readonly driver: OracleDriver,
    private readonly settings: SqlSettings,
  ) {
    refuseUnknown(settings);
    this.connections = new Connections(settings.connections, () => new OracleSession(driver, settings), oracleFaults);
  }

  useCertificates(tls: TlsTerms): void {
    this.connections.reopen(() => new OracleSession(this.driver, { ...this.settings, tls }));
  }

  rows({ sql }: Statement, parameters: Parameters, signal: AbortSignal): Promise<Cell[][]> {
    const { text, names } = this.texts.of(sql);
    const binds = Object.fromEntries(
      names.map((name, index) => [`p${index + 1}`, this.bindOf(parameters[name] as string | number)]),
    );
    const options = {
      outFormat: this.driver.OUT_FORMAT_ARRAY,
      // No limit: the statement has one.
      maxRows: 0,
      fetchArraySize: batch,
      fetchTypeHandler: this.fetchedAs,
    };
    return this.connections.use(signal, async (client) => {
      const { rows = [] } = await (await client).execute(text, binds, options);
      return rows.map((row) => row.map(cellOf));
    });
  }

  describe(sql: string, signal: AbortSignal): Promise<Description> {
    const { text, names } = this.texts.of(sql);
    return this.connections.use(signal, async (client) => {
      const connection = await client;
      const { metaData = [] } = await connection.getStatementInfo(text).catch((error: unknown) => {
        throw statementFault(error, text);
      });
      const { kinds, warnings } = await planOf(connection, sql).catch((error: unknown) => {
        throw statementFault(error);
      });
      return {
        columns: metaData.map(({ name, dbTypeName: type }) => ({ name, kind: cellKind(type), type })),
        parameters: names.map((name, index) => ({ name, kind: kinds[index] ?? 'text' })),
        warnings,
      };
    });
  }

  close(): Promise<void> {
    return this.connections.close();
  }

  /** A text of this type equals one that the database has padded, and one that it has not. */
  private bindOf(value: string | number): unknown {
    return typeof value === 'number' ? value : { val: value, type: this.driver.DB_TYPE_CHAR };
  }

  /** A JavaScript number would lose digits. */
  private readonly fetchedAs = ({ dbType }: OracleColumn): object | undefined =>
    dbType === this.driver.DB_TYPE_NUMBER ? { type: this.driver.DB_TYPE_VARCHAR } : undefined;
}
