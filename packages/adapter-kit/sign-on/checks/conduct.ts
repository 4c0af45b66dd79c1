import assert from 'node:assert/strict';
import { onLogLine } from '../../kit-services.js';
import { OutputWatch } from '../../output-watch.js';
import { TimersOfNow } from '../../timers-of-now.js';
import { secretsOf } from '../secrets.js';
import { errorOf } from '../../is-error.js';
import { asked, browser, doneStep, openStep, type SignOnWorld } from '../sign-on-world.js';
import { faultsAreUnavailable } from './faults.js';

export async function outputIsSilent(world: SignOnWorld): Promise<void> {
  const watch = new OutputWatch(() => secretsOf(world));
  let logged: string | undefined;
  const stop = onLogLine((line) => {
    logged ??= secretsOf(world).find(({ word }) => line.includes(word))?.what;
  });
  try {
    // Another clause checks the answers.
    await errorOf(() => faultsAreUnavailable(world));
  } finally {
    stop();
    watch.end();
  }
  assert.equal(logged, undefined, `the adapter wrote ${logged} to its log`);
  assert.equal(watch.found, undefined, `the adapter wrote ${watch.found} to standard output or standard error`);
}

export async function closingLeavesNothing(world: SignOnWorld): Promise<void> {
  const { customer } = world.signOn;
  const signIn = (): Promise<void> =>
    world.with(async (adapter) => {
      const { end } = await world.finish(adapter, customer, await world.begin(adapter, customer));
      doneStep(end);
    });
  const before = world.open;
  const timers = new TimersOfNow(() => world.isInAdapter);
  try {
    await signIn();
    assert.equal(world.open, before, 'the adapter did not close the HTTP client that it was lent');
  } finally {
    await timers.end();
  }
}

export async function appShowsWhoAsks(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const { customer, textInApp } = world.signOn;
    assert.ok(textInApp, 'there is no `textInApp`: put the clause into `without`, with the reason');
    const step = openStep(await world.begin(adapter, customer));
    if (step.step !== 'wait')
      return assert.fail('the first step is not an approval in an app: put the clause into `without`, with the reason');
    const text = await textInApp(step);
    for (const words of [asked.tpp, ...asked.data])
      assert.ok(text.includes(words), `the app does not show “${words}”, which the request has`);
  });
}

export async function callHasBrowser(world: SignOnWorld): Promise<void> {
  await world.with(async (adapter) => {
    const before = world.calls.length;
    openStep(await world.begin(adapter, world.signOn.customer));
    const sent = world.calls
      .slice(before)
      .map(({ url, call: { headers = {}, body = '' } }) => [url, ...Object.values(headers), String(body)].join(' '))
      .join(' ');
    assert.ok(sent.includes(browser.address), 'no call has the browser’s address');
    assert.ok(sent.includes(browser.deviceCookie), 'no call has the browser’s device cookie');
  });
}
