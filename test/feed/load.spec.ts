import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadDelivery } from '../../src/core-banking/adapters/feed/delivery.loader.js';
import {
  accounts,
  balances,
  context,
  feedFile,
  holders,
  laterMs,
  manifest,
  rightFiles,
  silent,
  SmallFeed,
  transactions,
} from './small-feed.js';

const inUse = async (feed: SmallFeed): Promise<string[]> => {
  const adapter = await feed.adapter();
  try {
    const { items } = await adapter.transactions('A1', { read: 'older', limit: 10 }, context('C1'));
    return items.map(({ id }) => id);
  } finally {
    await adapter.close();
  }
};

describe('a delivery of CSV files', () => {
  it('is taken without an optional field that cannot be read, which is counted, and refused for a required one', async () => {
    const parts = feedFile().slice(feedFile().indexOf('balances:'), feedFile().indexOf('missing:'));
    const feed = new SmallFeed(feedFile(`${parts}    valueAt: { column: VALUED, as: iso }\n`));
    const valued = (day: string): string =>
      `ACC,ID,STATE,AT,AMOUNT,TEXT,VALUED\nA1,t1,POSTED,2026-11-19,-1.00,,infinity\nA1,t2,POSTED,${day},13.34,,2026-11-20\nA2,t1,HELD,2026-11-20,-5.00,,\n`;
    expect(await feed.load({ 'transactions.csv': valued('2026-11-20') })).toMatchObject({
      taken: true,
      rows: { transactions: 3 },
      unread: { 'transactions.valueAt': 1 },
    });
    expect(await inUse(feed)).toEqual(['t2', 't1']);
    const files = {
      'transactions.csv': valued('infinity'),
      'delivery.yaml': manifest({ id: 'night-2', asOf: '2026-11-21T23:59:59Z' }),
    };
    expect(await feed.refusal(files)).toEqual([
      'broken',
      'records cannot be read',
      expect.stringMatching(/^transactions.csv, line 3: AT: /),
    ]);
  });

  it('is taken whole, and read with its money, its times and its days', async () => {
    const feed = new SmallFeed();
    expect(await feed.load()).toMatchObject({
      taken: true,
      delivery: 'night-1',
      rows: { accounts: 2, holders: 2, balances: 2, transactions: 3 },
    });
    const adapter = await feed.adapter();
    const { items, more } = await adapter.transactions('A1', { read: 'older', limit: 10 }, context('C1'));
    expect([items, more]).toEqual([
      [
        {
          id: 't2',
          status: 'booked',
          at: new Date('2026-11-20T09:00:00Z'),
          amount: { minorUnits: 1334n, currency: 'GBP' },
        },
        {
          id: 't1',
          status: 'booked',
          at: { date: '2026-11-19' },
          amount: { minorUnits: -100n, currency: 'GBP' },
          description: 'SHOP, LONDON',
        },
      ],
      false,
    ]);
    const { items: found } = await adapter.balances('A1', context('C1'));
    expect(found).toEqual([
      { kind: 'booked', amount: { minorUnits: 1234n, currency: 'GBP' }, at: new Date('2026-11-20T20:00:00Z') },
    ]);
    await adapter.close();
  });

  it.each<[string, Record<string, string | undefined>, string[]]>([
    [
      'an amount that is not a decimal, by file, line and column',
      { 'transactions.csv': transactions.replace('-1.00', 'one pound') },
      ['broken', 'records cannot be read', 'transactions.csv, line 2: AMOUNT: not a decimal'],
    ],
    [
      'a day that does not exist',
      { 'transactions.csv': transactions.replace('2026-11-19', '2026-02-30') },
      ['broken', 'records cannot be read', 'transactions.csv, line 2: AT: not a day'],
    ],
    [
      'every record that cannot be read',
      { 'balances.csv': balances.replaceAll('LEDGER', 'NOSTRO') },
      [
        'broken',
        'records cannot be read',
        'balances.csv, line 2: KIND: not a known word',
        'balances.csv, line 3: KIND: not a known word',
      ],
    ],
    [
      'a file that is cut off in the middle of a line',
      { 'transactions.csv': transactions.slice(0, -12) },
      [
        'broken',
        'records cannot be read',
        'transactions.csv, line 4: not valid CSV (CSV_RECORD_INCONSISTENT_FIELDS_LENGTH)',
      ],
    ],
    [
      'a quotation mark that is not closed',
      { 'transactions.csv': transactions.replace('LONDON"', 'LONDON') },
      ['broken', 'records cannot be read', 'transactions.csv, line 2: not valid CSV (CSV_QUOTE_NOT_CLOSED)'],
    ],
    [
      'a comma too many before good rows',
      { 'transactions.csv': transactions.replace('"SHOP, LONDON"', 'SHOP, LONDON') },
      [
        'broken',
        'records cannot be read',
        'transactions.csv, line 2: not valid CSV (CSV_RECORD_INCONSISTENT_FIELDS_LENGTH)',
      ],
    ],
    [
      'a comma too many in the middle of a large file',
      {
        'transactions.csv': [
          transactions,
          'A1,t3,POSTED,2026-11-19,100.00,CAFE, LONDON\n',
          'A1,t4,POSTED,2026-11-19,1.00,TEA\n'.repeat(20_000),
        ].join(''),
      },
      [
        'broken',
        'records cannot be read',
        'transactions.csv, line 5: not valid CSV (CSV_RECORD_INCONSISTENT_FIELDS_LENGTH)',
      ],
    ],
    [
      'a first line with the separator, as spreadsheets write it',
      { 'transactions.csv': `sep=,\n${transactions}` },
      ['broken', 'records cannot be read', 'transactions.csv, line 1: has no column "ACC"'],
    ],
    [
      'a text that begins with a quotation mark',
      { 'transactions.csv': transactions.replace('"SHOP, LONDON"', '"SHOP" LONDON') },
      ['broken', 'records cannot be read', 'transactions.csv, line 2: not valid CSV (CSV_INVALID_CLOSING_QUOTE)'],
    ],
    [
      'a file that is not there',
      { 'holders.csv': undefined },
      ['partial', 'holders.csv is not in the folder of the delivery, or cannot be read'],
    ],
    [
      'a file without a column of the mapping',
      { 'holders.csv': holders.replace('CUST', 'CUSTOMER') },
      ['broken', 'records cannot be read', 'holders.csv, line 1: has no column "CUST"'],
    ],
    [
      'an empty file',
      { 'holders.csv': '' },
      ['broken', 'records cannot be read', 'holders.csv, line 1: has no header'],
    ],
    [
      'a file with fewer rows than the bank states',
      { 'transactions.csv': transactions.split('\n').slice(0, 3).join('\n') },
      ['partial', 'transactions.csv has 2 rows, and the delivery states 3'],
    ],
    [
      'amounts that do not make the sum that the bank states',
      { 'transactions.csv': transactions.replace('13.34', '13.35') },
      ['partial', 'the amounts of transactions.csv do not make the sum that the delivery states'],
    ],
    [
      'a transaction of an account that is not there',
      { 'transactions.csv': transactions.replace('A1,t2', 'A9,t2') },
      ['broken', 'records contradict each other', 'transactions.csv, line 3: its account is not among the accounts'],
    ],
    [
      'an id that comes twice in an account',
      { 'transactions.csv': transactions.replace('A1,t2', 'A1,t1') },
      [
        'broken',
        'records contradict each other',
        'transactions.csv, line 3: it has the id of another record of the account',
      ],
    ],
    [
      'an account that comes twice',
      {
        'accounts.csv': `${accounts.replace('A2', 'A1')}A2,GBP,\n`,
        'delivery.yaml': manifest().replace('accounts.csv, rows: 2', 'accounts.csv, rows: 3'),
      },
      ['broken', 'records contradict each other', 'accounts.csv, line 3: it has the reference of another account'],
    ],
    [
      'an account without a balance',
      { 'balances.csv': balances.replace('A2', 'A1').replace('0.00,2026-11-20T20', '0.00,2026-11-20T21') },
      ['broken', 'records contradict each other', 'accounts.csv, line 3: the account has no booked balance'],
    ],
    [
      'an amount in another currency than the account’s',
      { 'accounts.csv': accounts.replace('A2,GBP', 'A2,EUR') },
      [
        'broken',
        'records contradict each other',
        'balances.csv, line 3: its amount is in another currency than the account',
        'transactions.csv, line 4: its amount is in another currency than the account',
      ],
    ],
    [
      'a folder without delivery.yaml',
      { 'delivery.yaml': undefined },
      ['partial', 'delivery.yaml is not in the folder of the delivery, or cannot be read'],
    ],
    [
      'a file outside the folder',
      { 'delivery.yaml': manifest().replace('file: holders.csv', 'file: ../holders.csv') },
      ['broken', expect.stringMatching(/^delivery\.yaml: files\.holders\.file must match /) as unknown as string],
    ],
  ])('is refused for %s, and changes nothing', async (_, changes, refusal) => {
    const feed = new SmallFeed();
    await feed.load({
      'delivery.yaml': manifest({ id: 'night-0', asOf: '2026-11-20T12:00:00Z' }),
      'holders.csv': `${holders.trim()}`,
    });
    const before = feed.names;
    expect(await feed.refusal(changes)).toEqual(refusal);
    expect([feed.names, await inUse(feed)]).toEqual([before, ['t2', 't1']]);
  });

  it.each<[string, (path: string) => void]>([
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    ['a link', (path) => symlinkSync('/etc/hostname', path)],
    ['a link that leads nowhere', (path) => symlinkSync('/nowhere', path)],
    ['a folder', (path) => void mkdirSync(path)],
  ])('is refused at once for %s in the place of a file', async (_, make) => {
    const feed = new SmallFeed();
    for (const name of ['transactions.csv', 'delivery.yaml']) {
      const delivery = feed.write({ ...rightFiles, [name]: undefined });
      make(join(delivery, name));
      expect(await loadDelivery(feed.settings, delivery, silent, laterMs)).toEqual({
        taken: false,
        reason: 'broken',
        message: `${name} is not a regular file: a delivery has no links, pipes or folders`,
        faults: [],
      });
    }
  });

  it('is refused for bytes that are not of the encoding that the bank declares', async () => {
    const feed = new SmallFeed();
    const delivery = feed.write({ 'delivery.yaml': manifest(), 'accounts.csv': accounts, 'balances.csv': balances });
    writeFileSync(join(delivery, 'holders.csv'), Buffer.from('CUST,ACC\nC1,A1\nZo\xeb,A2\n', 'latin1'));
    writeFileSync(join(delivery, 'transactions.csv'), transactions);
    expect(await loadDelivery(feed.settings, delivery, silent, laterMs)).toMatchObject({
      taken: false,
      faults: ['holders.csv, line 1: is not utf-8 from here on'],
    });
  });

  it('is refused when its data are of the future, and taken when a clock is five minutes ahead', async () => {
    const feed = new SmallFeed();
    const atMs = Date.parse('2026-11-20T23:59:59Z');
    expect(await feed.load({}, undefined, atMs - 5 * 60_000 - 1)).toMatchObject({
      reason: 'broken',
      message: 'delivery.yaml: asOf is in the future (2026-11-20T23:59:59.000Z)',
    });
    expect(await feed.load({}, undefined, atMs - 5 * 60_000)).toMatchObject({ taken: true });
  });

  it('is refused when it is in use, comes again under another id, or is older', async () => {
    const feed = new SmallFeed();
    await feed.load();
    expect(await feed.refusal({})).toEqual(['repeated', 'the delivery with this id is in use already']);
    expect(await feed.refusal({ 'delivery.yaml': manifest({ id: 'night-2', asOf: '2026-11-21T23:59:59Z' }) })).toEqual([
      'repeated',
      'its files are those of the delivery in use',
    ]);
    expect(await feed.refusal({ 'delivery.yaml': manifest({ id: 'night-2' }) })).toEqual([
      'older',
      'the data are of 2026-11-20T23:59:59.000Z, and those in use of 2026-11-20T23:59:59.000Z',
    ]);
  });
});

