import assert from 'node:assert/strict';
import type {
  CustomerAuthentication,
  CustomerCredentials,
  Step,
} from '../../../customer-authentication/customer-authentication.js';
import { canary } from '../../spoil.js';
import type { OpenStep } from '../../../customer-authentication/step-fault.js';
import { credentialsOf, doneStep, errorOrStep, isDone, openStep, SignOnWorld } from '../sign-on-world.js';

/** The answers that a person gets with these credentials. */
interface Way {
  readonly begun: unknown;
  readonly calls: number;
  readonly afterInput: unknown;
  readonly afterAnotherCode?: unknown;
}

export async function wrongFactorsLookAlike(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { customer } = world.signOn;
    assert.ok(
      adapter.asksCredentials,
      'the adapter asks for no credentials: put the clause into `without`, with the reason',
    );
    const own = credentialsOf(customer);
    // The first call of an adapter may need more than the next ones.
    await world.begin(adapter, customer);
    const right = await wayWith(world, adapter, own);
    const wrong = await wayWith(world, adapter, { ...own, password: `${own.password}x` });
    const unknown = await wayWith(world, adapter, { ...own, loginName: `${canary}${own.loginName}` });
    for (const [what, way] of [
      ['a wrong password', wrong],
      ['an unknown login name', unknown],
    ] as const) {
      assert.deepEqual(way.begun, right.begun, `${what} begins with another step than right factors`);
      assert.equal(way.calls, right.calls, `${what} makes the adapter call the sign-on more or less often`);
      assert.deepEqual(way.afterAnotherCode, right.afterAnotherCode, `${what}: another code is answered otherwise`);
      assert.ok(!isDone(way.afterInput), `${what} ends well`);
    }
    assert.deepEqual(
      unknown.afterInput,
      wrong.afterInput,
      'an unknown login name ends otherwise than a wrong password',
    );
  });
}

/** Begins, asks for another code where there is one, and then gives the input of the customer with right factors. */
async function wayWith(
  world: SignOnWorld,
  adapter: CustomerAuthentication,
  credentials: CustomerCredentials,
): Promise<Way> {
  const { customer } = world.signOn;
  const before = world.calls.length;
  const begun = await errorOrStep(() => world.begin(adapter, customer, { credentials }));
  const calls = world.calls.length - before;
  if (!isOpen(begun)) return { begun: shapeOf(begun), calls, afterInput: undefined };
  const another =
    begun.step === 'code'
      ? await errorOrStep(() => world.continue(adapter, begun, { input: 'another-code' }))
      : undefined;
  const last = isOpen(another) ? another : begun;
  const rightly = openStep(await world.begin(adapter, customer));
  const input = await world.act(customer, rightly, 'right');
  const afterInput = await errorOrStep(() => world.continue(adapter, last, input));
  const shapes = { begun: shapeOf(begun), calls, afterInput: shapeOf(afterInput) };
  return another === undefined ? shapes : { ...shapes, afterAnotherCode: shapeOf(another) };
}

function isOpen(step: unknown): step is ReturnType<typeof openStep> {
  return typeof step === 'object' && step !== null && 'state' in step;
}

/** The step without the members that differ from one to the next; an error by its class. */
function shapeOf(step: unknown): unknown {
  if (step instanceof Error) return step.name;
  const { state, shown, ...rest } = step as { state?: string; shown?: string };
  return { ...rest, state: typeof state, shown: typeof shown };
}

export async function wrongCodeIsCorrected(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { customer } = world.signOn;
    const step = codeStep(await world.begin(adapter, customer));
    const refused = await world.continue(adapter, step, await world.act(customer, step, 'wrong'));
    assert.deepEqual(refused, { step: 'refused', reason: 'wrong' });
    doneStep(await world.continue(adapter, step, await world.act(customer, step, 'right')));
  });
}

function codeStep(begun: Step): OpenStep {
  const step = openStep(begun);
  assert.equal(step.step, 'code', 'the first step is not a code: put the clause into `without`, with the reason');
  return step;
}

export async function anotherCodeReplaces(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { customer } = world.signOn;
    const first = codeStep(await world.begin(adapter, customer));
    const former = await world.act(customer, first, 'right');
    const second = openStep(await world.continue(adapter, first, { input: 'another-code' }));
    for (const step of [first, second]) {
      const ended = await errorOrStep(() => world.continue(adapter, step, former));
      assert.ok(!isDone(ended), 'the previous code is still valid');
    }
    doneStep(await world.continue(adapter, second, await world.act(customer, second, 'right')));
  });
}

export async function refusalIsDeclined(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { customer } = world.signOn;
    const step = openStep(await world.begin(adapter, customer));
    assert.notEqual(step.step, 'code', 'no customer refuses at a code: put the clause into `without`, with the reason');
    const end = await world.continue(adapter, step, await world.act(customer, step, 'refuse'));
    assert.deepEqual(end, { step: 'refused', reason: 'declined' });
  });
}

export async function lockIsShownLast(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { lockedCustomer } = world.signOn;
    assert.ok(lockedCustomer, 'there is no `lockedCustomer`: put the clause into `without`, with the reason');
    const { end } = await world.finish(adapter, lockedCustomer, await world.begin(adapter, lockedCustomer));
    assert.ok(
      end.step === 'refused' && end.reason === 'locked',
      'the end does not say that the customer is locked out',
    );
    const { credentials } = lockedCustomer;
    if (credentials === undefined) return;
    const wrong = { ...credentials, password: `${credentials.password}x` };
    const begun = openStep(await world.begin(adapter, lockedCustomer, { credentials: wrong }));
    const rightly = openStep(await world.begin(adapter, lockedCustomer));
    const input = await world.act(lockedCustomer, rightly, 'right');
    const ended = await errorOrStep(() => world.continue(adapter, begun, input));
    assert.ok(!isLocked(ended), 'a person with a wrong password learns that the customer is locked out');
  });
}

function isLocked(ended: unknown): boolean {
  const { reason } = ended as { readonly reason?: string };
  return reason === 'locked' || reason === 'must-change-password';
}

/** At a sign-on that no other clause uses: it may move its clock. */
export async function timeEnds({ kit }: SignOnWorld): Promise<void> {
  const world = await SignOnWorld.open(kit);
  try {
    await world.with(async (adapter) => {
      const { customer, expire } = world.signOn;
      assert.ok(expire, 'there is no `expire`: put the clause into `without`, with the reason');
      const step = openStep(await world.begin(adapter, customer));
      const input = await world.act(customer, step, 'right');
      await expire();
      const end: Step = await world.continue(adapter, step, input);
      assert.deepEqual(end, { step: 'refused', reason: 'expired' });
    });
  } finally {
    await world.close();
  }
}
