import assert from 'node:assert/strict';
import type { CustomerAuthentication, StepInput } from '../../../customer-authentication/customer-authentication.js';
import type { OpenStep, TestCustomer } from '../sign-on-under-test.js';
import { doneStep, errorOrStep, isDone, openStep, type SignOnWorld } from '../sign-on-world.js';

/** The difference between the kit's clock and the sign-on's that is not a fault, in whole seconds. */
const clockToleranceMs = 5_000;
/** The adapter's clock is ahead by this: a time of it in place of the sign-on's is seen. */
const clockAheadMs = 30_000;
/** Between the customer's act and the gateway's question. A time of the question in place of the act's is seen. */
const pauseMs = clockToleranceMs + 1_000;

export async function customerIsTrue(world: SignOnWorld): Promise<void> {
  const ahead = { ...world.services, clock: { nowMs: () => Date.now() + clockAheadMs } };
  await world.with(async (adapter) => {
    const { customer, acr } = world.signOn;
    const begunAtMs = Date.now();
    const begun = await world.begin(adapter, customer);
    // A code authenticates the customer when the bank checks it; an app or the bank's own sign-on did so before.
    const pause = ({ step }: OpenStep): number => (step === 'code' ? 0 : pauseMs);
    const { last, end, actedAtMs } = await world.finish(adapter, customer, begun, pause);
    const result = doneStep(end);
    const refs = result.customers.map(({ customerRef }) => customerRef);
    assert.deepEqual(refs, [customer.customerRef].flat(), 'the result names other customers');
    const atMs = result.authenticatedAt.getTime();
    const latestMs = last.step === 'code' ? Date.now() : actedAtMs;
    assert.ok(atMs >= begunAtMs - clockToleranceMs, 'the time of authentication is before its beginning');
    assert.ok(
      atMs <= latestMs + clockToleranceMs,
      'the time of authentication is later than the authentication: it has to be the sign-on’s own',
    );
    assert.equal(result.acr, acr, 'the class is not the one of the test sign-on');
  }, ahead);
}

export async function inputIsUsedUp(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { customer } = world.signOn;
    const { last, input, end } = await world.finish(adapter, customer, await world.begin(adapter, customer));
    doneStep(end);
    const again = await errorOrStep(() => world.continue(adapter, last, input));
    assert.ok(!isDone(again), 'the same input has authenticated the customer twice');
    // The question whether the customer has approved is the same in every authentication.
    if (input.input === 'poll') return;
    const next = await atSameStep(world, adapter, customer, last);
    const replayed = await errorOrStep(() => world.continue(adapter, next, input));
    assert.ok(!isDone(replayed), 'the input of an authentication that has ended has completed the next authentication');
  });
}

/** Another authentication of the customer, at its first step of the same kind. */
async function atSameStep(
  world: SignOnWorld,
  adapter: CustomerAuthentication,
  customer: TestCustomer,
  { step: kind }: OpenStep,
): Promise<OpenStep> {
  let open = openStep(await world.begin(adapter, customer));
  while (open.step !== kind)
    open = openStep(await world.continue(adapter, open, await world.act(customer, open, 'right')));
  return open;
}

export async function inputAnswersItsStep(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { customer, otherCustomer } = world.signOn;
    const assertInputIsRefused = async (other: TestCustomer, sentence: string): Promise<void> => {
      const own = openStep(await world.begin(adapter, customer));
      const others = openStep(await world.begin(adapter, other));
      const input = await world.act(other, others, 'right');
      // A poll names no authentication: the customer has approved the other one.
      const mixed = await errorOrStep(() => world.continue(adapter, own, input));
      assert.ok(!isDone(mixed), sentence);
      if (own.step !== 'code') return;
      const former = await errorOrStep(() => world.continue(adapter, others, { input: 'another-code' }));
      assert.ok(!isDone(former), 'another code has ended an authentication');
    };
    await assertInputIsRefused(otherCustomer, 'the input of one authentication has ended another customer’s');
    const { step } = openStep(await world.begin(adapter, customer));
    // A code that the customer's device makes is good for each of the authentications, once.
    if (step === 'code') return;
    await assertInputIsRefused(
      customer,
      'the approval of one authentication has ended another authentication of the same customer',
    );
  });
}

export async function authenticationsDoNotMix(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const customers = [world.signOn.customer, world.signOn.otherCustomer];
    const steps = await Promise.all(customers.map((one) => world.begin(adapter, one)));
    const ended = await Promise.all(
      customers.map(async (one, at) => {
        const step = steps[at];
        assert.ok(step, 'an authentication was not begun');
        return doneStep((await world.finish(adapter, one, step)).end).customers.map(({ customerRef }) => customerRef);
      }),
    );
    for (const [at, { customerRef }] of customers.entries())
      assert.deepEqual(ended[at], [customerRef].flat(), 'an authentication ended with another customer');
  });
}

export async function weakStaysWeak(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { weakCustomer, acr } = world.signOn;
    assert.ok(weakCustomer, 'there is no `weakCustomer`: put the clause into `without`, with the reason');
    const begun = await world.begin(adapter, weakCustomer);
    const ended = await errorOrStep(async () => (await world.finish(adapter, weakCustomer, begun)).end);
    if (!isDone(ended)) return;
    assert.notEqual(doneStep(ended as never).acr, acr, 'the result has the class that was asked for, not its own');
  });
}

export async function foreignReturnIsRefused(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { customer } = world.signOn;
    const returned = async () => {
      const returnTo = world.newReturnAddress();
      const step = openStep(await world.begin(adapter, customer, { returnTo }));
      assert.equal(
        step.step,
        'redirect',
        'the first step is not a redirect: put the clause into `without`, with the reason',
      );
      return { step, input: await world.act(customer, step, 'right'), state: returnTo.state };
    };
    const [own, other] = [await returned(), await returned()];
    for (const [what, input] of [
      ['another state', withState(own.input, other.state)],
      ['no state', withState(own.input, undefined)],
      ['the code of another authentication', withState(other.input, own.state)],
    ] as const) {
      const ended = await errorOrStep(() => world.continue(adapter, own.step, input));
      assert.ok(!isDone(ended), `a return with ${what} has ended the authentication`);
    }
  });
}

/** The same return with another `state`. */
function withState(input: StepInput, state: string | undefined): StepInput {
  if (input.input !== 'return') return assert.fail('`act` of the kit gives no return at a step redirect');
  const url = new URL(input.url);
  if (state === undefined) url.searchParams.delete('state');
  else url.searchParams.set('state', state);
  return { input: 'return', url: url.href };
}
