import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { oneError } from '../support/error-shape.js';
import { dayMs, noon, Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';
import { until } from '../support/until.js';
import { watched, type AskedRead } from '../support/wrapped-adapter.js';

const connections = 8;
/** How many reads of one TPP may wait. */
const mostWaiting = 256;
const patienceMs = 30_000;
/** A read ends only when a test ends it, however slow the machine is. */
const deadlineMs = 600_000;

interface HeldRead {
  readonly customer: string;
  readonly end: (error?: Error) => void;
}

describe('reads of several TPPs', () => {
  let stack: Stack;
  /** Customers of three TPPs. The last one is the first TPP's customer, who has also given access to the second TPP. */
  let flooding: ConsentedCustomer;
  let quiet: ConsentedCustomer;
  let third: ConsentedCustomer;
  let sameCustomer: ConsentedCustomer;
  /** Reads that the core has not answered yet, in the order in which it was asked. */
  const held: HeldRead[] = [];
  let holds: (asked: AskedRead) => boolean = () => false;
  let asked: AskedRead[] = [];

  beforeAll(async () => {
    const before = (read: AskedRead): unknown => {
      asked.push(read);
      if (!holds(read)) return undefined;
      return new Promise<void>((resolve, reject) => {
        const one: HeldRead = {
          customer: read.customerRef,
          end: (error) => {
            held.splice(held.indexOf(one), 1);
            if (error === undefined) resolve();
            else reject(error);
          },
        };
        held.push(one);
      });
    };
    stack = await Stack.start({ core: { connections, deadlineMs }, adapter: (ledger) => watched(ledger, before) });
    flooding = await stack.consent({ persona: 'complete', clientId: 'tpp-one' });
    quiet = await stack.consent({ persona: 'joint', clientId: 'tpp-two' });
    third = await stack.consent({ persona: 'history', clientId: 'tpp-three' });
    sameCustomer = await stack.consent({ persona: 'complete', clientId: 'tpp-two' });
  });
  afterEach(async () => {
    endAll();
    await untilWaiting(0);
    // The next test begins with closed circuits.
    for (const customer of [flooding, quiet, third])
      await until(async () => (await statuses(of(customer).ask(1)))[0] === 200, patienceMs);
    asked = [];
  });
  afterAll(() => stack.close());

  const endAll = (): void => {
    holds = () => false;
    for (const read of [...held]) read.end();
  };
  const of = (customer: ConsentedCustomer) => ({
    held: () => held.filter((one) => one.customer === customer.customerRef),
    /** Each read is different, because identical ones would be made once, and returns few rows. */
    ask: (count: number): Promise<Answer>[] =>
      Array.from({ length: count }, (_, index) => {
        const from = new Date(noon - dayMs + index * 1_000).toISOString();
        const account = customer.accounts[0]?.AccountId;
        return stack.ask(`/accounts/${account}/transactions?fromBookingDateTime=${from}`, { token: customer.token });
      }),
  });
  const metric = async (name: string): Promise<number> => {
    const { body } = await stack.gateway.bankServer.inject('/metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
  };
  const untilWaiting = (reads: number): Promise<void> => untilWaitingAndHeld(reads, () => 0);
  /** Counts the held reads again each time: the core may get more of them while this waits. */
  const untilWaitingAndHeld = async (reads: number, heldReads: () => number): Promise<void> => {
    let found = Number.NaN;
    for (const giveUp = performance.now() + patienceMs; found !== reads;) {
      if (performance.now() > giveUp) throw new Error(`${found} reads instead of ${reads}`);
      found = (await metric('gateway_core_waiting_reads{core="ledger"}')) + heldReads();
      await sleep(5);
    }
  };
  const statuses = async (answers: readonly Promise<Answer>[]): Promise<number[]> =>
    (await Promise.all(answers)).map(({ status }) => status);

  it('are answered while any number of slow reads of another TPP are under way', async () => {
    holds = ({ customerRef }) => customerRef === flooding.customerRef;
    const slow = of(flooding).ask(100);
    await until(() => held.length > 0, patienceMs);
    expect(new Set(await statuses(of(quiet).ask(10)))).toEqual(new Set([200]));
    expect(of(flooding).held()).toHaveLength(connections / 2);

    endAll();
    expect(new Set(await statuses(slow))).toEqual(new Set([200]));
  });

  it('never hold more than half of the connections for one TPP, and are served in turn', async () => {
    holds = () => true;
    const answers: Promise<Answer>[] = [];
    for (const [index, customer] of [flooding, quiet, third].entries()) {
      answers.push(...of(customer).ask(20));
      await until(() => of(customer).held().length > 0, patienceMs);
      // So that all reads of the first TPP come before those of the next one.
      await untilWaitingAndHeld(20 * (index + 1), () => held.length);
      expect(Math.max(...[flooding, quiet, third].map((each) => of(each).held().length))).toBeLessThanOrEqual(4);
    }
    let answered = 0;
    for (const answer of answers) void answer.then(() => answered++);
    const soFar = asked.length;
    for (let count = 1; count <= 30; count++) {
      held[0]?.end();
      await until(() => answered === count, patienceMs);
      expect(Math.max(...[flooding, quiet, third].map((each) => of(each).held().length))).toBeLessThanOrEqual(4);
    }
    const served = [flooding, quiet, third].map(
      ({ customerRef }) => asked.slice(soFar).filter((each) => each.customerRef === customerRef).length,
    );
    expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(2);

    endAll();
    expect(new Set(await statuses(answers))).toEqual(new Set([200]));
  });

  it('are refused with 429 where too many of the same TPP wait, but not because of another TPP’s', async () => {
    holds = ({ customerRef }) => customerRef === flooding.customerRef;
    const most = connections / 2 + mostWaiting;
    const waiting = of(flooding).ask(most);
    await untilWaiting(mostWaiting);
    const beyond = await stack.ask(`/accounts/${flooding.accountId('CurrentAccount')}/balances`, {
      token: flooding.token,
    });
    expect([beyond.status, beyond.headers['retry-after'], beyond.json]).toEqual([
      429,
      '1',
      oneError({ Code: '429 TooManyRequests', ErrorCode: 'UK.AIG.Requests.TooMany' }),
    ]);
    const interactionId = beyond.headers['x-fapi-interaction-id'];
    expect(interactionId).toEqual(expect.any(String));
    // No check refused it.
    const recorded = stack.log.map((line) => (JSON.parse(line) as { access?: Record<string, unknown> }).access);
    expect(recorded.filter((access) => access?.['interactionId'] === interactionId)).toEqual([
      expect.objectContaining({ status: 429, error: 'too-many-requests' }),
    ]);
    expect(recorded.find((access) => access?.['interactionId'] === interactionId)).not.toHaveProperty('refusedBy');
    expect(await statuses(of(quiet).ask(10))).toEqual(new Array(10).fill(200));

    endAll();
    expect(new Set(await statuses(waiting))).toEqual(new Set([200]));
    expect(asked.filter(({ read }) => read === 'balances')).toEqual([]);
    const { body } = await stack.gateway.bankServer.inject('/metrics');
    expect(body).toContain(
      'gateway_core_read_duration_seconds_count{core="ledger",read="balances",outcome="refused"} 1',
    );
  });

  it('do not delay the bank’s reads: it reports an approval while a TPP sends a flood', async () => {
    holds = ({ read }) => read !== 'accounts';
    const slow = of(flooding).ask(40);
    await untilWaiting(40 - connections / 2);
    await stack.consent({ persona: 'joint', clientId: 'tpp-one' });

    endAll();
    expect(new Set(await statuses(slow))).toEqual(new Set([200]));
  });

  it('are never shared: no TPP waits for the answer to another TPP’s read, even of the same customer', async () => {
    let first = true;
    holds = () => first;
    const slow = of(flooding).ask(1);
    await until(() => held.length === 1, patienceMs);
    first = false;
    expect(await statuses(of(sameCustomer).ask(1))).toEqual([200]);
    expect(held).toHaveLength(1);
    held[0]?.end();
    expect(await statuses(slow)).toEqual([200]);
  });

  it('do not stop because one customer’s account is slow, also not for that TPP’s other customers', async () => {
    const other = await stack.consent({ persona: 'joint', clientId: 'tpp-one' });
    holds = ({ customerRef }) => customerRef === flooding.customerRef;
    for (let count = 0; count < 60; count++) {
      const slow = of(flooding).ask(1);
      await until(() => held.length === 1, patienceMs);
      held[0]?.end(new CoreError('timeout', 'no complete answer within the deadline'));
      expect(await statuses(slow)).toEqual([503]);
    }
    expect(await statuses([...of(other).ask(1), ...of(quiet).ask(1)])).toEqual([200, 200]);
    expect(await metric('gateway_core_open_circuits{core="ledger"}')).toBe(0);
  });

  it('continue while the core fails another TPP’s reads', async () => {
    holds = ({ customerRef }) => customerRef === flooding.customerRef;
    const down = new CoreError('unavailable', 'the connection was refused', 1);
    let refused = 0;
    while (refused < 20) {
      const failing = of(flooding).ask(1);
      await until(() => held.length === 1, patienceMs);
      held[0]?.end(down);
      expect(await statuses(failing)).toEqual([503]);
      if ((await metric('gateway_core_open_circuits{core="ledger"}')) === 1) break;
      refused++;
    }
    // Now the gateway does not ask the core for the first TPP, and asks it for the second.
    expect(await metric('gateway_core_open_circuits{core="ledger"}')).toBe(1);
    expect(await statuses(of(quiet).ask(1))).toEqual([200]);
  });
});
