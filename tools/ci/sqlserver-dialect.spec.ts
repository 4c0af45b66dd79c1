import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import tedious from 'tedious';
import { readBankFile } from '../../src/core-banking/adapters/sql/bank-file.js';
import { type Cell, StatementFault } from '../../src/core-banking/adapters/sql/dialect.js';
import { sqlserver } from '../../src/core-banking/adapters/sql/sqlserver/sqlserver.dialect.js';
import type { Tedious } from '../../src/core-banking/adapters/sql/sqlserver/sqlserver.driver.js';
import type { SqlSettings } from '../../src/core-banking/adapters/sql/sql.settings.js';
import type { Asked } from '../../test/cores/sql/tds-messages.js';
import { type Reply, TdsServer } from '../../test/cores/sql/tds-server.js';
import { CertificateAuthority } from '../../test/support/certificates.js';

const patient = (): AbortSignal => AbortSignal.timeout(60_000);
const dialect = sqlserver(tedious as unknown as Tedious);
const ofType = (type: string, ...values: (string | null)[]): Reply => ({
  columns: [{ name: 'value', type }],
  rows: values.map((value) => [value]),
});

let server: TdsServer | undefined;
let opened: ReturnType<typeof dialect.open> | undefined;
afterEach(async () => {
  await opened?.close();
  await server?.close();
  [opened, server] = [undefined, undefined];
});

/** The types of the parameters by their numbers, the columns and the plan of a statement; and the rows. */
interface Core {
  readonly types?: readonly string[];
  readonly columns?: readonly (readonly [name: string, type: string])[];
  readonly plan?: Reply;
  readonly rows?: (asked: Asked) => Reply | Promise<Reply>;
}

function replyOf({ types = [], columns = [], plan = ofType('nvarchar(max)', '<ShowPlanXML/>'), rows }: Core) {
  let isPlanning = false;
  return (asked: Asked): Reply | Promise<Reply> => {
    if (asked.sql.startsWith('SET SHOWPLAN_XML')) {
      isPlanning = asked.sql.endsWith('ON');
      return 'nothing';
    }
    if (isPlanning) return plan;
    if (asked.sql.includes('sp_describe_undeclared_parameters')) {
      const names = String(asked.values['@p1']).match(/@p\d+/g) ?? [];
      const undeclared = names.filter((name) => !String(asked.values['@p2']).includes(`${name} `));
      return {
        columns: [
          { name: 'name', type: 'nvarchar(128)' },
          { name: 'suggested_system_type_name', type: 'nvarchar(256)' },
        ],
        rows: undeclared.map((name) => [name, types[Number(name.slice(2)) - 1] ?? 'nvarchar(4000)']),
      };
    }
    if (asked.sql.includes('sp_describe_first_result_set'))
      return {
        columns: [
          { name: 'name', type: 'nvarchar(128)' },
          { name: 'system_type_name', type: 'nvarchar(256)' },
        ],
        rows: columns,
      };
    return rows?.(asked) ?? ofType('int', '1');
  };
}

async function open(core: Core, settings: Partial<SqlSettings> = {}, tls?: { cert: string; key: string }) {
  server = await TdsServer.start(replyOf(core), tls === undefined ? {} : { tls });
  opened = dialect.open({
    scheme: 'sqlserver',
    host: '127.0.0.1',
    port: server.port,
    database: 'core',
    user: 'gateway',
    password: 'secret',
    connections: 2,
    statementTimeoutMs: 10_000,
    fileName: 'bank.yaml',
    file: readBankFile(''.concat(minimalFile)),
    tlsFiles: {},
    ...settings,
  });
  return { server, database: opened };
}

const minimalFile = `
name: small
pending: none
accounts: { query: "SELECT * FROM account WHERE cust_no = :customer", columns: { customer: cust_no, ref: acct_no, product: { value: Savings }, currency: { value: GBP }, permitted: { value: true }, holder: { value: personal } } }
missing: { balances: a, transactions: a, party: a, offers: a, scheduledPayments: a, beneficiaries: a, statements: a, directDebits: a, standingOrders: a, product: a }
`;

/** The values of a column of one type, as the adapter gets them. */
async function read(type: string, ...values: (string | null)[]): Promise<(Cell | undefined)[]> {
  const { database } = await open({ rows: () => ofType(type, ...values) });
  return (await database.rows({ sql: 'SELECT 1' }, {}, patient())).map(([cell]) => cell);
}