describe('a history to which deliveries add', () => {
  const added = feedFile(undefined, 'history: added\n');
  const next = (id: string, follows: string, asOf: string) =>
    manifest({ id, asOf, more: `follows: ${follows}\n`, transactions: '{ file: transactions.csv, rows: 2 }' });
  const later =
    'ACC,ID,STATE,AT,AMOUNT,TEXT\nA1,t2,POSTED,2026-11-20T09:00:00,13.34,CORRECTED\nA1,t3,POSTED,2026-11-21,1.00,\n';

  it('keeps booked transactions, replaces those that come again, and drops pending ones', async () => {
    const feed = new SmallFeed(added);
    expect(await feed.load({ 'delivery.yaml': manifest({ more: 'follows: none\n' }) })).toMatchObject({ taken: true });
    const second = { 'delivery.yaml': next('night-2', 'night-1', '2026-11-21T05:00:00Z'), 'transactions.csv': later };
    expect(await feed.load(second)).toMatchObject({ taken: true });
    const adapter = await feed.adapter();
    const of = async (account: string, customer: string) =>
      (await adapter.transactions(account, { read: 'older', limit: 10 }, context(customer))).items.map(
        ({ id, description }) => [id, description],
      );
    expect(await of('A1', 'C1')).toEqual([
      ['t3', undefined],
      ['t2', 'CORRECTED'],
      ['t1', 'SHOP, LONDON'],
    ]);
    expect(await of('A2', 'C2')).toEqual([]);
    await adapter.close();
  });

  it('refuses a delivery when one before it is missing', async () => {
    const feed = new SmallFeed(added);
    await feed.load({ 'delivery.yaml': manifest({ more: 'follows: none\n' }) });
    const third = { 'delivery.yaml': next('night-3', 'night-2', '2026-11-21T05:00:00Z'), 'transactions.csv': later };
    expect(await feed.refusal(third)).toEqual([
      'partial',
      'it follows another delivery than the one in use: one between them is missing',
    ]);
  });
});

