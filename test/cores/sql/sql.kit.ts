import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AccountTruth,
  type AdapterUnderTest,
  type ClauseId,
  type TestCore,
} from '../../../packages/adapter-kit/adapter-kit.js';
import type { CoreMoney } from '../../../packages/core-adapter/core.records.js';
import { createAdapter } from '../../../src/core-banking/adapters/sql/sql.adapter.js';
import { packageRoot } from '../../../src/persistence/package-root.js';
import { unprovedBy } from '../../support/examples.js';
import { clausesWithout } from '../../support/unneeded-clauses.js';
import { ofTables, repeatedIds, unprovedByTables } from './example-tables.js';
import { FilledDatabase } from './filled-database.js';
import { type Changes, KitBank, type Written } from './kit-bank.js';
import { checkedParts } from './sql.examples.js';
import { postgresServer } from './test-server.js';

const ownFile = join(packageRoot(), 'test/cores/sql/bank.yaml');

/** The description of the adapter with a bank's file, whose section `test` says how the kit fills a database. */
export function kitOfFile(path: string): AdapterUnderTest {
  const bank = new KitBank(path);
  const truths = bank.truths();
  const templates = new Map<string, Promise<string>>();
  const templateIn = (server: string, timeZone: string | undefined): Promise<string> => {
    const made = templates.get(timeZone ?? '') ?? makeTemplate(bank, server, timeZone);
    templates.set(timeZone ?? '', made);
    return made;
  };
  return {
    core: async ({ timeZone }) => {
      const server = await postgresServer();
      const database = await FilledDatabase.create(server, { template: await templateIn(server, timeZone) });
      const folder = await mkdtemp(join(tmpdir(), 'sql-kit-'));
      const file = timeZone === undefined ? path : join(folder, 'bank.yaml');
      if (timeZone !== undefined) {
        await writeFile(file, bank.textIn(timeZone));
        await database.setTimeZone(timeZone);
      }
      const { username, password } = new URL(server);
      return {
        url: `postgresql://${database.address}`,
        variables: { CORE_SQL_FILE: file, CORE_USERNAME: username, CORE_PASSWORD: password },
        ...stirring(bank, database, truths),
        close: async () => {
          await database.drop();
          await rm(folder, { recursive: true });
        },
      };
    },
    create: createAdapter,
    personas: () =>
      [...truths].map(([customerRef, accounts]) => ({
        customerRef,
        accountRefs: accounts.map(({ account }) => account.ref),
      })),
    truth: (customerRef, accountRef) =>
      truths.get(customerRef)?.find(({ account }) => account.ref === accountRef) as AccountTruth,
    badSettings: {
      CORE_SQL_FILE: [undefined, '', 'bank.yaml', '/no/such/bank.yaml', import.meta.filename],
      CORE_USERNAME: [undefined, ''],
      CORE_PASSWORD: [undefined, ''],
      CORE_CA_FILE: ['/no/such/ca.pem', path],
      CORE_CERT_FILE: ['/no/such/cert.pem'],
      CORE_KEY_FILE: ['/no/such/key.pem', path],
    },
    without: {
      'CORE-39': 'the query of the file leaves international payments out',
      ...clausesWithout(bank.file, [...truths.values()].flat()),
    },
  };
}

async function makeTemplate(bank: KitBank, server: string, timeZone: string | undefined): Promise<string> {
  const database = await FilledDatabase.create(server, { schema: bank.schema });
  const insertions = timeZone === undefined ? bank.insertions() : bank.insertions({ clocks: timeZone });
  await database.orDrop(() => database.insert(insertions));
  return database.asTemplate();
}