describe('a value', () => {
  it.each<[type: string, values: (string | null)[]]>([
    ['decimal(19,4)', ['0.0000', '12.3400', '-0.0001', '-12.3456', '399999999999.9999', null]],
    ['decimal(9,2)', ['9999999.99', '-9999999.99']],
    ['decimal(28,0)', ['4000000000000000']],
    ['decimal(38,4)', ['12.3456', '-399999999999.9999']],
    ['money', ['0.0000', '-0.0001', '123456789.0123', '-399999999999.9999', null]],
    ['int', ['-2147483648', '2147483647', null]],
    ['bigint', ['9223372036854775807', '-9223372036854775808', null]],
    ['tinyint', ['255']],
    ['bit', ['true', 'false', null]],
    ['nvarchar(40)', ['茶館 😀', '', ' ', null]],
    ['nvarchar(max)', ['x'.repeat(100_000), '', null]],
    ['varchar(40)', ['café', null]],
    ['date', ['2026-11-20', '0001-01-01', '9999-12-31', null]],
    ['uniqueidentifier', ['6F9619FF-8B86-D011-B42D-00C04FC964FF', null]],
  ])('of the type %s is as the database has it', async (type, values) => {
    expect(await read(type, ...values)).toEqual(values);
  });

  it.each([
    ['datetime2(7)', '2026-11-20T12:00:17.2501234', '2026-11-20T12:00:17.2501234'],
    ['datetime2(7)', '2026-11-20T12:00:17.2500000', '2026-11-20T12:00:17.250'],
    ['datetime2(0)', '2026-11-20T23:59:59', '2026-11-20T23:59:59.000'],
    ['datetime', '2026-11-20T12:00:17.007', '2026-11-20T12:00:17.007'],
    ['datetime', '1899-12-31T23:59:59.997', '1899-12-31T23:59:59.997'],
    ['datetimeoffset(3)', '2026-11-20T12:00:17.250', '2026-11-20T12:00:17.250Z'],
    ['datetimeoffset(7)', '2026-11-20T12:00:17.2500001', '2026-11-20T12:00:17.2500001Z'],
  ])('of the type %s, %s, is %s', async (type, value, shown) => {
    expect(await read(type, value)).toEqual([shown]);
  });

  it.each([
    ['decimal(19,4)', '400000000000.0001'],
    ['decimal(38,0)', '-9007199254740993'],
    ['decimal(38,18)', '1.000000000000000001'],
    ['money', '922337203685477.5807'],
  ])('of the type %s with more digits than the driver keeps is no number: %s', async (type, value) => {
    expect(await read(type, value)).toEqual(['more digits than the driver reads exactly']);
  });
});

