import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdapterUnderTest, ClauseId, TestCore } from '../../../packages/adapter-kit/adapter-kit.js';
import { createAdapter } from '../../../src/core-banking/adapters/sql/sql.adapter.js';
import { packageRoot } from '../../../src/persistence/package-root.js';
import { joined, unprovedBy } from '../../support/examples.js';
import { clausesWithout } from '../../support/unneeded-clauses.js';
import { changing, knowing } from '../changing-people.js';
import { ofTables, repeatedIds, unprovedByTables } from './example-tables.js';
import { FilledDatabase } from './filled-database.js';
import { type Changes, KitBank } from './kit-bank.js';
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
        ...stirring(bank, database),
        close: async () => {
          await database.drop();
          await rm(folder, { recursive: true });
        },
      };
    },
    create: createAdapter,
    ...knowing(truths),
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
      ...clausesWithout([...truths.values()].flat()),
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
function stirring(bank: KitBank, database: FilledDatabase): Partial<TestCore> {
  const refill = async (changes: Changes): Promise<void> => {
    await database.empty();
    await database.insert(bank.insertions(changes));
  };
  return {
    ...changing(bank.people, (people) => refill({ people })),
    spoil: async (spoiling, read, customerRef, accountRef) => {
      const spoilt = bank.spoiltCells(read, spoiling);
      await refill({
        cells: (written, cells) => {
          const isOfList =
            written.read === read &&
            (read === 'accounts' ? written.customerRef === customerRef : written.account.account.ref === accountRef);
          return isOfList && (spoiling === 'all' || written.number === 1) ? { ...cells, ...spoilt } : cells;
        },
      });
      return () => refill({});
    },
  };
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
  return joined([ofColumns, ofQueries, repeated === undefined ? {} : { 'CORE-11': repeated }]);
}

export const kit: AdapterUnderTest = kitOfBank(process.env['CORE_SQL_FILE'] ?? ownFile);
