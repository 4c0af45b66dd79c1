import { describe, expect, it, jest } from '@jest/globals';
import { lackOf, mutantLines, type MutantResult, mutate } from '../../adapter-tools/mutate.js';
import type { AdapterUnderTest, ClauseId, TestCore } from '../../packages/adapter-kit/adapter-kit.js';
import { type Mutant, mistakeIn } from '../../packages/adapter-kit/mutants/mutant.js';
import { mutants } from '../../packages/adapter-kit/mutants/mutants.js';
import type { CoreAdapter, CoreItems } from '../../packages/core-adapter/core.adapter.js';
import type { CoreAccount, CoreTime } from '../../packages/core-adapter/core.records.js';
import { tinyKit } from '../adapter-kit/tiny-core.js';
import { TinyAdapter } from '../adapter-kit/tiny.adapter.js';

const rightKit = tinyKit((settings) => new TinyAdapter(settings));
const named = (does: string): Mutant => mutants.find((mutant) => mutant.does === does) as Mutant;
const cutsTimes = named('cuts the time of a balance to the minute');
const keepsBalances = named('keeps balances for a minute');

async function resultsOf(
  kit: AdapterUnderTest,
  made: readonly Mutant[],
  ...others: readonly ClauseId[]
): Promise<MutantResult[]> {
  const results: MutantResult[] = [];
  for await (const result of mutate(kit, made, others)) results.push(result);
  return results;
}

describe('the tool that breaks an adapter', () => {
  it('names the clause that finds a break', async () => {
    const [result] = await resultsOf(rightKit, [cutsTimes]);
    expect(mutantLines(result as MutantResult)).toBe(
      '✓ caught by CORE-27: an adapter that cuts the time of a balance to the minute',
    );
  });

  it('asks the other clauses when those that should find a break do not', async () => {
    const losesAccount: Mutant = {
      does: 'loses an account',
      clauses: ['CORE-07'],
      needs: 'an account',
      make: mistakeIn(async (call, ask) => {
        const answer = await ask(call);
        return call.read === 'accounts' ? { ...answer, items: (answer as CoreItems<object>).items.slice(1) } : answer;
      }),
    };
    expect(await resultsOf(rightKit, [losesAccount], 'CORE-03', 'CORE-04')).toMatchObject([
      { outcome: 'caught', by: 'CORE-03' },
    ]);
  });

  it('says of a break that survives why each clause that should find it did not', async () => {
    const cut = (at: CoreTime): CoreTime =>
      at instanceof Date ? new Date(at.getTime() - (at.getTime() % 60_000)) : at;
    const truth: AdapterUnderTest['truth'] = async (...of) => {
      const { balances = [], ...rest } = await rightKit.truth(...of);
      return { ...rest, balances: balances.map((row) => ({ ...row, at: cut(row.at) })) };
    };
    const without = { 'CORE-59': 'the test core cannot change its accounts' };
    const harmless: Mutant = {
      does: 'does its work',
      clauses: ['CORE-07'],
      needs: 'a break',
      make: (adapter) => adapter,
    };
    const results = await resultsOf({ ...rightKit, truth, without }, [cutsTimes, keepsBalances, harmless]);
    expect(results.map(mutantLines)).toEqual([
      expect.stringMatching(
        /^✗ survives: .*\n {4}CORE-27 is broken without this mistake, too: the truth has no balance whose time has seconds/,
      ),
      expect.stringMatching(/\n {4}CORE-59 is left out: the test core cannot change its accounts$/),
      expect.stringMatching(/\n {4}CORE-07 is kept all the same$/),
    ]);
    expect(lackOf(results, 'the truth or the test core')).toBe(
      '3 of 3 broken adapters would pass: the truth or the test core lacks a balance whose time has seconds; ' +
        'a balance that the test core can change, by `change`; a break',
    );
  });

  it('says why a break cannot be made on a core', async () => {
    const lacking = (settings: ConstructorParameters<typeof TinyAdapter>[0]) =>
      Object.assign(new TinyAdapter(settings), { balances: undefined });
    const results = await resultsOf(tinyKit(lacking), [keepsBalances]);
    expect(results.map(mutantLines)).toEqual([
      '– cannot be made here: an adapter that keeps balances for a minute\n    the adapter has no read balances',
    ]);
    expect(lackOf(results, 'the truth or the test core')).toBeUndefined();
  });

  it('shows no output of a broken adapter', async () => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      const [result] = await resultsOf(rightKit, [named('writes records to standard output')]);
      expect(result?.outcome).toBe('caught');
      expect(write).not.toHaveBeenCalled();
    } finally {
      write.mockRestore();
    }
  });
});

describe('of the breaks that the tool knows', () => {
  const account: CoreAccount = { ref: '1', product: 'Savings', currency: 'GBP', permitted: true, holder: 'personal' };
  const subjects = [{ customerRef: '7', accountRef: '1', truth: { account } }];
  const people = [{ customerRef: '7', accountRefs: ['1'] }];
  const core: TestCore = { url: 'http://core', close: () => Promise.resolve() };

  it('those that a core with little data cannot show are named with the reason', () => {
    const adapter = { missing: {} } as CoreAdapter;
    const reasons = mutants.map(({ hindrance }) => hindrance?.({ adapter, people, subjects, isOverHttp: false, core }));
    expect(new Set(reasons)).toEqual(
      new Set([
        undefined,
        ...['scheduledPayments', 'standingOrders', 'transactions', 'party', 'balances', 'offers', 'statements'].map(
          (read) => `the adapter has no read ${read}`,
        ),
        'no customer could see four accounts of others',
        'the core has one customer',
        'no reference of a customer or an account has a letter',
        'the core does not speak HTTP: the kit cannot see the interaction id',
      ]),
    );
  });

  it('those about special accounts and records are named with the reason where a core has no such data', () => {
    const read = (): never => undefined as never;
    const reads = { scheduledPayments: read, standingOrders: read, transactions: read, party: read, balances: read };
    const adapter = { missing: {}, ...reads } as unknown as CoreAdapter;
    const reasons = mutants.map(({ hindrance }) => hindrance?.({ adapter, people, subjects, isOverHttp: true, core }));
    for (const reason of [
      'every account is in a currency with two decimals',
      'no account has two holders',
      'transactions have days and no times',
      'the core shows no pending transactions',
      'balances have days and no times',
      'the test core has no `fill`, which would bring such data',
    ])
      expect(reasons).toContain(reason);
  });
});