describe('a statement', () => {
  it('has a value for each occurrence of a parameter, of the type of its column', async () => {
    const asked: Asked[] = [];
    const rows = (one: Asked): Reply => {
      asked.push(one);
      return ofType('int', '1');
    };
    const { database } = await open({ types: ['varchar(8000)', 'int', 'nvarchar(4000)'], rows });
    const sql = `SELECT ':not' FROM t WHERE a = :account AND b = :account AND c = :customer -- :nor\nOFFSET 0 ROWS FETCH NEXT :limit ROWS ONLY`;
    for (const account of ['12', "1'; DROP TABLE t --"])
      await database.rows({ sql }, { account, customer: '茶', limit: 3 }, patient());
    expect(asked.map(({ values }) => values)).toEqual([
      { '@p1': '12', '@p2': '12', '@p3': '茶', '@p4': 3 },
      { '@p1': "1'; DROP TABLE t --", '@p2': "1'; DROP TABLE t --", '@p3': '茶', '@p4': 3 },
    ]);
    // The same for values of any length, so that the server plans the statement once.
    const declared = '@p1 varchar(8000), @p2 nvarchar(4000), @p3 nvarchar(4000), @p4 int';
    expect(asked.map((one) => one.declared)).toEqual([declared, declared]);
    expect(asked[0]?.sql).toBe(
      `SELECT ':not' FROM t WHERE a = @p1 AND b = @p2 AND c = @p3 -- :nor\nOFFSET 0 ROWS FETCH NEXT @p4 ROWS ONLY`,
    );
  });

  it('asks for a read-only replica, as the user and in the database of the settings', async () => {
    const { server: core, database } = await open({});
    await database.rows({ sql: 'SELECT 1' }, {}, patient());
    expect(core.logins).toEqual([{ user: 'gateway', database: 'core', isReadOnly: true }]);
  });

  it('that is given up ends at once, and then at the server', async () => {
    const { server: core, database } = await open({
      rows: ({ sql }) => (sql === 'SELECT 60' ? 'never' : ofType('int', '1')),
    });
    await database.rows({ sql: 'SELECT 1' }, {}, patient());
    const aborter = new AbortController();
    const reading = database.rows({ sql: 'SELECT 60' }, {}, aborter.signal);
    await sleep(50);
    aborter.abort();
    await expect(reading).rejects.toMatchObject({ kind: 'timeout' });
    while (core.cancels === 0 || core.connections > 0) await sleep(5);
    expect(await database.rows({ sql: 'SELECT 1' }, {}, patient())).toEqual([['1']]);
  });

  it('ends at the limit of statements, and its session goes on', async () => {
    const { server: core, database } = await open(
      { rows: ({ sql }) => (sql === 'SELECT 60' ? 'never' : ofType('int', '1')) },
      { statementTimeoutMs: 200 },
    );
    await expect(database.rows({ sql: 'SELECT 60' }, {}, patient())).rejects.toMatchObject({
      kind: 'timeout',
      detail: 'the database ended a statement at its time limit',
    });
    expect(core.cancels).toBe(1);
    await database.rows({ sql: 'SELECT 1' }, {}, patient());
    expect(core.logins).toHaveLength(1);
  });

  it.each<[Reply, string, string]>([
    ['gone', 'unavailable', 'the database cannot be reached (ESOCKET)'],
    [
      { errors: [{ number: 1205, class: 13, message: 'of Anna' }] },
      'unavailable',
      'the database gave a statement up (1205)',
    ],
    [
      { errors: [{ number: 8645, class: 17, message: 'of Anna' }] },
      'unavailable',
      'the database gave a statement up (8645)',
    ],
    [
      { errors: [{ number: 245, class: 16, message: 'of Anna' }] },
      'bad-record',
      'the database refused a statement (245)',
    ],
    [
      { errors: [208, 8180].map((number) => ({ number, class: 16, message: 'of Anna' })) },
      'bad-record',
      'the database refused a statement (208)',
    ],
  ])('that fails as %j is %s, without the words of the database', async (reply, kind, detail) => {
    const { database } = await open({ rows: () => reply });
    const failing = database.rows({ sql: 'SELECT 1' }, {}, patient());
    await expect(failing).rejects.toMatchObject({ name: 'CoreError', kind });
    const { message, detail: said = message } = (await failing.catch((error: unknown) => error)) as Error & {
      detail?: string;
    };
    expect(said).toMatch(
      reply === 'gone' ? /^the database cannot be reached \((ESOCKET|ECLOSE|ECONNRESET)\)$/ : detail,
    );
  });

  it('finds a new session where the idle one was lost', async () => {
    const { server: core, database } = await open({});
    for (let round = 0; round < 3; round++) {
      await database.rows({ sql: 'SELECT 1' }, {}, patient());
      core.cut();
      while (core.connections > 0) await sleep(5);
    }
    expect(core.logins).toHaveLength(3);
  });

  it('waits for one of the sessions', async () => {
    const waiting: ((reply: Reply) => void)[] = [];
    const { server: core, database } = await open({ rows: () => new Promise((resolve) => waiting.push(resolve)) });
    const reading = Array.from({ length: 5 }, () => database.rows({ sql: 'SELECT 1' }, {}, patient()));
    for (let answered = 0; answered < 5;) {
      expect(core.connections).toBeLessThanOrEqual(2);
      const next = waiting.shift();
      if (next === undefined) await sleep(5);
      else {
        next(ofType('int', '1'));
        answered++;
      }
    }
    expect(await Promise.all(reading)).toHaveLength(5);
    expect(core.logins).toHaveLength(2);
  });

  it('has no answer after the adapter was closed', async () => {
    const { server: core, database } = await open({ rows: () => 'never' });
    const reading = database.rows({ sql: 'SELECT 1' }, {}, patient());
    await sleep(50);
    await Promise.all([database.close(), expect(reading).rejects.toMatchObject({ name: 'CoreError' })]);
    while (core.connections > 0) await sleep(5);
    await expect(database.rows({ sql: 'SELECT 1' }, {}, patient())).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('the judgement of a statement', () => {
  it('has the types of its columns and parameters', async () => {
    const columns = [
      ['id', 'bigint'],
      ['amt', 'decimal(19,4)'],
      ['fine', 'decimal(38,10)'],
      ['approx', 'float'],
      ['at', 'datetime'],
      ['stamp', 'datetimeoffset(7)'],
      ['day', 'date'],
      ['label', 'nvarchar(max)'],
      ['body', 'xml'],
    ] as const;
    const { database } = await open({
      columns,
      types: ['varchar(8000)', 'int', 'decimal(10,0)', 'uniqueidentifier', 'date'],
    });
    const found = await database.describe('SELECT :a, :b, :c, :d, :e', patient());
    expect(found.columns.map(({ kind }) => kind)).toEqual([
      'number',
      'number',
      'too-fine',
      'other',
      'local-time',
      'instant',
      'day',
      'text',
      'other',
    ]);
    expect(found.columns[4]).toMatchObject({ name: 'at', type: 'datetime' });
    expect(found.parameters).toEqual([
      { name: 'a', kind: 'text' },
      { name: 'b', kind: { greatest: 2_147_483_647n } },
      { name: 'c', kind: { greatest: 9_999_999_999n } },
      { name: 'd', kind: 'uuid' },
      { name: 'e', kind: 'other' },
    ]);
    expect(found.warnings).toEqual([]);
  });

  it('names the tables that its plan reads as a whole, and a large sort', async () => {
    const step = (attributes: string, inside: string): string => `<RelOp NodeId="0" ${attributes}>${inside}</RelOp>`;
    const scan = step(
      'PhysicalOp="Clustered Index Scan" EstimateRows="2e+06" TableCardinality="2000000"',
      '<IndexScan><Object Database="[core]" Schema="[dbo]" Table="[txn]" Index="[pk]"/></IndexScan>',
    );
    const small = step(
      'PhysicalOp="Table Scan" EstimateRows="20" TableCardinality="20"',
      '<TableScan><Object Database="[core]" Schema="[dbo]" Table="[holder]"/></TableScan>',
    );
    const plan =
      step('PhysicalOp="Sort" LogicalOp="TopN Sort" EstimateRows="101"', `<TopSort>${scan}</TopSort>`) + small;
    const { database } = await open({ plan: ofType('nvarchar(max)', `<ShowPlanXML>${plan}</ShowPlanXML>`) });
    expect((await database.describe('SELECT 1', patient())).warnings).toEqual([
      'it reads the whole table txn of about 2000000 rows: an index is missing',
      'it sorts many rows: an index in their order is missing',
    ]);
  });

  it('says where the user may not see the plan', async () => {
    const { database } = await open({ plan: { errors: [{ number: 262, class: 14, message: 'SHOWPLAN' }] } });
    const { warnings } = await database.describe('SELECT 1', patient());
    expect(warnings).toEqual(['its plan is not judged: the database user lacks the right SHOWPLAN']);
    // The session runs statements again.
    expect(await database.rows({ sql: 'SELECT 1' }, {}, patient())).toEqual([['1']]);
  });

  it.each([
    [208, 'a table does not exist (error 208)'],
    [229, 'the database user of the gateway may not read it (error 229)'],
    [11506, 'the type of a parameter is unknown: cast it (error 11506)'],
    [4711, 'the database refuses it (error 4711)'],
  ])('refuses it, without the words of the database: %i', async (number, fault) => {
    const { database } = await open({
      plan: { errors: [{ number, class: 16, message: 'Invalid object name secret.' }] },
    });
    await expect(database.describe('SELECT 1', patient())).rejects.toEqual(new StatementFault(fault));
  });
});

describe('the connection', () => {
  const authority = new CertificateAuthority();
  const certified = (by = authority) => {
    const { certificatePem: cert, keyPem: key } = by.issue('127.0.0.1');
    return { cert, key };
  };
  const tls = { ca: authority.certificatePem };

  it('has TLS that verifies the server', async () => {
    const { server: core, database } = await open({}, { tls }, certified());
    expect(await database.rows({ sql: 'SELECT 1' }, {}, patient())).toEqual([['1']]);
    expect(core.logins).toHaveLength(1);
  });

  it.each<[string, { cert: string; key: string } | undefined]>([
    ['a server of another authority', certified(new CertificateAuthority('another authority'))],
    ['a server that says that it has no TLS', undefined],
  ])('sends no password to %s', async (_, server) => {
    const { server: core, database } = await open({}, { tls }, server);
    await expect(database.rows({ sql: 'SELECT 1' }, {}, patient())).rejects.toMatchObject({ kind: 'unavailable' });
    expect(core.logins).toEqual([]);
  });

  it('with a wrong password is a database that is away', async () => {
    const { database } = await open({}, { password: 'wrong' });
    await expect(database.rows({ sql: 'SELECT 1' }, {}, patient())).rejects.toMatchObject({
      kind: 'unavailable',
      detail: 'the database cannot be reached (ELOGIN)',
    });
  });

  it.each([
    [{ tls: { cert: 'c', key: 'k' } }, 'CORE_CERT_FILE must not be set: SQL Server knows no client by a certificate'],
    [{ password: undefined }, 'CORE_PASSWORD must be the password of CORE_USERNAME'],
  ])('refuses settings that the server cannot follow: %j', async (settings, fault) => {
    await expect(open({}, settings as unknown as Partial<SqlSettings>)).rejects.toThrow(fault);
  });
});
