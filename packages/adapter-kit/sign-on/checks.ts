import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { SignOnSettingFault } from '../../customer-authentication/customer-authentication-services.js';
import {
  CustomerAuthenticationUnavailable,
  type CustomerAuthentication,
  type Step,
} from '../../customer-authentication/customer-authentication.js';
import { canary } from '../spoil.js';
import type { SignOnClauseId } from './clauses.js';
import { faults } from './faults.js';
import { doneStep, openStep, type SignOnWorld } from './sign-on-world.js';

type Check = (world: SignOnWorld) => Promise<void>;

/** The difference between the kit's clock and the sign-on's that is no fault. */
const clockToleranceMs = 5_000;

export const signOnChecks: Readonly<Record<SignOnClauseId, Check>> = {
  'SIGN-01': async (world) => {
    const { kit, signOn, services } = world;
    const { badSettings = {} } = kit;
    assert.ok(Object.keys(badSettings).length > 0, '`badSettings` is empty: name each setting of the adapter');
    for (const [setting, values] of Object.entries(badSettings))
      for (const value of values) {
        const { [setting]: _, ...others } = signOn.variables;
        const variables = value === undefined ? others : { ...others, [setting]: value };
        const where = `${setting} ${value === undefined ? 'left out' : `set to ${JSON.stringify(value)}`}`;
        const fault = await errorOf(async () => {
          const made = await kit.create({ url: signOn.url, variables }, services);
          await made.close();
        });
        assert.ok(fault instanceof SignOnSettingFault, `${where}: it was not refused with SignOnSettingFault`);
        assert.equal(fault.setting, setting, `${where}: the refusal names another setting`);
        if (value !== undefined && value.length > 3)
          assert.ok(!fault.message.includes(value), `${where}: the refusal repeats the value, which may be a secret`);
      }
  },

  'SIGN-02': (world) =>
    world.with(async (adapter) => {
      const { customer, acr } = world.signOn;
      const begunAtMs = Date.now();
      const { end } = await world.finish(adapter, customer, await world.begin(adapter, customer));
      const result = doneStep(end);
      assert.ok(
        result.customers.some(({ customerRef }) => customerRef === customer.customerRef),
        'the result does not name the customer',
      );
      assert.ok(
        result.customers.every(({ displayName }) => displayName.trim() !== ''),
        'a customer has no name',
      );
      const atMs = result.authenticatedAt.getTime();
      // A sign-on may tell whole seconds.
      assert.ok(atMs >= begunAtMs - clockToleranceMs, 'the time of authentication is before its beginning');
      assert.ok(atMs <= Date.now() + clockToleranceMs, 'the time of authentication is in the future');
      assert.equal(result.acr, acr, 'the class is not the one of the test sign-on');
      assert.match(result.method, /^[\w+.:-]{1,64}$/, 'the method is malformed');
    }),

  'SIGN-03': (world) =>
    world.with(async (adapter) => {
      const { customer } = world.signOn;
      const { credentials } = customer;
      assert.ok(credentials, 'the customer has no credentials: leave the clause out, and say why');
      const right = openStep(await world.begin(adapter, customer));
      const wrong = { ...credentials, password: `${credentials.password}x` };
      const unknown = { loginName: `${canary}${credentials.loginName}`, password: credentials.password };
      for (const [what, given] of [
        ['a wrong password', wrong],
        ['an unknown login name', unknown],
      ] as const) {
        const step = openStep(await world.begin(adapter, customer, given));
        assert.deepEqual(shapeOf(step), shapeOf(right), `${what} begins with another step`);
        const input = await world.signOn.act(customer, right, 'right');
        const end = await world.continue(adapter, step, input);
        assert.notEqual(end.step, 'done', `${what} ends well`);
      }
    }),

  'SIGN-04': (world) =>
    world.with(async (adapter) => {
      const { customer, act } = world.signOn;
      const step = openStep(await world.begin(adapter, customer));
      const refused = await world.continue(adapter, step, await act(customer, step, 'wrong'));
      assert.deepEqual(refused, { step: 'refused', reason: 'wrong' });
      doneStep(await world.continue(adapter, step, await act(customer, step, 'right')));
    }),

  'SIGN-05': (world) =>
    world.with(async (adapter) => {
      const { customer, act } = world.signOn;
      const first = openStep(await world.begin(adapter, customer));
      const former = await act(customer, first, 'right');
      const second = openStep(await world.continue(adapter, first, { input: 'another-code' }));
      const ended = await errorOrStep(() => world.continue(adapter, first, former));
      assert.ok(!isDone(ended), 'the previous code is still good');
      doneStep(await world.continue(adapter, second, await act(customer, second, 'right')));
    }),

  'SIGN-06': (world) =>
    world.with(async (adapter) => {
      const { customer, act } = world.signOn;
      const step = openStep(await world.begin(adapter, customer));
      const end = await world.continue(adapter, step, await act(customer, step, 'refuse'));
      assert.deepEqual(end, { step: 'refused', reason: 'declined' });
    }),

  'SIGN-07': (world) =>
    world.with(async (adapter) => {
      const { lockedCustomer } = world.signOn;
      assert.ok(lockedCustomer, 'there is no lockedCustomer: leave the clause out, and say why');
      const { end } = await world.finish(adapter, lockedCustomer, await world.begin(adapter, lockedCustomer));
      assert.ok(end.step === 'refused' && end.reason === 'locked', 'the customer is not told so at the end');
      assert.match(end.page, /^https?:\/\//, 'the bank’s page is no URL');
    }),

  'SIGN-08': (world) =>
    world.with(async (adapter) => {
      const { customer } = world.signOn;
      const { last, input, end } = await world.finish(adapter, customer, await world.begin(adapter, customer));
      doneStep(end);
      const again = await errorOrStep(() => world.continue(adapter, last, input));
      assert.ok(!isDone(again), 'the same input has led to the customer twice');
    }),

  'SIGN-09': (world) =>
    world.with(async (adapter) => {
      const { customer, otherCustomer, act } = world.signOn;
      const own = openStep(await world.begin(adapter, customer));
      const other = openStep(await world.begin(adapter, otherCustomer));
      const input = await act(otherCustomer, other, 'right');
      // A poll names no authentication: the customer has approved the other one.
      const mixed = await errorOrStep(() => world.continue(adapter, own, input));
      assert.ok(!isDone(mixed), 'the input of one authentication has ended another authentication');
    }),

  'SIGN-10': (world) =>
    world.with(async (adapter) => {
      const { customer, act } = world.signOn;
      for (const [what, answer] of faults) {
        const step = openStep(await world.begin(adapter, customer));
        const input = await act(customer, step, 'right');
        await world.under(answer, async () => {
          await unavailable(`the input, while the sign-on ${what}`, () => world.continue(adapter, step, input));
        });
      }
      for (const [what, answer] of faults)
        await world.under(answer, () =>
          world.with((another) => unavailable(`the beginning, while the sign-on ${what}`, () => begun(world, another))),
        );
    }),

  'SIGN-11': async (world) => {
    await signOnChecks['SIGN-10'](world);
    const { variables, customer } = world.signOn;
    const secrets = Object.entries(variables).filter(([name]) => /SECRET|PASSWORD|TOKEN|KEY|CREDENTIAL/.test(name));
    const words = [
      canary,
      customer.credentials?.loginName ?? '',
      customer.credentials?.password ?? '',
      ...secrets.map(([, value]) => value),
    ].filter((word) => word.length >= 5);
    for (const fault of world.faults) {
      const said = inspect(fault, { depth: Infinity, showHidden: true });
      for (const word of words) assert.ok(!said.includes(word), `a fault repeats what it must not: ${fault.name}`);
    }
    assert.ok(world.faults.length > 0, 'no fault was seen');
  },

  'SIGN-12': (world) =>
    world.with(async (adapter) => {
      const customers = [world.signOn.customer, world.signOn.otherCustomer];
      const steps = await Promise.all(customers.map((one) => world.begin(adapter, one)));
      const ended = await Promise.all(
        customers.map(async (one, at) => {
          const step = steps[at];
          assert.ok(step, 'an authentication was not begun');
          return doneStep((await world.finish(adapter, one, step)).end).customers;
        }),
      );
      for (const [at, { customerRef }] of customers.entries())
        assert.ok(
          ended[at]?.some((one) => one.customerRef === customerRef),
          'an authentication ended with another customer',
        );
    }),
};

function begun(world: SignOnWorld, adapter: CustomerAuthentication): Promise<Step> {
  return world.begin(adapter, world.signOn.customer);
}

/** The step without the members that differ from one to the next. */
function shapeOf(step: Step): unknown {
  const { state, shown, ...rest } = step as { state?: string; shown?: string };
  return { ...rest, state: typeof state, shown: typeof shown };
}

function isDone(ended: unknown): boolean {
  return typeof ended === 'object' && ended !== null && 'step' in ended && ended.step === 'done';
}

async function unavailable(what: string, ask: () => Promise<Step>): Promise<void> {
  const fault = await errorOf(async () => {
    const step = await ask();
    // An adapter whose first step asks the sign-on nothing cannot notice.
    if (step.step === 'done' || step.step === 'refused') assert.fail(`${what}: the answer is ${step.step}`);
    assert.fail(`${what}: the answer is the step ${step.step}`);
  });
  assert.ok(
    fault instanceof CustomerAuthenticationUnavailable,
    `${what}: the fault is no CustomerAuthenticationUnavailable: ${fault instanceof Error ? fault.message : 'none'}`,
  );
}

async function errorOf(act: () => Promise<void>): Promise<unknown> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function errorOrStep(ask: () => Promise<Step>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    return error;
  }
}
