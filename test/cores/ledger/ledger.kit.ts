import { makeIssuerKeys } from '../../../sandbox/bank/issuer.js';
import type { EntryRow } from '../../../sandbox/bank/ledger.records.js';
import { daily } from '../../../sandbox/bank/personas/history.js';
import { makeAccount, type Persona } from '../../../sandbox/bank/personas/persona.js';
import { makePersonas } from '../../../sandbox/bank/personas/personas.js';
import { startSandboxBank } from '../../../sandbox/bank/sandbox-bank.js';
import { stampOf } from '../../../sandbox/bank/stamps.js';
import type { AdapterUnderTest } from '../../../packages/adapter-kit/adapter-under-test.js';
import { truthOf } from './ledger.truth.js';
import { LedgerAdapter } from '../../../src/core-banking/adapters/ledger/ledger.adapter.js';

const nowMs = Date.parse('2026-11-20T14:30:00.000Z');

/** A person in addition to the sandbox's, with a history as long as the kit demands. */
const stallholder = (): Persona => ({
  name: 'stallholder',
  person: { key: 'C1099', name: 'Rosa Lind' },
  shows: 'Fifty thousand transactions.',
  accounts: [
    makeAccount(
      {
        key: 'A109901',
        prod: 'CUR100',
        label: 'Market Stalls',
        num: '10010990',
        closing: 90_000_00,
        days: 2500,
        history: [daily(20, ['TAKINGS', 'FEE'])],
      },
      nowMs,
    ),
  ],
});
const people: readonly Persona[] = [...makePersonas(nowMs), stallholder()];
const issuerKeys = makeIssuerKeys();

/** The sandbox bank in this process, its core steered as the kit asks. */
export const kit: AdapterUnderTest = {
  core: async () => {
    const bank = await startSandboxBank({
      port: 0,
      credential: 'staff',
      issuerKeys: await issuerKeys,
      clock: { nowMs: () => nowMs },
      makePersonas: () => [...people],
    });
    // The bank, in this process, makes a history at its first read; that memory must not count as the adapter's.
    await fetch(`${bank.coreUrl}/clients/C1099/accts/A109901/entries?take=1&toward=OLD`);
    let booked = 0;
    const entry = (accountRef: string, id: string): EntryRow | undefined =>
      people
        .flatMap(({ accounts }) => accounts)
        .find(({ acct }) => acct.key === accountRef)
        ?.entries.find(({ key }) => key === id);
    return {
      url: bank.coreUrl,
      book: (_, accountRef) => {
        booked++;
        const at = stampOf(nowMs + booked * 1000);
        const row = {
          key: `${accountRef}-NEW${booked}`,
          state: 'POSTED',
          booked: at,
          made: '',
          due: '',
          value: '',
        } as const;
        bank.enter(accountRef, { ...row, amt: booked, side: 'CR', text: 'BOOKED MEANWHILE', bal: '', fx: '' });
        return Promise.resolve();
      },
      settle: (_, accountRef, id) => {
        const held = entry(accountRef, id);
        if (held === undefined) throw new Error(`the bank holds no such entry on ${accountRef}`);
        bank.enter(accountRef, { ...held, state: 'POSTED', booked: stampOf(nowMs), due: '' });
        return Promise.resolve();
      },
      close: () => bank.close(),
    };
  },
  create: (settings) => new LedgerAdapter(settings),
  personas: () =>
    people.map(({ person, accounts }) => ({
      customerRef: person.key,
      accountRefs: accounts.map(({ acct }) => acct.key),
    })),
  truth: (customerRef, accountRef) => {
    const persona = people.find(({ person }) => person.key === customerRef);
    const account = persona?.accounts.find(({ acct }) => acct.key === accountRef);
    if (persona === undefined || account === undefined) throw new Error(`${customerRef} has no account ${accountRef}`);
    return truthOf(persona, account);
  },
  without: {
    'CORE-01': 'the ledger has no settings: CORE_URL and CORE_CONNECTIONS are the gateway’s',
  },
};
