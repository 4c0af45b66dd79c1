import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { type SandboxBank, startSandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { createCoreAdapter } from '../../src/adapters/load-adapter.js';
import { Pseudonyms } from '../../adapter-tools/pseudonyms.js';
import { type Fixture, record } from '../../adapter-tools/recording.js';

const key = Buffer.alloc(32, 7);

describe('a pseudonym', () => {
  const names = new Pseudonyms(key, new Set(['status']));

  it('is the same for the same word, wherever it stands, and another under another key', () => {
    expect(names.text('PAID TO A100101, thanks')).toContain(names.text('A100101'));
    expect(new Pseudonyms(key, new Set()).text('Amelia Hart')).toBe(names.text('Amelia Hart'));
    expect(new Pseudonyms(Buffer.alloc(32, 8), new Set()).text('Amelia Hart')).not.toBe(names.text('Amelia Hart'));
  });

  it('has the form of the text that it replaces, and a different character at each place', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (text) => {
        const instead = [...names.text(text)];
        const original = [...text];
        expect(instead).toHaveLength(original.length);
        for (const [index, letter] of original.entries()) {
          const kind = [/^[0-9]$/, /^[a-z]$/, /^[A-Z]$/].find((one) => one.test(letter));
          if (kind !== undefined) expect(instead[index]).toMatch(kind);
          if (/[\p{L}\p{M}\p{N}]/u.test(letter)) expect(instead[index]).not.toBe(letter);
          else expect(instead[index]).toBe(letter);
        }
      }),
    );
  });

  it('of a number is a number of as many digits and the same sign; zero stays', () => {
    const numbers = names.json([184327, -9, 12.5, 0, 7]) as number[];
    expect(numbers.map((number) => String(number).replace(/\d/g, '9'))).toEqual(['999999', '-9', '99.9', '9', '9']);
    expect(numbers[3]).toBe(0);
    expect(numbers).not.toContain(184327);
  });

  it('is given to all but the fields that are kept, yes and no, and written dates', () => {
    const said = {
      status: 'OPEN',
      holder: 'Amelia',
      joint: true,
      since: '2026-02-28',
      none: null,
      at: '2026-02-28T10:00:00.5Z',
    };
    const { holder, ...rest } = names.json(said) as typeof said;
    expect(rest).toEqual({
      status: 'OPEN',
      joint: true,
      since: '2026-02-28',
      none: null,
      at: '2026-02-28T10:00:00.5Z',
    });
    expect(holder).not.toBe('Amelia');
  });

  it('is given to the name of a member that is a number', () => {
    expect(Object.keys(names.json({ '10010010': {}, balance2: {} }) as object)).toEqual([
      names.text('10010010'),
      'balance2',
    ]);
  });
});

describe('a recording of a core', () => {
  let bank: SandboxBank;
  let folder: string;
  let files: Map<string, string>;
  // The ledger's code words, and its dates, which it writes without separators.
  const keep =
    'prod,ccy,segment,status,fig,state,side,booked,made,at,due,value,by,on,until,opened,closed,payby,kind,how,reach,payees.sort,form,rule,family,first,next,last';

  beforeAll(async () => {
    bank = await startSandboxBank({ port: 0, credential: 'staff', issuerKeys: await makeIssuerKeys() });
    folder = await mkdtemp(join(tmpdir(), 'recording-'));
    const settings = { url: bank.coreUrl, connections: 2, variables: { CORE_SECRET: 'not-for-a-file' } };
    await record((given) => createCoreAdapter('ledger', given, kitServices), settings, {
      customerRef: 'C1001',
      keep: keep.split(','),
      folder,
    });
    const names = await readdir(folder);
    files = new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
    );
  });
  afterAll(async () => {
    await bank.close();
    await rm(folder, { recursive: true });
  });

  /** Every word and number that the bank keeps of a customer, those of fields that are kept apart. */
  function wordsOf(value: unknown, field = ''): { kept: boolean; word: string }[] {
    if (Array.isArray(value)) return value.flatMap((item) => wordsOf(item, field));
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([name, inner]) => wordsOf(inner, name));
    const kept = keep.split(',').includes(field);
    return (String(value).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ({ kept, word }));
  }

  it('has an answer to every read of every account', () => {
    expect(files.size).toBe(1 + 5 * 11);
  });

  it('has nothing left of the original', () => {
    const person = bank.personas.find(({ name }) => name === 'complete');
    const words = wordsOf([
      person?.person,
      person?.accounts.map(({ acct, lists, entries }) => [acct, lists, entries.slice(-25)]),
    ]);
    const kept = new Set(words.filter((one) => one.kept).map(({ word }) => word));
    // Fewer letters or digits stand in some pseudonym by chance, and some words are also code words.
    const telling = [...new Set(words.map(({ word }) => word))].filter((word) => word.length >= 6 && !kept.has(word));
    expect(telling.length).toBeGreaterThan(50);
    for (const [name, text] of files)
      expect([
        name,
        telling.filter((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'u').test(text)),
      ]).toEqual([name, []]);
    for (const text of files.values()) expect(text).not.toContain('not-for-a-file');
  });

  it('says the same for the same in every file, in paths as in bodies', () => {
    const of = (
      name: string,
    ): { request: string; body: { accts: { key: string }[]; acct: unknown; person: { key: string } } } =>
      JSON.parse(files.get(name) ?? '');
    const [account] = of('accounts.json').body.accts;
    expect(of('balances-1.json').request).toContain(`/accts/${account?.key}/figures`);
    expect(of('balances-1.json').body.acct).toEqual(account);
    expect(of('party-1.json').request).toContain(`/clients/${of('party-1.json').body.person.key}/`);
  });

  it('keeps code words and the answer’s form, so that the adapter can read it', () => {
    const { status, contentType, body } = JSON.parse(files.get('balances-3.json') ?? '') as Fixture;
    expect([status, contentType]).toEqual([200, expect.stringContaining('application/json')]);
    expect(body).toMatchObject({
      acct: { prod: 'CRD400', ccy: 'GBP' },
      figures: [{ fig: 'LEDGER' }, { fig: 'SPEND' }],
    });
  });
});
