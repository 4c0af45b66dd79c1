import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Description, StatementFault } from '../dialect.js';
import type { SqlSettings } from '../sql.settings.js';
import { bound, cellOf, shown } from './oracle.cells.js';
import { oracle } from './oracle.dialect.js';
import type { OracleColumn, OracleConnection, OracleDriver } from './oracle.driver.js';

type Rows = readonly (readonly unknown[])[];
const driverError = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`${code}: of Anna Lind`), { code, ...more });

/** A call of the driver's `execute`. */
interface Call {
  readonly sql: string;
  readonly binds: object;
  readonly options: { readonly fetchTypeHandler?: (column: OracleColumn) => object | undefined };
}

/** Does as the documentation of the driver says, without a database. */
class FakeDriver implements OracleDriver {
  readonly DB_TYPE_CHAR = { name: 'CHAR' };
  readonly DB_TYPE_NUMBER = { name: 'NUMBER' };
  readonly DB_TYPE_VARCHAR = { name: 'VARCHAR' };
  readonly OUT_FORMAT_ARRAY = 4001;
  readonly opened: object[] = [];
  readonly calls: Call[] = [];
  readonly ended: string[] = [];
  columns: readonly (readonly [name: string, type: string])[] = [];
  plan: Rows = [];
  isHealthy = true;
  rows: (call: Call) => Rows | Promise<Rows> = () => [['1']];

  async getConnection(attributes: object): Promise<OracleConnection> {
    this.opened.push(attributes);
    let breakOff: (error: Error) => void = () => undefined;
    return {
      callTimeout: 0,
      execute: (sql, binds, options) => {
        this.calls.push({ sql, binds, options });
        const broken = new Promise<never>((_, reject) => (breakOff = reject));
        return Promise.race([this.answer({ sql, binds, options }), broken]);
      },
      getStatementInfo: async (sql) => {
        await this.rows({ sql, binds: {}, options: {} });
        return {
          metaData: this.columns.map(([name, dbTypeName]) => ({ name, dbTypeName, dbType: this.DB_TYPE_VARCHAR })),
        };
      },
      breakExecution: async () => {
        this.ended.push('break');
        breakOff(driverError('ORA-01013'));
      },
      rollback: async () => void this.ended.push('rollback'),
      isHealthy: () => this.isHealthy,
      close: async () => void this.ended.push('close'),
    };
  }

  private async answer(call: Call): Promise<{ rows?: Rows }> {
    if (/^(ALTER SESSION|EXPLAIN PLAN)/.test(call.sql)) return {};
    return { rows: call.sql.includes('plan_table') ? this.plan : await this.rows(call) };
  }
}

const patient = (): AbortSignal => AbortSignal.timeout(60_000);

function open(driver: FakeDriver, settings: Partial<SqlSettings> = {}) {
  return oracle(driver).open({
    scheme: 'oracle',
    host: 'db.bank.example',
    database: 'CORE.bank.example',
    user: 'gateway',
    password: 'secret',
    connections: 2,
    statementTimeoutMs: 10_000,
    fileName: 'bank.yaml',
    ...settings,
  } as SqlSettings);
}

const described = (driver: FakeDriver, sql: string): Promise<Description> => open(driver).describe(sql, patient());

describe('a session', () => {
  it.each<[Partial<SqlSettings>, object]>([
    [{}, { connectString: 'tcp://db.bank.example:1521/CORE.bank.example' }],
    [{ host: '::1', port: 1600 }, { connectString: 'tcp://[::1]:1600/CORE.bank.example' }],
    [{ tls: {} }, { connectString: 'tcps://db.bank.example:2484/CORE.bank.example' }],
    [{ tls: { ca: 'ca', cert: 'cert', key: 'key' } }, { walletContent: 'key\ncert\nca' }],
  ])('of the settings %j is opened with %j', async (settings, attributes) => {
    const driver = new FakeDriver();
    await open(driver, settings).rows({ sql: 'SELECT 1 FROM dual' }, {}, patient());
    expect(driver.opened).toEqual([expect.objectContaining({ user: 'gateway', password: 'secret', ...attributes })]);
  });

  it.each([
    [{ password: undefined }, 'CORE_PASSWORD must be the password of CORE_USERNAME'],
    [{ database: 'a)(HOST=x' }, 'CORE_URL must end with the name of a service'],
    [{ tls: { ca: 'ca' } }, /^CORE_CA_FILE needs CORE_CERT_FILE and CORE_KEY_FILE .* NODE_EXTRA_CA_CERTS$/],
  ])('is not opened with settings that the driver cannot follow: %j', (settings, fault) => {
    expect(() => open(new FakeDriver(), settings as unknown as Partial<SqlSettings>)).toThrow(fault);
  });

  it('that was lost while it was idle is not used again', async () => {
    const driver = new FakeDriver();
    const database = open(driver);
    for (const isHealthy of [true, false, true]) {
      await database.rows({ sql: 'SELECT 1 FROM dual' }, {}, patient());
      driver.isHealthy = isHealthy;
    }
    expect(driver.opened).toHaveLength(2);
  });

  it('understands texts and numbers in one way, and has a limit for each call', async () => {
    const driver = new FakeDriver();
    await open(driver).rows({ sql: 'SELECT 1 FROM dual' }, {}, patient());
    expect(driver.calls[0]?.sql).toBe(
      "ALTER SESSION SET NLS_COMP = 'BINARY' NLS_SORT = 'BINARY' NLS_NUMERIC_CHARACTERS = '.,'",
    );
  });
});