describe('the folder of the replica', () => {
  it('has the replica in use and the one before it, and nothing that an interrupted load has left', async () => {
    const feed = new SmallFeed();
    await feed.load();
    for (const name of [
      'loading.duckdb',
      'loading.duckdb.wal',
      'replica-7.duckdb',
      'replica-7.duckdb.wal',
      'current.new',
    ])
      writeFileSync(join(feed.replica, name), 'half made');
    const asOf = (hour: number) => `2026-11-21T0${hour}:00:00Z`;
    for (const [index, text] of ['ONE', 'TWO'].entries())
      expect(
        await feed.load({
          'delivery.yaml': manifest({ id: text, asOf: asOf(index) }),
          'transactions.csv': transactions.replace('SHOP', text),
        }),
      ).toMatchObject({ taken: true });
    expect(feed.names).toEqual(['current', 'lock.duckdb', 'replica-2.duckdb', 'replica-3.duckdb']);
  });

  it('takes one delivery at a time, and is free again when the other process has died', async () => {
    const feed = new SmallFeed();
    await feed.load();
    const hold = `import { DuckDBInstance } from '@duckdb/node-api';
      await DuckDBInstance.create(process.argv[1]); console.log('held'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', hold, join(feed.replica, 'lock.duckdb')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(child.stdout, 'data');
      expect((await feed.refusal({}))[0]).toBe('busy');
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    expect((await feed.refusal({}))[0]).toBe('repeated');
  });

  it('without a delivery is stale, and says how one is loaded', async () => {
    const feed = new SmallFeed();
    const adapter = await feed.adapter();
    await expect(adapter.health(AbortSignal.timeout(60_000))).rejects.toMatchObject({
      kind: 'stale',
      detail: 'no delivery has been loaded yet: feed load takes one',
    });
    await feed.load();
    await expect(adapter.health(AbortSignal.timeout(60_000))).resolves.toBeUndefined();
    await adapter.close();
  });
});
