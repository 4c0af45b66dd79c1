import { describe, expect, it, jest } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AdapterUnderTest, clauses, printCoreAdapterCheck } from '../../packages/adapter-kit/adapter-kit.js';
import { signOnClauses } from '../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { skippedClausesOf } from '../../packages/adapter-kit/skipped-clauses.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { resultOf, resultsOf, rightKit } from './right-kit.js';
import { but, calls, list } from './wrong-adapters/wrong-adapter.js';

/** The ids of the clauses in the rows of a folder's specs. */
function foundIn(folder: string): string[] {
  const names = readdirSync(join(import.meta.dirname, folder)).filter((name) => name.endsWith('.spec.ts'));
  const texts = names.map((name) => readFileSync(join(import.meta.dirname, folder, name), 'utf8'));
  const ids = texts.flatMap((text) => [...text.matchAll(/'((?:CORE|SIGN)-\d\d)',/g)].map(([, id = '']) => id));
  return [...new Set(ids)].toSorted();
}

describe('the adapter kit', () => {
  it('numbers its clauses in order, and has a wrong adapter for each', () => {
    const ids = clauses.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    for (const id of ids) expect(id).toMatch(/^CORE-\d\d$/);
    expect(foundIn('wrong-adapters')).toEqual(ids);
    // A wrong setting is the adapter's own matter: no mistake around it shows there.
    expect(['SIGN-01', ...foundIn('sign-on')]).toEqual(signOnClauses.map(({ id }) => id));
  });

  it('lets an adapter name every record as bad that reads the account in a call before the records', async () => {
    const twoCalls = calls(() => async (call, ask) => {
      if (['accounts', 'account', 'findPaymentAccount', 'fundsAvailable'].includes(call.read)) return ask(call);
      const account = await ask({ ...call, read: 'account' });
      return ask(call).catch(() => ({ account, items: [], bad: [{ where: 'rows', fault: 'unreadable' }] }));
    });
    expect(await resultOf(twoCalls(rightKit), 'CORE-50')).toMatchObject({ outcome: 'kept' });
  });

  it('says for which customer an unknown one has no empty list', async () => {
    const strict = list('accounts', (items) => {
      if (items.length === 0) throw new CoreError('account-not-found', 'the core knows no such customer');
      return items;
    });
    expect((await resultOf(strict(rightKit), 'CORE-07')).reason).toBe(
      'accounts of the unknown customer "no-such-customer": threw account-not-found (the core knows no such customer) ' +
        'where the list has to be empty',
    );
  });

  it('names the window of transactions whose read fails', async () => {
    const shortSighted = calls(() => async (call, ask) => {
      if ((call.query?.to?.getFullYear() ?? 0) > 9999)
        throw new CoreError('bad-record', 'the core refused the question');
      return ask(call);
    });
    expect((await resultOf(shortSighted(rightKit), 'CORE-29')).reason).toMatch(
      /^account A10\d+, from -271821-04-20T00:00:00.000Z, to \+275760-09-13T00:00:00.000Z: bad-record: the core refused the question$/,
    );
  });
});

describe('a clause that the kit leaves out', () => {
  const kitWithout = (missing: CoreAdapter['missing']): AdapterUnderTest =>
    but(() => ({ offers: undefined, missing }))(rightKit);
  const declarations = (kit: AdapterUnderTest) => resultOf(kit, 'CORE-02');

  it.each<[string, AdapterUnderTest, RegExp | undefined]>([
    [
      'is accepted when the adapter declares the read missing',
      { ...kitWithout({ offers: 'the core has no offers' }), without: { 'CORE-13': 'the core has no offers' } },
      undefined,
    ],
    [
      'need not be named when the adapter declares the read missing',
      kitWithout({ offers: 'the core has no offers' }),
      undefined,
    ],
    [
      'is refused when the adapter serves the read',
      { ...rightKit, without: { 'CORE-13': 'no time for it' } },
      /without: CORE-13 may not/,
    ],
    ['needs a reason', { ...rightKit, without: { 'CORE-22': ' ' } }, /without: CORE-22 has no reason/],
    [
      'is accepted with a reason if a core may lack the subject',
      { ...rightKit, without: { 'CORE-22': 'pounds only here' } },
      undefined,
    ],
    [
      'is refused for a clause that holds for every core',
      { ...rightKit, without: { 'CORE-08': 'one customer only' } },
      /without: CORE-08 may not/,
    ],
  ])('%s', async (_, kit, reason) => {
    const result = await declarations(kit);
    expect(result.outcome).toBe(reason === undefined ? 'kept' : 'broken');
    if (reason !== undefined) expect(result.reason).toMatch(reason);
  });

  it('is reported with its reason and does not run', async () => {
    const result = await resultOf({ ...rightKit, without: { 'CORE-22': 'pounds only here' } }, 'CORE-22');
    expect(result).toMatchObject({ outcome: 'skipped', reason: 'pounds only here' });
  });

  it.each<[string, AdapterUnderTest, readonly string[]]>([
    ['a missing read', kitWithout({ offers: 'the core has no offers' }), ['CORE-13: the core has no offers']],
    [
      'no pending transactions',
      but(() => ({ pending: 'none' }))(rightKit),
      ['CORE-34', 'CORE-35'].map((id) => `${id}: the adapter declares that the core shows no pending transactions`),
    ],
    [
      'ids that change',
      but(() => ({ pending: 'id-changes' }))(rightKit),
      ['CORE-35: the adapter declares that a pending transaction gets another id when it is booked'],
    ],
  ])('is skipped with the adapter’s own reason where the adapter declares %s', async (_, kit, reasons) => {
    const results = await resultsOf(kit, ['CORE-12', 'CORE-13', 'CORE-34', 'CORE-35']);
    const skipped = results.filter(({ outcome }) => outcome === 'skipped');
    expect(skipped.map(({ clause, reason }) => `${clause.id}: ${reason}`)).toEqual(reasons);
    expect([...(await skippedClausesOf(kit))].map(([id, reason]) => `${id}: ${reason}`)).toEqual(reasons);
  });

  it('needs a reason in the adapter, too', async () => {
    const result = await declarations({ ...kitWithout({}), without: { 'CORE-13': 'the core has no offers' } });
    expect(result.reason).toMatch(/offers is not served: `missing` has to say why/);
  });
});

describe('a check that cannot begin', () => {
  const failing = (): never => {
    throw new Error('the database of the core is not there\n    at some line');
  };
  it.each<[string, Partial<AdapterUnderTest>]>([
    ['core', { core: failing }],
    ['create', { create: failing }],
    ['personas', { personas: failing }],
    ['truth', { truth: failing }],
  ])('ends in one sentence that names the part of the kit: %s', async (part, parts) => {
    const written: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    try {
      expect(await printCoreAdapterCheck({ ...rightKit, ...parts })).toBe(Number.POSITIVE_INFINITY);
    } finally {
      write.mockRestore();
    }
    expect(written.join('')).toBe(
      `The adapter cannot be checked: \`${part}\` of the kit failed: the database of the core is not there\n`,
    );
  });
});
