import { describe, expect, it } from '@jest/globals';
import { type EntryRow, listNames, productNames } from '../ledger.records.js';
import { isLuhnValid, mod97 } from '../numbers.js';
import { dayMs, msOf } from '../stamps.js';
import type { Persona, PersonaAccount } from './persona.js';
import { makePersonas } from './personas.js';

const now = Date.parse('2026-11-20T14:30:00.000Z');
const personas = makePersonas(now);
const persona = (name: string): Persona => personas.find((one) => one.name === name) as Persona;
const first = (name: string): PersonaAccount => persona(name).accounts[0] as PersonaAccount;
const figure = (account: PersonaAccount, fig: string) => account.lists.figures.find((one) => one.fig === fig);
const productOf = ({ acct }: PersonaAccount) => productNames[acct.prod];
const entryMs = (row: EntryRow): number => msOf(row.state === 'HELD' ? row.made : row.booked);
const london = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', dateStyle: 'short' });

describe('among the personas', () => {
  it('the first has all five products, each with transactions, and records of every kind', () => {
    expect(personas[0]?.accounts.map(productOf)).toEqual([
      'CurrentAccount',
      'Savings',
      'CreditCard',
      'RewardsPayPlus',
      'RoundUp',
    ]);
    for (const { entries } of personas[0]?.accounts ?? []) expect(entries.length).toBeGreaterThan(10);
    for (const name of listNames)
      expect([name, personas[0]?.accounts.some(({ lists }) => lists[name].length > 0)]).toEqual([name, true]);
  });

  it('one has an overdrawn current account within its arranged overdraft', () => {
    const [ledger, spend] = ['LEDGER', 'SPEND'].map((fig) => figure(first('overdrawn'), fig));
    expect(ledger?.amt).toBe(-150_33);
    expect(spend).toMatchObject({ arranged: 500_00, amt: 500_00 - 150_33 - 18_90 });
  });

  it('one has cards in credit, in debit with pending foreign transactions, and over the limit', () => {
    const [inCredit, inDebit, over] = persona('cards').accounts as [PersonaAccount, PersonaAccount, PersonaAccount];
    expect(figure(inCredit, 'LEDGER')?.amt).toBeLessThan(0);
    expect(figure(inDebit, 'LEDGER')?.amt).toBeGreaterThan(0);
    const pending = inDebit.entries.filter(({ state }) => state === 'HELD');
    expect(pending.filter(({ fx, due }) => fx !== '' && fx.rate !== '' && due !== '').length).toBeGreaterThanOrEqual(2);
    expect(figure(over, 'SPEND')?.amt).toBeLessThan(0);
  });

  it('one has savings only', () => {
    expect(new Set(persona('saver').accounts.map(productOf))).toEqual(new Set(['Savings']));
  });

  it('one has a blocked account and an open one', () => {
    expect(persona('blocked').accounts.map(({ acct }) => acct.status)).toEqual(['BARRED', 'DORM']);
  });

  it('one has an account with 12,000 transactions, many of them at the same instant', () => {
    const { entries } = first('history');
    expect(entries).toHaveLength(12_000);
    expect(new Set(entries.map(entryMs)).size).toBe(6000);
  });

  it('two list the same joint account, and no other account is listed twice', () => {
    const refs = personas.flatMap(({ accounts }) => accounts.map(({ acct }) => acct.key));
    expect(refs.filter((ref, index) => refs.indexOf(ref) !== index)).toEqual(['A100701']);
    expect(first('joint')).toEqual(first('partner'));
  });

  it('one has a name with non-Latin letters', () => {
    expect(persona('scripts').person.name).toMatch(/\p{Script=Han}/u);
  });

  it('one has an empty account', () => {
    const { entries, lists } = first('newcomer');
    expect(entries).toEqual([]);
    expect(lists.figures.map(({ amt }) => amt)).toEqual([0, 0]);
  });

  it('one has standing orders and direct debits in every state, domestic and international', () => {
    const { mandates, orders, forwards } = first('payer').lists;
    expect(new Set(mandates.map(({ status }) => status))).toEqual(new Set(['LIVE', 'STOPPED', 'LAPSED', 'PAUSED']));
    expect(new Set(orders.map(({ status, reach }) => `${reach} ${status}`))).toEqual(
      new Set(['DOM ON', 'DOM OFF', 'DOM DONE', 'DOM PAUSED', 'INT ON', 'INT OFF']),
    );
    expect(new Set(forwards.map(({ reach }) => reach))).toEqual(new Set(['DOM', 'INT']));
  });

  it('one has 29 February, both changes of the clocks, a summer booking at 23:30Z, and days without a time', () => {
    const booked = first('calendar').entries.map((row) => row.booked);
    expect(booked).toEqual(expect.arrayContaining(['20240229', '20240229T235900.000Z']));
    expect(booked).toEqual(expect.arrayContaining(['20260329T005900.000Z', '20260329T010000.000Z']));
    expect(booked).toEqual(expect.arrayContaining(['20251026T003000.000Z', '20251026T013000.000Z'].map(nextYear)));
    expect(booked).toContain('20260710T233000.000Z');
    expect(booked.filter((time) => time.length === 8).length).toBeGreaterThanOrEqual(2);
  });

  it('one has texts with card numbers, spaced and dashed', () => {
    const texts = first('traveller').entries.map(({ text }) => text.replace(/\D/g, ''));
    expect(new Set(texts.filter((digits) => digits.length >= 13 && isLuhnValid(digits))).size).toBe(2);
    expect(persona('traveller').accounts.map(({ acct }) => acct.ccy)).toEqual(['GBP', 'JPY', 'KWD']);
  });
});

