import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CoreContext } from '../../packages/core-adapter/core.adapter.js';
import { Stack, type ConsentedCustomer } from '../support/stack.js';
import { withReads } from '../support/wrapped-adapter.js';

describe('the context that a core adapter gets', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let contexts: CoreContext[] = [];
  /** Called by each read before it asks the core. */
  let during: () => Promise<unknown> = () => Promise.resolve();
  beforeAll(async () => {
    stack = await Stack.start({
      adapter: (ledger) =>
        withReads(ledger, {
          accounts: async (context) => {
            contexts.push(context);
            await during();
            return ledger.accounts(context);
          },
        }),
    });
    customer = await stack.consent({ persona: 'saver' });
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    contexts = [];
    during = () => Promise.resolve();
  });

  const read = async ({ token }: ConsentedCustomer, headers: Record<string, string> = {}): Promise<number> =>
    (await stack.ask('/accounts', { token, headers })).status;
  const present = { 'x-fapi-customer-ip-address': '203.0.113.7' };

  it('names the TPP by the same text in each of its reads, by which no one knows it', async () => {
    await read(customer);
    await read(await stack.consent({ persona: 'saver' }));
    await read(await stack.consent({ persona: 'saver', clientId: 'tpp-two' }));
    // The customer's selection is read for the bank.
    const names = contexts.map(({ tpp }) => tpp);
    expect(names).toEqual([expect.any(String), undefined, names[0], undefined, expect.any(String)]);
    expect(names[4]).not.toBe(names[0]);
    expect(names[0]).toMatch(/^[\w-]{43}$/);
  });

  it('says whether the customer is present, as the TPP states it', async () => {
    await read(customer);
    await read(customer, present);
    expect(contexts.map(({ customerPresent }) => customerPresent)).toEqual([false, true]);
  });

  it('is not shared by reads of two consents, nor by reads with and without the customer', async () => {
    const other = await stack.consent({ persona: 'saver' });
    contexts = [];
    let arrived = 0;
    during = async () => {
      arrived++;
      const patience = AbortSignal.timeout(2_000);
      while (arrived < 3 && !patience.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await Promise.all([read(customer), read(customer, present), read(other)]);
    expect(contexts).toHaveLength(3);
  });
});
