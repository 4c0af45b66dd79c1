// Nightly: it tests the kit, a tool for banks, with some hundred wrong adapters.
import { describe, expect, it } from '@jest/globals';
import { type AdapterUnderTest, checkCoreAdapter, type ClauseId } from '../../packages/adapter-kit/adapter-kit.js';
import { rightKit } from './right-kit.js';
import { wrongAboutHistory } from './wrong-adapters/history.js';
import { wrongAdapters } from './wrong-adapters/wrong-adapters.js';

async function outcomeOf(kit: AdapterUnderTest, clause: ClauseId): Promise<string> {
  for await (const { outcome, reason = '' } of checkCoreAdapter(kit, [clause])) return `${outcome}: ${reason}`;
  throw new Error('the clause was not checked');
}

describe('the adapter kit finds by', () => {
  it.each(wrongAdapters)('%s an adapter that %s', async (clause, _, make) => {
    expect(await outcomeOf(make(rightKit), clause)).toMatch(/^broken/);
  });

  it.each(wrongAboutHistory)('%s an adapter that %s, where the test core cannot be filled', async (clause, _, make) => {
    const core: AdapterUnderTest['core'] = async (wanted) => ({ ...(await rightKit.core(wanted)), fill: undefined });
    expect(await outcomeOf(make({ ...rightKit, core }), clause)).toMatch(/^broken/);
  });
});

it.each([
  [
    'gives the available balance without the sign',
    'balances of account A100303: available.amount: is 1234n GBP and must be -1234n GBP: ' +
      'keep the sign of the core’s amount, or take it from the field that has it',
  ],
  [
    'leaves out a credit limit of zero',
    'balances of account A109904: creditLimit is missing where the core has 0n GBP: zero is an amount',
  ],
  [
    'cuts the list of accounts after the twentieth',
    'accounts of C1003: 20 where the core has 103: read the core’s list to its end',
  ],
])('the adapter kit says to the author of an adapter that %s how to fix it', async (wanted, sentence) => {
  for (const [clause, does, make] of wrongAdapters)
    if (does === wanted) expect(await outcomeOf(make(rightKit), clause)).toBe(`broken: ${sentence}`);
  expect.assertions(1);
});
