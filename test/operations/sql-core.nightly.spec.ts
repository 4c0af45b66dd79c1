// Nightly: it runs the kit on four more layouts of a core’s tables; each change runs it for the ledger.
import { afterAll, describe, expect, it } from '@jest/globals';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCoreAdapter, type ClauseId, describeCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import { kit, kitOfBank, kitOfFile } from '../cores/sql/sql.kit.js';

const cores = join(import.meta.dirname, '../cores/sql');
const folder = mkdtempSync(join(tmpdir(), 'sql-core-'));
afterAll(() => rmSync(folder, { recursive: true }));

await describeCoreAdapter('sql, with codes, flags and days in numbers', kit);
await describeCoreAdapter('sql, with texts, instants and minor units', kitOfFile(join(cores, 'views.yaml')));
await describeCoreAdapter('sql, with several fields in one column and one row', kitOfFile(join(cores, 'joined.yaml')));
await describeCoreAdapter('sql, with local times', kitOfFile(inLocalTimes()));

it('a file that takes debits for credits fails by its examples alone, because the kit fills the database by that file', async () => {
  for (const name of ['bank.sql', 'customer.sql', 'bank.examples.yaml'])
    copyFileSync(join(cores, name), join(folder, name));
  const right = readFileSync(join(cores, 'bank.yaml'), 'utf8');
  const wrong = right.replace('credit: [C, R], debit: [D, F]', 'credit: [D, F], debit: [C, R]');
  const path = join(folder, 'bank.yaml');
  writeFileSync(path, wrong);
  const outcomes: string[] = [];
  for await (const { clause, outcome } of checkCoreAdapter(kitOfBank(path), ['CORE-11', 'CORE-23', 'CORE-30']))
    outcomes.push(`${clause.id} ${outcome}`);
  expect(outcomes).toEqual(['CORE-11 broken', 'CORE-23 kept', 'CORE-30 kept']);
}, 120_000);

it.each<[string, string, readonly [from: string, to: string], string]>([
  [
    'writes a column that no field reads',
    'bank.yaml',
    ['at: { column: book_dt', 'at: { column: book_date'],
    'test.fill.transactions writes :book_dt, but the columns of its read are account, amt, bal_amt, bal_flag, book_date,',
  ],
  [
    'refuses a statement that writes a record',
    'bank.yaml',
    ['INSERT INTO mandate VALUES (:account,', 'INSERT INTO mandate VALUES (:account || 1,'],
    'test.fill.directDebits failed: ',
  ],
  ['has a schema that is not SQL', 'bank.sql', ['CREATE TABLE customer (', 'CREATE TABEL customer ('], 'syntax error'],
])(
  'a bank that %s is refused, and leaves no connection that keeps the tool alive',
  async (_, edited, [from, to], fault) => {
    for (const name of ['bank.sql', 'bank.yaml', 'customer.sql']) {
      const right = readFileSync(join(cores, name), 'utf8');
      writeFileSync(join(folder, name), name === edited ? right.replace(from, () => to) : right);
    }
    const connections = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = connections();
    await expect(kitOfFile(join(folder, 'bank.yaml')).core({})).rejects.toThrow(fault);
    expect(connections()).toBe(before);
  },
);

const ofTransactions = "SELECT * FROM txn WHERE acct_no = :account AND void_flag = 'N'";
const ofBeneficiaries = 'SELECT * FROM payee WHERE acct_no = :account';
const ofDirectDebits = 'SELECT * FROM mandate WHERE acct_no = :account';

it.each<[string, ClauseId, readonly (readonly [from: string, to: string])[]]>([
  [
    'shows every account to everyone',
    'CORE-08',
    [
      ['SELECT h.cust_no, a.acct_no', 'SELECT DISTINCT :customer::integer AS cust_no, a.acct_no'],
      ['WHERE h.cust_no = :customer', ''],
    ],
  ],
  [
    'shows each transaction once for each holder',
    'CORE-56',
    [
      [
        ofTransactions,
        "SELECT t.* FROM txn t JOIN holder h ON h.acct_no = t.acct_no WHERE t.acct_no = :account AND void_flag = 'N'",
      ],
    ],
  ],
  [
    'shows each beneficiary once for each holder',
    'CORE-15',
    [[ofBeneficiaries, 'SELECT p.* FROM payee p JOIN holder h ON h.acct_no = p.acct_no WHERE p.acct_no = :account']],
  ],
  ['cuts the direct debits off after a thousand', 'CORE-17', [[ofDirectDebits, `${ofDirectDebits} LIMIT 1000`]]],
  [
    'shows transactions of accounts that begin with the same digits',
    'CORE-11',
    [[ofTransactions, "SELECT * FROM txn WHERE acct_no::text LIKE :account::integer::text || '%'"]],
  ],
])(
  'a query that %s breaks %s',
  async (_, id, edits) => {
    const right = readFileSync(join(cores, 'bank.yaml'), 'utf8');
    for (const [from] of edits) expect(right).toContain(from);
    const path = join(folder, `${id}.yaml`);
    writeFileSync(
      path,
      edits.reduce((text, [from, to]) => text.replace(from, () => to), right),
    );
    // On the database that the right file has filled.
    const core: typeof kit.core = async (world) => {
      const { variables, ...rest } = await kit.core(world);
      return { ...rest, variables: { ...variables, CORE_SQL_FILE: path } };
    };
    const outcomes: string[] = [];
    for await (const { clause, outcome } of checkCoreAdapter({ ...kit, core }, [id]))
      outcomes.push(`${clause.id} ${outcome}`);
    expect(outcomes).toEqual([`${id} broken`]);
  },
  120_000,
);

