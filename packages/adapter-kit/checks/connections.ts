import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import type { CoreAdapter } from '../../core-adapter/core.adapter.js';
import { same, textOf } from '../compare.js';
import type { InjectedFault } from '../core-proxy.js';
import { inTime, readPatienceMs, until } from '../patience.js';
import { closedOrigin, injectedFaultsFor } from '../injected-faults.js';
import { TimersOfNow } from '../timers-of-now.js';
import { type AnyRead, askAny, contextOf, faultOf, type Subject } from '../reads.js';
import type { World } from '../world.js';
import { assertRead } from './leaves.js';

const patienceMs = 1_000;

export async function signalsAreHonoured(world: World): Promise<void> {
  const reads = world.everyRead.map((read): AskedRead => ({ read, subject: world.subjectOf(read) }));
  for (const { read, subject } of reads) {
    const counted = new CountedSignal();
    await askAny(world.adapter, read, subject, counted.signal);
    assert.equal(counted.listeners.size, 0, `${read}: the signal is still listened to after the answer`);
    const where = `${read}, the signal fired before it began`;
    await world.under({}, async () => {
      const fault = await faultOf(askAny(world.adapter, read, subject, AbortSignal.abort()), where);
      assert.equal(fault.kind, 'timeout', where);
      assert.equal(world.proxy.requests, 0, `${where}: the adapter still asked the core`);
    });
  }
  if (world.source === 'replica') await abortedReadsEnd(world, reads);
  else await hangingReadsEnd(world, reads);
  await askAny(world.adapter, 'accounts', world.anyAccount);
}

type AskedRead = { readonly read: AnyRead; readonly subject: Subject };

/** A replica answers at once, so a read may be over before the signal fires. */
async function abortedReadsEnd({ adapter }: World, reads: readonly AskedRead[]): Promise<void> {
  for (const { read, subject } of reads) {
    const aborter = new AbortController();
    const reading = askAny(adapter, read, subject, aborter.signal).then(
      () => undefined,
      (error: unknown) => faultOf(Promise.reject(error as Error), `${read}, the signal fired`),
    );
    aborter.abort();
    const fault = await inTime(reading, patienceMs);
    if (fault === 'late') assert.fail(`${read}: did not end when the signal fired`);
    if (fault !== undefined) assert.equal(fault.kind, 'timeout', `${read}, the signal fired`);
  }
}

async function hangingReadsEnd(world: World, reads: readonly AskedRead[]): Promise<void> {
  // More calls than connections, so that some still wait for one.
  await world.under({ inject: () => ({ kind: 'hang' }) }, async () => {
    const aborter = new AbortController();
    setMaxListeners(0, aborter.signal);
    const calls = [...reads, ...reads].map(({ read, subject }) =>
      faultOf(askAny(world.adapter, read, subject, aborter.signal), `${read}, the signal fired`),
    );
    const ended = Promise.all(calls);
    ended.catch(() => {});
    await until(() => world.proxy.openRequests > 0, patienceMs, 'no call reached the core');
    aborter.abort();
    const faults = await inTime(ended, patienceMs);
    if (faults === 'late') assert.fail('calls under way did not end when the signal fired');
    for (const { kind } of faults) assert.equal(kind, 'timeout', 'calls under way, the signal fired');
    await until(() => world.proxy.openRequests === 0, patienceMs, 'requests to the core go on after the signal fired');
  });
}

/** A signal that knows who listens. */
class CountedSignal {
  readonly signal = new AbortController().signal;
  readonly listeners = new Set<unknown>();

  constructor() {
    const { signal, listeners } = this;
    const add = signal.addEventListener.bind(signal) as (...args: unknown[]) => void;
    const remove = signal.removeEventListener.bind(signal) as (...args: unknown[]) => void;
    signal.addEventListener = (type: string, listener: unknown, ...rest: unknown[]) => {
      listeners.add(listener);
      add(type, listener, ...rest);
    };
    signal.removeEventListener = (type: string, listener: unknown, ...rest: unknown[]) => {
      listeners.delete(listener);
      remove(type, listener, ...rest);
    };
  }
}

export async function readsAtOnceAgree(world: World): Promise<void> {
  const jobs = world.everyRead.flatMap((read) =>
    world.subjects.slice(0, 3).map((subject): AskedRead => ({ read, subject })),
  );
  assert.ok(jobs.length > 0, 'the truth has no account to read');
  let answers = 0;
  const answer = async ({ read, subject }: AskedRead): Promise<string> => {
    try {
      const found = await askAny(world.adapter, read, subject);
      answers++;
      // This clause does not check the order of a list.
      return 'items' in found ? found.items.map(textOf).sort().join() : textOf(found);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const alone = [];
  for (const job of jobs) alone.push(await answer(job));
  assertRead(answers, 'answer');
  const concurrentAnswers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => answer(jobs[index % jobs.length] as AskedRead)),
  );
  for (const [index, text] of concurrentAnswers.entries()) {
    const job = jobs[index % jobs.length] as AskedRead;
    same(text, alone[index % jobs.length], `${job.read} of ${job.subject.accountRef}, read with fifty others`);
  }
}

export async function healthIsTrue(world: World): Promise<void> {
  const health = (): Promise<void> => world.adapter.health(AbortSignal.timeout(readPatienceMs));
  await health();
  await world.with(
    async (adapter) => {
      await faultOf(adapter.health(AbortSignal.timeout(readPatienceMs)), 'health, connection refused');
    },
    await closedOrigin(),
  );
  const hanging = { inject: (): InjectedFault => ({ kind: 'hang' }) };
  await world.under(hanging, () => faultOf(world.adapter.health(AbortSignal.timeout(50)), 'health, the core silent'));
  for (const [name, injected] of Object.entries(injectedFaultsFor(world)))
    await world.under({ inject: () => injected }, () => faultOf(health(), `health, ${name}`));
  await health();
}

export async function closingLeavesNothing(world: World): Promise<void> {
  const { customerRef } = world.anyAccount;
  const readAtOnce = (adapter: CoreAdapter): Promise<unknown> =>
    Promise.all(
      Array.from({ length: 8 }, () => adapter.accounts(contextOf(customerRef, new AbortController().signal))),
    );
  // A test core in this process has a timer for each connection that the proxy opens to it and keeps: from here on it
  // opens no more.
  await readAtOnce(world.adapter);
  const before = world.proxy.connections;
  const timers = new TimersOfNow();
  let adapter: CoreAdapter | undefined;
  await world.with(async (created) => {
    adapter = created;
    await readAtOnce(created);
    if (world.source === 'replica') return;
    assert.ok(world.proxy.connections > 0, 'the adapter did not reach the core through the address that it was given');
  });
  await until(() => world.proxy.connections <= before, patienceMs, 'connections to the core stay open after close');
  await timers.end();
  assert.ok(adapter);
  const fault = await faultOf(
    adapter.accounts(contextOf(customerRef, AbortSignal.timeout(readPatienceMs))),
    'accounts, after close',
  );
  assert.ok(['unavailable', 'timeout'].includes(fault.kind), `accounts, after close: ${fault.kind}`);
}
