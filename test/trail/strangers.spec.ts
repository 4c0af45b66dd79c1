import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestEvent } from '../../src/trail/event.js';
import { portOf, readToEnd } from '../support/raw-http.js';
import { eventsOf } from '../support/read-trail.js';
import { base, Stack, type ConsentedCustomer } from '../support/stack.js';
import { until } from '../support/until.js';

const ids = (last: number): string => `93bac548-d2de-4546-b106-880a5018${String(last).padStart(4, '0')}`;
const live = 'GET /health/live HTTP/1.1\r\nHost: gateway\r\n\r\n';

describe('callers who prove nothing', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let asked: string[];
  let held: Promise<void> | undefined;
  beforeAll(async () => {
    stack = await Stack.start({
      adapter: (ledger) =>
        Object.assign(Object.create(ledger) as typeof ledger, {
          balances: async (...given: Parameters<typeof ledger.balances>) => {
            asked.push(given[1].interactionId);
            await held;
            return ledger.balances(...given);
          },
        }),
    });
    customer = await stack.consent({ persona: 'saver' });
    await stack.gateway.listen();
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    asked = [];
    held = undefined;
  });

  const requests = (): Promise<RequestEvent[]> => eventsOf(stack.config.trail.directory, 'request');
  const balances = (id: string, ...headers: string[]): string =>
    [
      `GET ${base}/accounts/${customer.accountId('Savings')}/balances HTTP/1.1`,
      'Host: gateway',
      `Authorization: Bearer ${customer.token}`,
      `x-fapi-interaction-id: ${id}`,
      ...headers,
      '',
      '',
    ].join('\r\n');

  it('and TPPs have one request of a connection handled at a time, one may wait, and a third is refused in its turn', async () => {
    let goOn: () => void = () => undefined;
    held = new Promise((resolve) => (goOn = resolve));
    const [first, second, third, unread] = [ids(1), ids(2), ids(3), ids(4)];
    const answers = readToEnd(
      portOf(stack.gateway.server),
      balances(first) + balances(second) + balances(third) + balances(unread),
    );
    await until(() => asked.length > 0);
    // One on another connection, which came later, does not wait for those.
    expect((await stack.ask('/accounts', { token: customer.token })).status).toBe(200);
    expect(asked).toEqual([first]);
    goOn();
    const text = await answers;
    expect([...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '200', '429']);
    expect([...text.matchAll(/x-fapi-interaction-id: (\S+)/g)].map(([, id]) => id)).toEqual([first, second, third]);
    expect(asked).toEqual([first, second]);
    expect(text.slice(text.lastIndexOf('HTTP/1.1'))).toMatch(/^connection: close$/im);
    expect(text).toContain('A connection may have one request under way');
  });

  it('lose the connection on which they send many requests at once, and no event of others is lost for it', async () => {
    const port = portOf(stack.gateway.bankServer);
    const strangers = Array.from({ length: 20 }, () => readToEnd(port, live.repeat(1_500)));
    const reads = Array.from({ length: 20 }, (_, read) => ids(100 + read));
    for (const id of reads)
      await stack.ask(`/accounts/${customer.accountId('Savings')}/balances`, {
        token: customer.token,
        headers: { 'x-fapi-interaction-id': id },
      });
    const answers = await Promise.all(strangers);
    const statuses = (text: string) => [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    expect(answers.map(statuses)).toEqual(strangers.map(() => ['200', '200', '429']));
    const counted = async () =>
      (await requests())
        .filter(({ reason, listener }) => reason === 'requests-at-once' && listener === 'bank')
        .reduce((sum, { count = 1 }) => sum + count, 0);
    await until(async () => (await counted()) === strangers.length);
    await until(async () => {
      const written = new Set((await requests()).map(({ id }) => id));
      return reads.every((id) => written.has(id));
    });
    expect(await stack.gateway.metrics.getSingleMetricAsString('gateway_trail_lost_events_total')).toMatch(/total 0$/m);
  });

  it('are counted in the trail beyond a few a second, all of them', async () => {
    const before = (await requests()).length;
    const each = 300;
    for (let time = 0; time < each; time++) await stack.ask('/accounts');
    const ofStrangers = async () => (await requests()).slice(before).filter(({ reason }) => reason === 'token-missing');
    const total = async () => (await ofStrangers()).reduce((sum, { count = 1 }) => sum + count, 0);
    await until(async () => (await total()) === each);
    const counted = (await ofStrangers()).filter(({ count = 1 }) => count > 1);
    expect(counted[0]).toMatchObject({ listener: 'api', endpoint: 'accounts', apiVersion: 'v3.1', status: 401 });
  });
});