/** The changes of the core's data that the kit asks for. */
function stirring(
  bank: KitBank,
  database: FilledDatabase,
  truths: ReadonlyMap<string, readonly AccountTruth[]>,
): Pick<TestCore, 'book' | 'change' | 'open' | 'settle' | 'spoil'> {
  const refill = async (changes: Changes): Promise<void> => {
    await database.empty();
    await database.insert(bank.insertions(changes));
  };
  const changes = new Array<(written: Written) => object>();
  const change = (of: Written['read'], accountRef: string, make: (written: Written) => object): Promise<void> => {
    changes.push((written) =>
      written.read === of && written.account.account.ref === accountRef ? make(written) : written.record,
    );
    return refill({
      record: (written) =>
        changes.reduce((record, one) => one({ ...written, record }) as Written['record'], written.record),
    });
  };
  let booked = 0;
  return {
    book: async (customerRef, accountRef) => {
      const account = truths.get(customerRef)?.find((one) => one.account.ref === accountRef) as AccountTruth;
      const at = new Date(Date.parse('2026-12-01T09:00:00Z') + ++booked * 86_400_000);
      const amount = { minorUnits: 5n, currency: account.account.currency };
      const record = { id: bank.idOf('booked', String(990_000 + booked)), status: 'booked', at, amount };
      await database.insert(bank.addition({ read: 'transactions', customerRef, account }, record));
    },
    change: (what, _, accountRef) =>
      what === 'access'
        ? change('accounts', accountRef, ({ record }) => ({ ...record, permitted: false }))
        : change('balances', accountRef, ({ record }) => ({ ...record, amount: oneLess(record.amount as CoreMoney) })),
    open: (customerRef, count) => {
      const [like] = truths.get(customerRef) as readonly [AccountTruth, ...AccountTruth[]];
      const opened = Array.from({ length: count }, (_, index) => ({
        ...like.account,
        ref: String(400_000 + index),
        iban: undefined,
      }));
      return database.insert(
        opened.flatMap((account) => bank.addition({ read: 'accounts', customerRef, account: { account } }, account)),
      );
    },
    settle: (_, accountRef, id) =>
      change('transactions', accountRef, ({ record }) =>
        record.id === id
          ? { ...record, status: 'booked', at: new Date('2026-12-01T08:00:00Z'), expectedBookingAt: undefined }
          : record,
      ),
    spoil: async (spoiling, read, customerRef, accountRef) => {
      const putBack = await database.keepAside();
      const spoilt = bank.spoiltCells(read, spoiling);
      await refill({
        cells: (written, cells) => {
          const isOfList =
            written.read === read &&
            (read === 'accounts' ? written.customerRef === customerRef : written.account.account.ref === accountRef);
          return isOfList && (spoiling === 'all' || written.number === 1) ? { ...cells, ...spoilt } : cells;
        },
      });
      return putBack;
    },
  };
}

function oneLess({ minorUnits, currency }: CoreMoney): CoreMoney {
  return { minorUnits: minorUnits - 1n, currency };
}

/** The same, and the examples next to the file must agree with its columns and its queries. */
export function kitOfBank(path: string): AdapterUnderTest {
  return { ...kitOfFile(path), unproved: () => unprovedOf(path) };
}

async function unprovedOf(path: string): Promise<Partial<Record<ClauseId, string>>> {
  const bank = new KitBank(path);
  const ofColumns = await unprovedBy(path, checkedParts(path), bank.example === undefined ? [] : [ofTables]);
  const server = await postgresServer();
  const repeated = await repeatedIds(bank, path, server);
  const ofQueries = await unprovedByTables(bank, path, server);
  const unproved: Partial<Record<ClauseId, string>> = {};
  for (const found of [ofColumns, ofQueries, repeated === undefined ? {} : { 'CORE-11': repeated }])
    for (const [id, fault] of Object.entries(found) as [ClauseId, string][])
      unproved[id] = unproved[id] === undefined ? fault : `${unproved[id]}\n${fault}`;
  return unproved;
}

export const kit: AdapterUnderTest = kitOfBank(process.env['CORE_SQL_FILE'] ?? ownFile);
