import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CoreAdapter, CoreItems } from '../../packages/core-adapter/core.adapter.js';
import { Stack, type ConsentedCustomer, type Json } from '../support/stack.js';
import { withReads } from '../support/wrapped-adapter.js';

const reads = [
  'accounts',
  'transactions',
  'scheduledPayments',
  'beneficiaries',
  'directDebits',
  'standingOrders',
] as const;

type AnyRead = (...given: unknown[]) => Promise<CoreItems<object>>;

/** The adapter of a core that, where the test asks for it, sends each answer's first record again as its last. */
function repeating(adapter: CoreAdapter, repeats: () => boolean): CoreAdapter {
  return withReads(
    adapter,
    Object.fromEntries(
      reads.map((read) => [
        read,
        async (...given: unknown[]) => {
          const answer = await (adapter[read] as unknown as AnyRead).apply(adapter, given);
          return repeats() ? { ...answer, items: [...answer.items, ...answer.items.slice(0, 1)] } : answer;
        },
      ]),
    ),
  );
}

describe('a record that the core sends twice in one answer', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let repeats = false;
  beforeAll(async () => {
    stack = await Stack.start({ adapter: (ledger) => repeating(ledger, () => repeats) });
    customer = await stack.consent({ persona: 'complete' });
  });
  afterAll(() => stack.close());

  const counted = async (read: string): Promise<number> => {
    const { body } = await stack.gateway.bankServer.inject('/metrics');
    return Number(
      new RegExp(`gateway_core_bad_records_total\\{core="ledger",read="${read}"\\} (\\d+)`).exec(body)?.[1] ?? 0,
    );
  };
  const shown = async (path: string): Promise<Json[]> => {
    const { status, json } = await stack.ask(path, { token: customer.token });
    expect(status).toBe(200);
    return Object.values<Json[]>(json.Data)[0] ?? [];
  };

  it.each([
    ['accounts', ''],
    ['transactions', '/transactions'],
    ['scheduledPayments', '/scheduled-payments'],
    ['beneficiaries', '/beneficiaries'],
    ['directDebits', '/direct-debits'],
    ['standingOrders', '/standing-orders'],
  ])('is served once and is a bad record: %s', async (read, end) => {
    const path = end === '' ? '/accounts' : `/accounts/${customer.accountId('CurrentAccount')}${end}`;
    repeats = false;
    const [once, before] = [await shown(path), await counted(read)];
    repeats = true;
    stack.log.length = 0;
    expect(await shown(path)).toEqual(once);
    expect(once.length).toBeGreaterThan(0);
    expect((await counted(read)) - before).toBe(1);
    const told = stack.log
      .filter((line) => line.includes('records of the core that cannot be read are not in the answer'))
      .map((line) => JSON.parse(line));
    expect(told).toEqual([
      expect.objectContaining({
        read,
        count: 1,
        bad: [
          {
            where: expect.stringMatching(new RegExp(`^${read}\\[\\d+\\]$`)),
            fault: 'it has the id of a record before it',
          },
        ],
      }),
    ]);
  });
});
