import { randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  type AccountTruth,
  type AdapterUnderTest,
  type TestCore,
  withoutHttp,
} from '../../../packages/adapter-kit/adapter-kit.js';
import type { AccountRead } from '../../../packages/core-adapter/core.adapter.js';
import { people as tinyPeople, sharedRef } from '../tiny-people.js';
import { administer } from '../../support/fresh-database.js';
import { createAdapter } from './database.adapter.js';
import { fill, schema } from './database.rows.js';

/** An account of this core has one holder. */
const people = new Map(
  [...tinyPeople].map(([customerRef, accounts]) => [
    customerRef,
    new Map([...accounts].filter(([ref]) => ref !== sharedRef)),
  ]),
);

/** Runs on a new database of the PostgreSQL that DATABASE_URL names. */
export const kit: AdapterUnderTest = {
  core: async ({ timeZone = 'Etc/UTC' }) => {
    const server = new URL(process.env['DATABASE_URL'] ?? '');
    const name = `core_${randomBytes(6).toString('hex')}`;
    await administer(server.href, `CREATE DATABASE ${name}`);
    await administer(server.href, `ALTER DATABASE ${name} SET timezone = '${timeZone}'`);
    const url = new URL(server);
    url.pathname = name;
    const core = new pg.Client(url.href);
    await core.connect();
    await core.query(schema);
    await fill(core, people);
    return {
      url: `postgresql://${url.host}/${name}`,
      variables: { CORE_USERNAME: url.username, CORE_PASSWORD: url.password },
      ...stirring(core),
      close: async () => {
        await core.end();
        await administer(server.href, `DROP DATABASE ${name} WITH (FORCE)`);
      },
    };
  },
  create: createAdapter,
  personas: () => [...people].map(([customerRef, accounts]) => ({ customerRef, accountRefs: [...accounts.keys()] })),
  truth: (customerRef, accountRef) => people.get(customerRef)?.get(accountRef) as AccountTruth,
  badSettings: { CORE_USERNAME: [undefined, ''], CORE_PASSWORD: [undefined, ''] },
  without: { ...withoutHttp, 'CORE-56': 'an account of this core has one holder' },
};

/** The changes of the core's data that the kit asks for. */
function stirring(core: pg.Client): Pick<TestCore, 'book' | 'change' | 'settle' | 'spoil'> {
  let booked = 0;
  return {
    book: async (_, accountRef) => {
      const at = new Date(Date.parse('2026-12-01T09:00:00Z') + ++booked * 1_000);
      const insert = `INSERT INTO transactions (account_ref, id, status, at, amount) VALUES ($1, $2, 'BOOKED', $3, 5)`;
      await core.query(insert, [accountRef, `new-${booked}`, at]);
    },
    change: async (what, _, accountRef) => {
      const update = what === 'access' ? `accounts SET state = 'BLOCKED'` : 'balances SET amount = amount - 1';
      await core.query(`UPDATE ${update} WHERE account_ref = $1`, [accountRef]);
    },
    settle: async (_, accountRef, id) => {
      const update = `UPDATE transactions SET status = 'BOOKED', at = '2026-12-01T08:00:00Z', expected_at = NULL`;
      await core.query(`${update} WHERE account_ref = $1 AND id = $2`, [accountRef, id]);
    },
    spoil: async (spoiling, read, customerRef, accountRef) => {
      if (spoiling === 'undated') return takeTime(core, accountRef);
      const { table, word, key } = spoilings[read as keyof typeof spoilings];
      const of = key === 'customer_ref' ? customerRef : accountRef;
      const rows = `SELECT ctid FROM ${table} WHERE ${key} = $1 ${spoiling === 'one' ? 'LIMIT 1' : ''}`;
      await core.query(`UPDATE ${table} SET ${word} = '?' || ${word} WHERE ctid IN (${rows})`, [of]);
      return async () => {
        await core.query(`UPDATE ${table} SET ${word} = ltrim(${word}, '?')`);
      };
    },
  };
}

async function takeTime(core: pg.Client, accountRef: string): Promise<() => Promise<void>> {
  const timed = 'account_ref = $1 AND at IS NOT NULL';
  const { rows } = await core.query(`SELECT id, at FROM transactions WHERE ${timed} ORDER BY at DESC`, [accountRef]);
  const { id, at } = rows[0] as { id: string; at: Date };
  const set = async (time: Date | null): Promise<void> =>
    void (await core.query(`UPDATE transactions SET at = $3 WHERE account_ref = $1 AND id = $2`, [
      accountRef,
      id,
      time,
    ]));
  await set(null);
  return () => set(at);
}

/** A code word with a question mark before it is not known to the adapter. */
const spoilings = {
  accounts: { table: 'accounts', word: 'product', key: 'customer_ref' },
  balances: { table: 'balances', word: 'kind', key: 'account_ref' },
  transactions: { table: 'transactions', word: 'status', key: 'account_ref' },
} as const satisfies Partial<Record<AccountRead | 'accounts', object>>;