describe('a read', () => {
  it('binds each occurrence of a parameter, and gets numbers as texts', async () => {
    const driver = new FakeDriver();
    const sql = `SELECT 'HH24:MI' FROM t WHERE a = :account AND b = :account AND ROWNUM <= :limit`;
    await open(driver).rows({ sql }, { account: '12', limit: 3 }, patient());
    const { sql: text, binds, options } = driver.calls[1] as Call;
    expect(text).toBe(`SELECT 'HH24:MI' FROM t WHERE a = :p1 AND b = :p2 AND ROWNUM <= :p3`);
    const account = { val: '12', type: driver.DB_TYPE_CHAR };
    expect(binds).toEqual({ p1: account, p2: account, p3: 3 });
    expect(options).toMatchObject({ outFormat: 4001, maxRows: 0 });
    const fetched = (dbType: object) => options.fetchTypeHandler?.({ name: 'X', dbTypeName: '', dbType });
    expect(fetched(driver.DB_TYPE_NUMBER)).toEqual({ type: driver.DB_TYPE_VARCHAR });
    expect(fetched(driver.DB_TYPE_CHAR)).toBeUndefined();
  });

  it('that is given up ends at once, is broken off at the server, and ends its session then', async () => {
    const driver = new FakeDriver();
    driver.rows = () => new Promise(() => undefined);
    const aborter = new AbortController();
    const reading = open(driver).rows({ sql: 'SELECT 1 FROM dual' }, {}, aborter.signal);
    while (driver.calls.length < 2) await sleep(1);
    aborter.abort();
    await expect(reading).rejects.toMatchObject({ kind: 'timeout' });
    while (driver.ended.length < 2) await sleep(1);
    expect(driver.ended).toEqual(['break', 'close']);
  });

  it.each([
    ['NJS-123', 'timeout', 'the database ended a statement at its time limit'],
    ['NJS-500', 'unavailable', 'the database cannot be reached (NJS-500)'],
    ['ORA-01555', 'unavailable', 'the database gave a statement up (ORA-01555)'],
    ['ORA-16000', 'unavailable', 'the database gave a statement up (ORA-16000)'],
    ['ORA-00942', 'bad-record', 'the database refused a statement (ORA-00942)'],
  ])('that fails with %s is %s, without the words of the database', async (code, kind, detail) => {
    const driver = new FakeDriver();
    driver.rows = () => Promise.reject(driverError(code));
    const reading = open(driver).rows({ sql: 'SELECT 1 FROM dual' }, {}, patient());
    await expect(reading).rejects.toMatchObject({ name: 'CoreError', kind, detail });
  });

  it('finds no database where the login is refused', async () => {
    const driver = new FakeDriver();
    driver.getConnection = () => Promise.reject(driverError('ORA-01017'));
    await expect(open(driver).rows({ sql: 'SELECT 1 FROM dual' }, {}, patient())).rejects.toMatchObject({
      kind: 'unavailable',
      detail: 'the database cannot be reached (ORA-01017)',
    });
  });
});

