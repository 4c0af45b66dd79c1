import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { people } from '../people.js';
import { KitBank } from './kit-bank.js';

const own = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'kit-bank-'));
const path = join(folder, 'bank.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

describe('the file of a bank', () => {
  beforeEach(() => {
    for (const name of ['bank.sql', 'customer.sql']) copyFileSync(join(own, name), join(folder, name));
  });

  const edited = (...edits: readonly (readonly [from: string, to: string])[]): string => {
    const right = readFileSync(join(own, 'bank.yaml'), 'utf8');
    for (const [from] of edits) expect(right).toContain(from);
    writeFileSync(
      path,
      edits.reduce((text, [from, to]) => text.replace(from, () => to), right),
    );
    return path;
  };
  const holdersIn = (bank: KitBank): string[][] =>
    [...bank.truths().values()].map((accounts) => [...new Set(accounts.map(({ account }) => account.holder))]);

  it('may have the holder in the row of the customer: then all accounts of a customer of the kit have one holder', () => {
    const mixed = [...people.values()].filter(
      (accounts) => new Set(accounts.map(({ account }) => account.holder)).size > 1,
    );
    expect(mixed.length).toBeGreaterThan(0);
    expect(holdersIn(new KitBank(edited())).filter(({ length }) => length > 1)).not.toEqual([]);
    const bank = new KitBank(edited(['  fill:', '  same: { accounts: holder }\n  fill:']));
    expect(holdersIn(bank).filter(({ length }) => length > 1)).toEqual([]);
    const written = new Map<string, Set<string>>();
    for (const { cells } of bank.insertions().filter(({ place }) => place === 'test.fill.accounts')) {
      const customer = String(cells['customer']);
      written.set(customer, (written.get(customer) ?? new Set<string>()).add(String(cells['cust_typ'])));
    }
    expect(written.size).toBe(people.size);
    expect([...written.values()].filter(({ size }) => size > 1)).toEqual([]);
  });

  it('is named with all its faults at once, those of the section for the kit too', () => {
    const faulty = edited(
      ['pending: id-kept', 'pending: never'],
      ['example: customer.sql', 'example: none.sql'],
      ['  fill:', '  same: { accounts: holdr }\n  computed: { balance: kind }\n  fill:'],
    );
    let message = '';
    try {
      new KitBank(faulty);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message.split('; ')).toEqual([
      'CORE_SQL_FILE bank.yaml: pending must be one of none, id-kept, id-changes',
      'test.example names no file that can be read',
      expect.stringMatching(/^test\.same\.accounts has holdr, and the fields here are ref, product, /),
      expect.stringMatching(/^test\.computed\.balance is not known: the members here are accounts, balances, /),
    ]);
  });
});
