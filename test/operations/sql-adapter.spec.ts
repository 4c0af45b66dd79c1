import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { contextOf } from '../../packages/adapter-kit/reads.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { TransactionPosition, TransactionQuery } from '../../packages/core-adapter/core.records.js';
import { type BankRead, readBankFile } from '../../src/core-banking/adapters/sql/bank-file.js';
import { positioned } from '../../src/core-banking/adapters/sql/named-parameters.js';
import { postgresql } from '../../src/core-banking/adapters/sql/postgresql/postgresql.dialect.js';
import { transactionStatement } from '../../src/core-banking/adapters/sql/sql.transactions.js';
import { createAdapter } from '../../src/core-banking/adapters/sql/sql.adapter.js';
import { coreFaultLine } from '../../src/observability/core-fault-line.js';
import { closedOrigin } from '../../packages/adapter-kit/injected-faults.js';
import { freePort } from '../support/free-port.js';
import { CertificateAuthority } from '../support/certificates.js';
import { memoryOfHistory } from '../support/live-memory.js';
import { ownedByPostgres, PostgresServer } from './postgres-cluster.js';
import { FilledDatabase } from '../cores/sql/filled-database.js';
import { postgresServer } from '../cores/sql/test-server.js';

const cores = join(import.meta.dirname, '../cores/sql');
const bank = readFileSync(join(cores, 'bank.yaml'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'sql-adapter-'));
let files = 0;

let server: string;
let database: FilledDatabase;
let core: pg.Client;