describe('the examples of a bank’s tables', () => {
  /** @returns the path of the bank's file, edited, with all its files next to it */
  const edited = (
    edits: readonly (readonly [from: string, to: string])[],
    ofSchema: readonly [string, string] = ['', ''],
  ) => {
    for (const name of ['bank.sql', 'customer.sql', 'bank.examples.yaml'])
      copyFileSync(join(cores, name), join(folder, name));
    const right = readFileSync(join(cores, 'bank.yaml'), 'utf8');
    for (const [from] of edits) expect(right).toContain(from);
    const path = join(folder, 'bank.yaml');
    writeFileSync(
      path,
      edits.reduce((text, [from, to]) => text.replace(from, () => to), right),
    );
    const schema = readFileSync(join(cores, 'bank.sql'), 'utf8');
    expect(schema).toContain(ofSchema[0]);
    writeFileSync(join(folder, 'bank.sql'), schema.replace(...ofSchema));
    return path;
  };
  const cells =
    'acct_no, seq_no, stat_cd, book_dt, made_ts, due_dt, val_dt, amt, dc_flag, bal_amt, bal_flag, fx_ccy, fx_rate';

  it('agree with the right file', async () => {
    expect(await kitOfBank(edited([])).unproved?.()).toEqual({});
  });

  it.each<[string, ClauseId, readonly [from: string, to: string], string]>([
    [
      'shows a released hold',
      'CORE-11',
      [" AND void_flag = 'N'", ''],
      'the query makes { amount: GBP -80.00, at: 2026-11-20, description: FUEL, RELEASED, id: 900004,',
    ],
    [
      'loses the second holder',
      'CORE-03',
      ['WHERE h.cust_no = :customer', 'WHERE h.cust_no = :customer AND h.cust_no = (SELECT min(cust_no) FROM holder)'],
      'accounts of customer 4712: the query does not make { accountNumber: 10010010,',
    ],
    [
      'loses half of a text',
      'CORE-11',
      ['SELECT * FROM txn', `SELECT ${cells}, left(narrative, 16) AS narrative FROM txn`],
      'the query makes { amount: GBP 1500.00, at: 2026-11-19, description: SALARY NOVEMBER, id: 900002,',
    ],
    [
      'makes a currency up',
      'CORE-03',
      ['a.prod_cd, a.ccy,', "a.prod_cd, CASE a.ccy WHEN 'JPY' THEN 'JPY' ELSE 'GBP' END AS ccy,"],
      'the query makes { accountNumber: 10010030, currency: GBP,',
    ],
    [
      'makes a text of an absent name',
      'CORE-12',
      ['SELECT party_no, full_name FROM', "SELECT party_no, coalesce(full_name, 'null') AS full_name FROM"],
      'party of customer 4712, account 1001: the query makes { name: null, ref: 816 }',
    ],
    [
      'shows an earlier statement',
      'CORE-16',
      ['ORDER BY to_dt DESC LIMIT 1', 'ORDER BY to_dt LIMIT 1'],
      'the query does not make { closingBalance: GBP 40.00,',
    ],
  ])('break the clause of a query that %s', async (_, id, edit, fault) => {
    const unproved = await kitOfBank(edited([edit])).unproved?.();
    expect(unproved?.[id]).toContain(fault);
  });

  it('need the records of each read', async () => {
    const path = edited([]);
    const examples = readFileSync(join(folder, 'bank.examples.yaml'), 'utf8');
    writeFileSync(join(folder, 'bank.examples.yaml'), examples.replace(/^ {4}directDebits: \[.*\n/m, ''));
    expect(await kitOfBank(path).unproved?.()).toEqual({
      'CORE-17': 'bank.examples.yaml: tables has no records of directDebits, which the queries make of test.example',
    });
  });

  it('find an id that a pending row and a booked row of one account can both have', async () => {
    const path = edited([], ['seq_no bigint PRIMARY KEY', 'seq_no bigint']);
    expect(await kitOfBank(path).unproved?.()).toEqual({
      'CORE-11':
        'transactions: a pending row and a booked row of one account have the id 900011. Select an id that is unique in the ' +
        "account, such as 'H' || seq_no, and name the letter in test.ids; or give the table of test.schema the key that your table has",
    });
  });
});

/** The same views, as a core shows them that knows no zones. */
function inLocalTimes(): string {
  const write = (name: string, from: RegExp, to: string): string => {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(join(cores, name), 'utf8').replaceAll(from, to));
    return path;
  };
  write('views.sql', /timestamptz/g, 'timestamp');
  return write('views.yaml', /as: instant/g, 'as: local-time');
}
