import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import {
  type CustomerAuthentication,
  isCustomerAuthenticationUnavailable,
  type Step,
} from '../../../customer-authentication/customer-authentication.js';
import { inTime } from '../../patience.js';
import { faults, silence } from '../faults.js';
import { secretsOf } from '../secrets.js';
import { errorOf } from '../../is-error.js';
import { openStep, type SignOnWorld } from '../sign-on-world.js';

const patienceMs = 1_000;

export async function faultsAreUnavailable(world: SignOnWorld): Promise<void> {
  for (const [what, answer] of faults)
    await world.with(async (adapter) => {
      const { customer } = world.signOn;
      const step = openStep(await world.begin(adapter, customer));
      const input = await world.act(customer, step, 'right');
      await world.under(answer, () =>
        unavailable(world, `the input, while the sign-on ${what}`, () => world.continue(adapter, step, input)),
      );
    });
  for (const [what, answer] of faults)
    await world.with((adapter) =>
      world.under(answer, () =>
        unavailable(world, `the beginning, while the sign-on ${what}`, () =>
          world.begin(adapter, world.signOn.customer),
        ),
      ),
    );
}

/** A first step that asks the sign-on nothing cannot notice. */
async function unavailable(world: SignOnWorld, what: string, ask: () => Promise<Step>): Promise<void> {
  const before = world.calls.length;
  let step: Step | undefined;
  const fault = await errorOf(async () => (step = await ask()));
  if (world.calls.length === before && step !== undefined && 'state' in step) return;
  if (step !== undefined) assert.fail(`${what}: the answer is the step ${step.step}`);
  assert.ok(
    isCustomerAuthenticationUnavailable(fault),
    `${what}: the fault is not a CustomerAuthenticationUnavailable: ${fault instanceof Error ? fault.message : 'none'}`,
  );
}

export async function faultsAreSilent(world: SignOnWorld): Promise<void> {
  await faultsAreUnavailable(world);
  assert.ok(world.faults.length > 0, 'no fault was seen');
  for (const fault of world.faults) {
    const said = inspect(fault, { depth: Infinity, showHidden: true });
    for (const { word, what } of secretsOf(world)) assert.ok(!said.includes(word), `a fault repeats ${what}`);
  }
}

export async function signalEndsCalls(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { customer } = world.signOn;
    const step = openStep(await world.begin(adapter, customer));
    const input = await world.act(customer, step, 'right');
    await endsAtSignal(world, 'the input', (signal) => world.continue(adapter, step, input, signal));
  });
  await world.with((adapter: CustomerAuthentication) =>
    endsAtSignal(world, 'the beginning', (signal) => world.begin(adapter, world.signOn.customer, {}, signal)),
  );
}

async function endsAtSignal(
  world: SignOnWorld,
  what: string,
  ask: (signal: AbortSignal) => Promise<Step>,
): Promise<void> {
  const quiet = silence();
  const aborter = new AbortController();
  await world.under(quiet.answer, async () => {
    const before = world.calls.length;
    const asking = errorOf(() => ask(aborter.signal));
    await inTime(asking, 50);
    const called = world.calls.length > before;
    aborter.abort();
    const fault = await inTime(asking, patienceMs);
    // A first step that asks the sign-on nothing is over by now.
    if (!called && fault === undefined) return;
    assert.ok(fault !== 'late', `${what}: did not end when the signal fired`);
    assert.ok(isCustomerAuthenticationUnavailable(fault), `${what}, the signal fired: no fault of the port`);
    assert.equal(quiet.openCalls, 0, `${what}: a call goes on after the signal fired`);
  });
}