beforeAll(async () => {
  server = await postgresServer();
  database = await FilledDatabase.create(server, { schema: readFileSync(join(cores, 'bank.sql'), 'utf8') });
  core = new pg.Client(serverUrl());
  await core.connect();
  await core.query(`
    INSERT INTO customer VALUES (1, 1, 'One'), (2, 2, 'Two');
    INSERT INTO account VALUES (10, 10, 'GBP', 1, 'P'), (11, 10, 'BHD', 1, 'P'), (20, 10, 'GBP', 1, 'P');
    INSERT INTO holder VALUES (1, 10), (1, 11), (2, 20);
    INSERT INTO balance VALUES (10, 1, 12.34, 'D', '2026-11-20 12:00'), (11, 1, 1.234, 'C', '2026-11-20 12:00')`);
});
afterAll(async () => {
  await core.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

function serverUrl(): string {
  const { username, password } = new URL(server);
  return `postgresql://${username}:${password}@${database.address}`;
}

/** @param edits of the bank's file, each with the text that it replaces */
function fileWith(...edits: readonly (readonly [from: string, to: string])[]): string {
  let text = bank;
  for (const [from, to] of edits) {
    expect(text).toContain(from);
    text = text.replace(from, () => to);
  }
  const path = join(folder, `bank-${files++}.yaml`);
  writeFileSync(path, text);
  return path;
}

interface Opened {
  readonly file?: string;
  readonly url?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly warned?: string[];
}

function open({ file = fileWith(), url = `postgresql://${database.address}`, variables, warned = [] }: Opened = {}) {
  const { username, password } = new URL(server);
  const given = { CORE_SQL_FILE: file, CORE_USERNAME: username, CORE_PASSWORD: password, ...variables };
  const logger = { ...kitServices.logger, warn: (_: object, message: string): void => void warned.push(message) };
  return createAdapter({ url, connections: 2, variables: given }, { ...kitServices, logger });
}

async function using<T>(opened: Opened, use: (adapter: Required<CoreAdapter>) => Promise<T>): Promise<T> {
  const adapter = await open(opened);
  try {
    return await use(adapter as Required<CoreAdapter>);
  } finally {
    await adapter.close();
  }
}

describe('the start', () => {
  it.each<[string, string, string]>([
    [
      'SELECT * FROM balance WHERE',
      'SELECT * FROM balanse WHERE',
      'balances.query line 1: near balanse, a table does not exist (SQLSTATE 42P01)',
    ],
    [
      'JOIN account a ON a.acct_no',
      'JOIN account a ON a.acct_noo',
      'accounts.query line 3: near a.acct_noo, a column does not exist (SQLSTATE 42703)',
    ],
    [
      'WHERE h.cust_no = :customer',
      'WHERE h.cust_no = = :customer',
      'accounts.query line 4: the database does not understand it (SQLSTATE 42601)',
    ],
    [
      'description: narrative',
      'description: narative',
      'transactions.columns.description reads narative, which the query does not select',
    ],
    [
      'customer: cust_no',
      'customer: customer_no',
      'accounts.columns.customer reads customer_no, which the query does not select',
    ],
    [
      '{ column: as_of, as: local-time }',
      '{ column: as_of, as: instant }',
      'balances.columns.at cannot read as_of as instant: it is a time without a zone',
    ],
    [
      '{ column: book_dt, as: YYYYMMDD }',
      '{ column: book_dt, as: day }',
      'transactions.columns.at cannot read book_dt as day: it is a number',
    ],
    [
      'runningBalance: { column: bal_amt, as: decimal',
      'runningBalance: { column: amt, as: minor-units',
      'transactions.columns.runningBalance reads amt as minor-units, and another field reads it as decimal',
    ],
    [
      'SELECT * FROM balance WHERE',
      'SELECT bal_cd, amt::float8, dc_flag, as_of, limit_amt FROM balance WHERE',
      'balances.columns.amount cannot read amt as decimal: it is of a type that loses digits or has no meaning here',
    ],
    [
      'FROM payee WHERE acct_no = :account',
      'FROM payee WHERE acct_no = :account::date - CURRENT_DATE',
      'beneficiaries.query compares :account with a type that is neither text nor number',
    ],
    [
      'codes: { 10: pending',
      'codes: { P: pending',
      'transactions.query a code is not a value of the type of its column (SQLSTATE 22P02)',
    ],
    [
      'SELECT party_no, full_name FROM',
      'DELETE FROM customer WHERE cust_no = :customer; SELECT party_no, full_name FROM',
      'party.query line 1: near FROM, the database does not understand it (SQLSTATE 42601)',
    ],
  ])('refuses a file that the database cannot follow: %j as %j', async (from, to, fault) => {
    const file = fileWith([from, to]);
    const name = file.slice(folder.length + 1);
    await expect(open({ file })).rejects.toMatchObject({
      name: 'CoreSettingFault',
      message: `CORE_SQL_FILE ${name}: ${fault}`,
    });
  });

  it('refuses the queries that the database user may not read, all at once', async () => {
    await core.query(`CREATE ROLE few LOGIN PASSWORD 'few'; GRANT SELECT ON customer, account, holder, balance TO few`);
    await expect(open({ variables: { CORE_USERNAME: 'few', CORE_PASSWORD: 'few' } })).rejects.toThrow(
      /: transactions\.query the database user of the gateway may not read it \(SQLSTATE 42501\); .*standingOrders\.query [^;]*$/,
    );
    await core.query('DROP OWNED BY few; DROP ROLE few');
  });

  it('does not wait for a database that is unreachable', async () => {
    const warned: string[] = [];
    const url = (await closedOrigin()).replace('http', 'postgresql') + '/core';
    await using({ url, warned }, async (adapter) => {
      expect(warned).toEqual(['the database does not answer; it checks the file before the first read']);
      await expect(adapter.accounts(contextOf('1'))).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(adapter.health(AbortSignal.timeout(60_000))).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });

  it('leaves the judgement of the file to the first read where the database comes later', async () => {
    const port = await freePort();
    const url = `postgresql://127.0.0.1:${port}/${database.address.split('/')[1]}`;
    const bad = fileWith(['description: narrative', 'description: narative']);
    await using({ url }, (good) =>
      using({ url, file: bad }, async (adapter) => {
        const line = await forward(port, Number(new URL(server).port));
        expect((await good.accounts(contextOf('1'))).items).toHaveLength(2);
        const detail = expect.stringMatching(
          /^CORE_SQL_FILE bank-\d+\.yaml: transactions\.columns\.description reads narative/,
        );
        const fault = { kind: 'bad-record', detail };
        await expect(adapter.accounts(contextOf('1'))).rejects.toMatchObject(fault);
        await expect(adapter.health(AbortSignal.timeout(60_000))).rejects.toMatchObject(fault);
        line.close();
      }),
    );
  });

  it.each<[string, Opened, string]>([
    [
      'the password',
      { variables: { CORE_PASSWORD: 'wrong' } },
      'the database refuses the login: correct CORE_USERNAME and CORE_PASSWORD (28P01)',
    ],
    [
      'the user',
      { variables: { CORE_USERNAME: 'nobody' } },
      'the database refuses the login: correct CORE_USERNAME and CORE_PASSWORD (28P01)',
    ],
    [
      'the database',
      { url: 'elsewhere' },
      'the server has no database of this name: correct the path of CORE_URL (3D000)',
    ],
  ])('names the setting where the database answers and refuses %s', async (_, { url, ...opened }, detail) => {
    const warned: string[] = [];
    const given = url === undefined ? opened : { url: `postgresql://${database.address.split('/')[0]}/${url}` };
    await using({ ...given, warned }, async (adapter) => {
      const fault = await adapter.health(AbortSignal.timeout(60_000)).catch((error: unknown) => error);
      expect(fault).toMatchObject({ kind: 'unavailable', detail });
      expect(warned).toEqual([`${detail}; it checks the file before the first read`]);
      expect(coreFaultLine('northern-core', fault, ' at postgresql://core', ': start it')).toBe(
        `the core "northern-core" is not ready at postgresql://core: ${detail}`,
      );
    });
  });
});

describe('an amount', () => {
  it('of the core is exact, whatever the digits of its currency', async () => {
    await using({}, async (adapter) => {
      const amounts = async (ref: string) =>
        (await adapter.balances(ref, contextOf('1'))).items.map(({ amount }) => amount);
      expect(await amounts('10')).toEqual([{ minorUnits: -1234n, currency: 'GBP' }]);
      expect(await amounts('11')).toEqual([{ minorUnits: 1234n, currency: 'BHD' }]);
    });
  });

  it('finer than its currency is a bad record, and is never rounded', async () => {
    await core.query(`INSERT INTO balance VALUES (10, 2, 12.3456, 'C', '2026-11-20 12:00')`);
    await using({}, async (adapter) => {
      const { items, bad } = await adapter.balances('10', contextOf('1'));
      expect(items).toHaveLength(1);
      expect(bad).toEqual([{ where: 'balances[1]', fault: 'amt: finer than the minor unit of its currency' }]);
    });
    await core.query('DELETE FROM balance WHERE bal_cd = 2');
  });
});

describe('a read', () => {
  it('that is given up ends at the server too', async () => {
    // The planner must not run it at the start.
    const slow = `SELECT b.* FROM balance b, pg_sleep(CASE WHEN :account::integer = 10 THEN 60 ELSE 0 END) WHERE acct_no = :account`;
    const file = fileWith(['SELECT * FROM balance WHERE acct_no = :account', slow]);
    await using({ file }, async (adapter) => {
      const aborter = new AbortController();
      const reading = adapter.balances('10', contextOf('1', aborter.signal));
      await until(async () => (await sleepers()) === 1);
      aborter.abort();
      await expect(reading).rejects.toMatchObject({ kind: 'timeout' });
      await until(async () => (await sleepers()) === 0);
      expect((await adapter.balances('11', contextOf('1'))).items).toHaveLength(1);
    });
  });

  it('ends at the time limit of the database', async () => {
    const slow = `SELECT b.* FROM balance b, pg_sleep(CASE WHEN :account::integer = 10 THEN 60 ELSE 0 END) WHERE acct_no = :account`;
    const file = fileWith(['SELECT * FROM balance WHERE acct_no = :account', slow]);
    await using({ file }, async (adapter) => {
      const reading = adapter.balances('10', contextOf('1'));
      await expect(reading).rejects.toMatchObject({
        kind: 'timeout',
        detail: 'the database ended a statement at its time limit',
      });
    });
  }, 55_000);

  it('writes nothing, whatever the queries call', async () => {
    await core.query(`
      CREATE FUNCTION take(customer integer) RETURNS boolean LANGUAGE sql AS
        'DELETE FROM holder WHERE cust_no = customer; SELECT true'`);
    const file = fileWith(['WHERE cust_no = :customer', 'WHERE cust_no = :customer AND take(:customer)']);
    await using({ file }, (adapter) =>
      expect(adapter.party('10', contextOf('1'))).rejects.toMatchObject({
        kind: 'bad-record',
        detail: 'the database refused a statement (25006)',
      }),
    );
    expect((await core.query('SELECT FROM holder WHERE cust_no = 1')).rowCount).toBe(2);
  });

  it('shows no account of another customer, even where the query forgets to select by the customer', async () => {
    const file = fileWith(['WHERE h.cust_no = :customer', 'WHERE h.cust_no = :customer OR true']);
    await using({ file }, async (adapter) => {
      expect((await adapter.accounts(contextOf('1'))).items.map(({ ref }) => ref)).toEqual(['10', '11']);
      await expect(adapter.account('20', contextOf('1'))).rejects.toMatchObject({ kind: 'account-not-found' });
      await expect(adapter.balances('20', contextOf('1'))).rejects.toMatchObject({ kind: 'account-not-found' });
    });
  });

  it('fails where the query has two rows of an account', async () => {
    const file = fileWith([
      'WHERE h.cust_no = :customer',
      'JOIN (VALUES (1), (2)) twice ON true WHERE h.cust_no = :customer',
    ]);
    await using({ file }, (adapter) =>
      expect(adapter.balances('10', contextOf('1'))).rejects.toMatchObject({
        kind: 'bad-record',
        detail: 'accounts: several rows of one account',
      }),
    );
  });

  it('fails where a list has more rows than any account can have', async () => {
    const file = fileWith(['FROM payee WHERE', 'FROM payee, generate_series(1, 10001) WHERE']);
    await core.query(`INSERT INTO payee VALUES (10, 1, 1, '20000055779911')`);
    await using({ file }, (adapter) =>
      expect(adapter.beneficiaries('10', contextOf('1'))).rejects.toMatchObject({
        kind: 'bad-record',
        detail: 'beneficiaries: more than 10000 rows',
      }),
    );
  });
});

it('transactions with microseconds are paged by milliseconds and ids, without loss, from either side', async () => {
  await core.query(`
    CREATE TABLE fine (acct_no integer, id text, at timestamptz, amt numeric(19, 4));
    INSERT INTO fine SELECT 10, lpad(((n * 37) % 211)::text, 3, '0'),
      timestamptz '2026-06-01 12:00Z' + (n / 20) * interval '1 millisecond' + (n * 7 % 20) * interval '50 microseconds', 1
    FROM generate_series(0, 199) n`);
  const file = fileWith([
    bank.slice(bank.indexOf('transactions:'), bank.indexOf('party:')),
    `transactions:
  query: SELECT * FROM fine WHERE acct_no = :account
  columns:
    id: id
    status: { value: booked }
    at: { column: at, as: instant }
    amount: { column: amt, as: decimal }

`,
  ]);
  await using({ file }, async (adapter) => {
    for (const read of ['older', 'newer'] as const) {
      const all = await pages(adapter, { read, limit: 1000 });
      expect(all).toHaveLength(200);
      expect(all).toEqual(all.toSorted(read === 'older' ? (a, b) => compare(b, a) : compare));
      for (const limit of [1, 3, 7, 19, 20, 21]) expect(await pages(adapter, { read, limit })).toEqual(all);
    }
  });
});

it('two transactions with one time and one id are one transaction and a bad record, at the edge of a page too', async () => {
  await core.query(`
    CREATE TABLE posting (acct_no integer, no integer, at timestamptz, amt numeric(19, 4));
    CREATE TABLE reservation (LIKE posting);
    INSERT INTO posting SELECT 10, n, timestamptz '2026-06-01 12:00Z' - n * interval '1 hour', 1 FROM generate_series(1, 26) n;
    INSERT INTO reservation SELECT acct_no, no, at, 2 FROM posting WHERE no = 25`);
  const file = fileWith([
    bank.slice(bank.indexOf('transactions:'), bank.indexOf('party:')),
    `transactions:
  query: |
    SELECT acct_no, no, at, amt, 'B' AS kind FROM posting WHERE acct_no = :account
    UNION ALL SELECT acct_no, no, at, amt, 'P' FROM reservation WHERE acct_no = :account
  columns:
    id: no
    status: { column: kind, codes: { B: booked, P: pending } }
    at: { column: at, as: instant }
    amount: { column: amt, as: decimal }

`,
  ]);
  await using({ file }, async (adapter) => {
    for (const limit of [24, 25, 26, 100]) {
      let [rows, bad] = [0, 0];
      for (let position: TransactionPosition | undefined; ;) {
        const page = await adapter.transactions('10', { read: 'older', limit, position }, contextOf('1'));
        expect(page.items.length).toBeLessThanOrEqual(limit);
        [rows, bad] = [rows + page.items.length, bad + page.bad.length];
        for (const { fault } of page.bad) expect(fault).toBe('no: it has the id of a record before it');
        const last = page.items.at(-1);
        if (!page.more || last === undefined) break;
        position = { atMs: (last.at as Date).getTime(), id: last.id };
      }
      expect([limit, rows, bad]).toEqual([limit, 26, 1]);
    }
  });
});

describe('a million transactions on one account', () => {
  const file = readBankFile(bank);

  beforeAll(async () => {
    await core.query(`
      INSERT INTO txn (acct_no, seq_no, stat_cd, book_dt, amt, dc_flag)
      SELECT 10, n, 20, to_char(date '2020-01-01' + n / 500, 'YYYYMMDD')::integer, 1, 'D' FROM generate_series(1, 1000000) n`);
    await core.query('VACUUM ANALYZE txn');
  });

  it('are read from the middle', async () => {
    await using({}, async (adapter) => {
      const position = { atMs: Date.parse('2022-09-27T00:00:00Z'), id: '500000' };
      const { items, more } = await adapter.transactions('10', { read: 'older', limit: 3, position }, contextOf('1'));
      // By code unit of the ids of one day: 499999 is the last before 500000, which is the first of the next day.
      expect(items.map(({ id }) => id)).toEqual(['499999', '499998', '499997']);
      expect(more).toBe(true);
    });
  });

  it.each<[string, Partial<TransactionQuery>]>([
    ['the newest', {}],
    ['the oldest', { read: 'newer' }],
    ['older than a row', { position: { atMs: Date.parse('2022-09-27T00:00:00Z'), id: '500000' } }],
    ['newer than a row', { read: 'newer', position: { atMs: Date.parse('2022-09-27T00:00:00Z'), id: '500000' } }],
    [
      'debits that are booked, of some years',
      { direction: 'debit', status: 'booked', from: new Date('2021-01-01'), to: new Date('2024-01-01') },
    ],
  ])('cost a page the rows of a few days only: %s', async (_, query) => {
    const read = file.reads.transactions as BankRead;
    const search = { read: 'older', limit: 100, ...query } as const;
    const { statement, parameters } = transactionStatement({ file, read, dialect: postgresql }, search, 101);
    const { text, names } = positioned(statement.sql, (position) => `$${position}`);
    const given: Readonly<Record<string, unknown>> = { ...parameters, customer: 1, account: 10 };
    const { rows } = await core.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      names.map((name) => given[name]),
    );
    const [{ Plan: plan }] = rows[0]?.['QUERY PLAN'] as [{ Plan: PlanNode }];
    // A day has 500 rows.
    expect(Math.max(...rowsRead(plan))).toBeGreaterThanOrEqual(101);
    expect(Math.max(...rowsRead(plan))).toBeLessThanOrEqual(2_000);
  });

  it('are read page by page with the memory of a few pages', async () => {
    await core.query(`
      INSERT INTO txn (acct_no, seq_no, stat_cd, book_dt, amt, dc_flag)
      SELECT 20, 2000000 + n, 20, to_char(date '2020-01-01' + n / 50, 'YYYYMMDD')::integer, 1, 'D' FROM generate_series(1, 50000) n`);
    await using({}, async (adapter) => {
      const { rows, grown } = await memoryOfHistory(adapter, { customerRef: '2', accountRef: '20' });
      expect(rows).toBe(50_000);
      // The rows of the whole history take several times as much.
      expect(grown).toBeLessThan(4 * 1024 * 1024);
    });
  });
});

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows that each step of a plan has read. */
function rowsRead(node: PlanNode): number[] {
  const removed = node['Rows Removed by Filter'] ?? 0;
  return [(node['Actual Rows'] + removed) * node['Actual Loops'], ...(node.Plans ?? []).flatMap(rowsRead)];
}

describe('over TLS', () => {
  let tls: PostgresServer;
  const authority = new CertificateAuthority();
  const stranger = new CertificateAuthority('another authority');
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const clientOf = (name: string) => {
    const { certificatePem, keyPem } = authority.issue(name);
    return { CORE_CERT_FILE: write(`${name}.pem`, certificatePem), CORE_KEY_FILE: write(`${name}.key`, keyPem) };
  };

  beforeAll(async () => {
    tls = await PostgresServer.start();
    const { certificatePem, keyPem } = authority.issue('127.0.0.1');
    await Promise.all(
      Object.entries({ 'server.crt': certificatePem, 'server.key': keyPem, 'root.crt': authority.certificatePem }).map(
        async ([name, text]) => {
          await writeFile(join(tls.data, name), text, { mode: 0o600 });
          await ownedByPostgres(join(tls.data, name));
        },
      ),
    );
    await tls.configure('ssl = on', "ssl_ca_file = 'root.crt'");
    await writeFile(
      join(tls.data, 'pg_hba.conf'),
      'hostssl all all 127.0.0.1/32 cert\nhostnossl all all 127.0.0.1/32 reject\n',
    );
    await tls.reload();
  });
  afterAll(() => tls.remove());

  const opened = (variables: Readonly<Record<string, string>>) => ({
    url: `postgresql://${tls.address}/postgres`,
    variables: { CORE_USERNAME: 'gateway', CORE_CA_FILE: write('ca.pem', authority.certificatePem), ...variables },
  });

  it('the database knows the gateway by its certificate', async () => {
    // It has no tables: it judges the file.
    await expect(open(opened(clientOf('gateway')))).rejects.toThrow(/a table does not exist \(SQLSTATE 42P01\)$/);
  });

  it('reads its certificates again, and ends no statement under way', async () => {
    const login = { CORE_CA_FILE: write('ca.pem', authority.certificatePem), ...clientOf('gateway') };
    const ssl = {
      ca: authority.certificatePem,
      cert: readFileSync(login.CORE_CERT_FILE),
      key: readFileSync(login.CORE_KEY_FILE),
    };
    const watcher = new pg.Client({ connectionString: tls.url(), ssl });
    await watcher.connect();
    await watcher.query('CREATE DATABASE bank');
    // Another client, because a transaction sees the sessions as they were at its first look.
    const owner = new pg.Client({ connectionString: tls.url('bank'), ssl });
    await owner.connect();
    const sessions = async (): Promise<unknown[]> => {
      const { rows } = await watcher.query<{ serial: string }>(
        `SELECT client_serial AS serial FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
         WHERE application_name = 'account-information-gateway' ORDER BY backend_start`,
      );
      return rows.map(({ serial }) => BigInt(serial).toString(16).toUpperCase());
    };
    const serialOf = (path: string): string => new X509Certificate(readFileSync(path)).serialNumber.replace(/^0+/, '');
    try {
      await owner.query(readFileSync(join(cores, 'bank.sql'), 'utf8'));
      const url = `postgresql://${tls.address}/bank`;
      await using({ ...opened(login), url }, async (adapter) => {
        const health = () => adapter.health(AbortSignal.timeout(60_000));
        await health();
        const before = serialOf(login.CORE_CERT_FILE);
        expect(await sessions()).toEqual([before]);

        writeFileSync(login.CORE_KEY_FILE, 'no key');
        expect(() => adapter.renewCertificates()).toThrow(
          'CORE_KEY_FILE must be a PEM file with a private key that is not encrypted',
        );
        await health();
        expect(await sessions()).toEqual([before]);

        clientOf('gateway');
        const after = serialOf(login.CORE_CERT_FILE);
        await owner.query('BEGIN; LOCK TABLE customer, account, holder IN ACCESS EXCLUSIVE MODE');
        const underWay = adapter.accounts(contextOf('1'));
        await until(async () => (await waiting(watcher)) === 1);
        adapter.renewCertificates()();
        await health();
        expect(await sessions()).toEqual([before, after]);
        await owner.query('COMMIT');
        expect((await underWay).items).toEqual([]);
        await health();
        await until(async () => (await sessions()).length === 1);
        expect(await sessions()).toEqual([after]);
      });
    } finally {
      await Promise.all([owner.end(), watcher.end()]);
    }
  });

  it.each<[string, () => Readonly<Record<string, string>>]>([
    ['a client without a certificate', () => ({})],
    ['a certificate of another user', () => clientOf('other')],
    [
      'a server of another authority',
      () => ({ ...clientOf('gateway'), CORE_CA_FILE: write('x.pem', stranger.certificatePem) }),
    ],
  ])('%s has no connection', async (_, variables) => {
    await using(opened(variables()), (adapter) =>
      expect(adapter.health(AbortSignal.timeout(60_000))).rejects.toMatchObject({ kind: 'unavailable' }),
    );
  });
});

/** Every row's place, page by page, in the direction of reading. */
async function pages(adapter: Required<CoreAdapter>, query: TransactionQuery): Promise<TransactionPosition[]> {
  const found: TransactionPosition[] = [];
  for (let position: TransactionPosition | undefined; ;) {
    const { items, more } = await adapter.transactions('10', { ...query, position }, contextOf('1'));
    const places = items.map(({ id, at }) => ({ id, atMs: (at as Date).getTime() }));
    found.push(...(query.read === 'older' ? places : places.reverse()));
    position = found.at(-1);
    if (!more) return found;
  }
}

function compare(one: TransactionPosition, other: TransactionPosition): number {
  return one.atMs - other.atMs || (one.id < other.id ? -1 : 1);
}

/** Passes the connections of one port on to another port. */
async function forward(from: number, to: number): Promise<Server> {
  const line = createServer((socket) => {
    const target = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
    }
  });
  line.listen(from, '127.0.0.1');
  await once(line, 'listening');
  return line;
}

async function sleepers(): Promise<number> {
  const { rowCount } = await core.query(
    `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND pid <> pg_backend_pid()`,
  );
  return rowCount ?? 0;
}

async function waiting(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
  return rowCount ?? 0;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}