describe('the judgement of a statement', () => {
  it('has the types of its columns', async () => {
    const driver = new FakeDriver();
    driver.columns = [
      ['ACCT_NO', 'NUMBER'],
      ['NAME', 'VARCHAR2'],
      ['DAY', 'DATE'],
      ['AT', 'TIMESTAMP'],
      ['STAMP', 'TIMESTAMP WITH LOCAL TIME ZONE'],
      ['APPROX', 'BINARY_DOUBLE'],
      ['BODY', 'CLOB'],
    ];
    const kinds = (await described(driver, 'SELECT 1 FROM dual')).columns.map(({ kind }) => kind);
    expect(kinds).toEqual(['number', 'text', 'date-and-time', 'local-time', 'instant', 'other', 'other']);
  });

  it('knows by the plan which parameters are compared with numbers, and writes nothing', async () => {
    const driver = new FakeDriver();
    const predicate = `"ACCT_NO"=TO_NUMBER(SYS_CONTEXT('GATEWAY', 'P2'))`;
    driver.plan = [['TABLE ACCESS', 'BY INDEX ROWID', 'ACCOUNT', 1, 500, null, predicate]];
    const { parameters, warnings } = await described(driver, 'SELECT 1 FROM t WHERE a = :customer AND b = :account');
    expect(parameters).toEqual([
      { name: 'customer', kind: 'text' },
      { name: 'account', kind: { greatest: 10n ** 100n } },
    ]);
    expect(warnings).toEqual([]);
    expect(driver.calls[1]?.sql).toBe(
      `EXPLAIN PLAN SET STATEMENT_ID = 'account-information-gateway' FOR SELECT 1 FROM t WHERE a = SYS_CONTEXT('GATEWAY', 'P1') AND b = SYS_CONTEXT('GATEWAY', 'P2')`,
    );
    expect(driver.ended).toEqual(['rollback']);
  });

  it('names the tables that its plan reads as a whole, and a large sort', async () => {
    const driver = new FakeDriver();
    driver.plan = [
      ['SELECT STATEMENT', null, null, 101, null, null, null],
      ['SORT', 'ORDER BY STOPKEY', null, 2_000_000, null, null, null],
      ['TABLE ACCESS', 'FULL', 'TXN', 2_000_000, 2_000_000, null, null],
      ['TABLE ACCESS', 'FULL', 'HOLDER', 20, 20, null, null],
    ];
    expect((await described(driver, 'SELECT 1 FROM dual')).warnings).toEqual([
      'it reads the whole table TXN of about 2000000 rows: an index is missing',
      'it sorts many rows: an index in their order is missing',
    ]);
  });

  it('refuses it at its place in the file, without the words of the database', async () => {
    const driver = new FakeDriver();
    const sql = 'SELECT * FROM (\nSELECT *\nFROM balanse WHERE acct_no = :account\n) bank';
    driver.rows = () => Promise.reject(driverError('ORA-00942', { offset: sql.indexOf('balanse') }));
    await expect(described(driver, sql)).rejects.toEqual(
      new StatementFault(
        'near balanse, a table does not exist, or the database user of the gateway may not read it (ORA-00942)',
        3,
      ),
    );
  });
});

describe('a column', () => {
  it.each([
    ['.5', '0.5'],
    ['-.05', '-0.05'],
    ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
    ['2026-11-20T12:00:17.250000000', '2026-11-20T12:00:17.250'],
    ['2026-11-20T12:00:17.250100000Z', '2026-11-20T12:00:17.2501Z'],
    ['2026-11-20T12:00:00.000000000', '2026-11-20T12:00:00.000'],
    ['2026-11-20T12:00:17', '2026-11-20T12:00:17'],
    [true, 'true'],
    [null, null],
  ])('with %j is read as %j', (value, cell) => {
    expect(cellOf(value)).toBe(cell);
  });

  it('of a time is written by the database, because the driver knows the zone of this process only', () => {
    expect(shown('record.made_ts', 'local-time')).toBe(
      `TO_CHAR(CAST(record.made_ts AS TIMESTAMP(9)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9') AS made_ts`,
    );
    expect(shown('record.stamp', 'instant')).toContain('SYS_EXTRACT_UTC(record.stamp)');
    expect(shown('record.book_dt', 'day')).toContain(`WHEN record.book_dt = TRUNC(record.book_dt) THEN`);
    expect(shown('record.amt', 'decimal')).toBe('record.amt');
  });

  it.each([
    ['DATE', '2026-11-20', `TO_DATE(:from_time, 'YYYY-MM-DD')`, '2026-11-20'],
    ['DATE', '2026-11-20T12:00:17.001', `TO_DATE(:from_time, 'YYYY-MM-DD"T"HH24:MI:SS')`, '2026-11-20T12:00:18'],
    ['DATE', '2026-12-31T23:59:59.000', `TO_DATE(:from_time, 'YYYY-MM-DD"T"HH24:MI:SS')`, '2026-12-31T23:59:59'],
    [
      'TIMESTAMP',
      '2026-11-20T12:00:17.001',
      `TO_TIMESTAMP(:from_time, 'YYYY-MM-DD"T"HH24:MI:SS.FF')`,
      '2026-11-20T12:00:17.001',
    ],
    [
      'TIMESTAMP WITH TIME ZONE',
      '2026-11-20T12:00:17.001Z',
      `TO_TIMESTAMP_TZ(:from_time, 'YYYY-MM-DD"T"HH24:MI:SS.FFTZH:TZM')`,
      '2026-11-20T12:00:17.001+00:00',
    ],
    ['NUMBER', '20261120', ':from_time', '20261120'],
  ])('of the type %s is compared with %s as %s', (type, time, sql, value) => {
    expect(bound(':from_time', time, type)).toEqual({ sql, value });
  });
});