/** The last Sunday of October 2026 is the 25th. */
function nextYear(stamp: string): string {
  return stamp.replace('20251026', '20261025');
}

describe.each(personas.map((one): [string, Persona] => [one.name, one]))('persona %s', (_, one) => {
  it.each(one.accounts.map((account): [string, PersonaAccount] => [account.acct.key, account]))(
    'has a coherent account %s',
    (ref, { acct, entries, lists }) => {
      if (acct.iban !== '') expect(mod97(acct.iban.slice(4) + acct.iban.slice(0, 4))).toBe(1n);
      if (acct.card !== '') expect(isLuhnValid(acct.card)).toBe(true);
      expect(acct.num === '').toBe(acct.sort === '');
      expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);

      const posted = entries.filter(({ state }) => state === 'POSTED');
      expect(posted.every((row) => entryMs(row) < now)).toBe(true);
      const isCard = acct.prod === 'CRD400';
      posted.slice(1).forEach((row, index) => {
        const moved = (row.side === 'CR') === isCard ? -row.amt : row.amt;
        expect(Number(row.bal) - Number(posted[index]?.bal)).toBe(moved + 0);
      });
      if (posted.length > 0) expect(posted.at(-1)?.bal).toBe(lists.figures[0]?.amt);

      for (const row of posted.filter(({ made }) => made !== '')) {
        expect([ref, row.key, london.format(msOf(row.made))]).toEqual([ref, row.key, london.format(entryMs(row))]);
        expect(msOf(row.made)).toBeLessThanOrEqual(entryMs(row));
      }
    },
  );
});

describe('the personas of another day', () => {
  it('keep the key and content of every booked record that both days have', () => {
    const later = makePersonas(now + 3 * dayMs);
    let shared = 0;
    for (const [index, { accounts }] of personas.entries()) {
      for (const [position, { acct, entries }] of accounts.entries()) {
        const other = later[index]?.accounts[position] as PersonaAccount;
        expect(other.acct).toEqual(acct);
        const kept = new Map(other.entries.map((row) => [row.key, row]));
        for (const row of entries.filter(({ state, key }) => state === 'POSTED' && kept.has(key))) {
          expect(kept.get(row.key)).toEqual({ ...row, bal: kept.get(row.key)?.bal });
          shared++;
        }
      }
    }
    expect(shared).toBeGreaterThan(13_000);
  });

  it('are the same on the same day', () => {
    expect(makePersonas(now)).toEqual(personas);
  });

  it.each(['2024-02-29T12:00:00Z', '2027-03-28T00:30:00Z', '2028-01-01T00:00:00.000Z', '2026-10-25T01:30:00Z'])(
    'can be made on %s',
    (day) => {
      const made = makePersonas(Date.parse(day));
      expect(made.find(({ name }) => name === 'history')?.accounts[0]?.entries).toHaveLength(12_000);
      expect(made.find(({ name }) => name === 'calendar')?.accounts[0]?.entries).toHaveLength(14);
    },
  );
});
