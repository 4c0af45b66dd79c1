import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CoreAdapter } from '../../core-adapter/core.adapter.js';
import type { InjectedFault } from '../core-proxy.js';
import { onLogLine } from '../kit-services.js';
import { type AnyRead, askAny, contextOf } from '../reads.js';
import { OutputWatch } from '../output-watch.js';
import { secretWords } from '../secret-words.js';
import { injectedFaultsFor } from '../injected-faults.js';
import { connections, type World } from '../world.js';

export async function interactionIdArrives(world: World): Promise<void> {
  for (const read of world.everyRead) {
    const interactionId = randomUUID();
    let arrived = false;
    const onAnswer = (path: string, _: unknown, { headers }: { readonly headers: object }): void => {
      arrived ||= `${path} ${JSON.stringify(headers)}`.includes(interactionId);
    };
    const subject = world.subjectOf(read);
    await world.under({ onAnswer }, () =>
      askAny(world.adapter, read, subject, undefined, { ...contextOf(subject.customerRef), interactionId }),
    );
    assert.ok(arrived, `${read}: no request to the core has the interaction id in its headers or its URL`);
  }
}

export async function connectionsAreFew(world: World): Promise<void> {
  const { connectionsPerRead = 1 } = world.adapter;
  for (const read of world.everyRead) {
    const most = await mostWhile(
      world,
      ({ openRequests }) => openRequests,
      () => askAny(world.adapter, read, world.subjectOf(read)),
    );
    assert.ok(
      most <= connectionsPerRead,
      `${read} asked the core ${most} times at once: \`connectionsPerRead\` declares ${connectionsPerRead}`,
    );
  }
  const before = world.proxy.connections;
  await world.with(async (adapter) => {
    const reads: AnyRead[] = Array.from(
      { length: 50 },
      (_, index) => world.everyRead[index % world.everyRead.length] as AnyRead,
    );
    const most = await mostWhile(
      world,
      (proxy) => proxy.connections,
      () => Promise.all(reads.map((read) => askAny(adapter, read, world.subjectOf(read)))),
    );
    assert.ok(
      most - before <= connections,
      `fifty reads at once opened ${most - before} connections: CORE_CONNECTIONS allows ${connections}`,
    );
  });
}

/** The largest number seen at a request to the core. */
async function mostWhile(
  world: World,
  count: (proxy: World['proxy']) => number,
  use: () => Promise<unknown>,
): Promise<number> {
  let most = 0;
  const inject = (): InjectedFault => {
    // At once the request itself is not counted yet.
    setImmediate(() => (most = Math.max(most, count(world.proxy))));
    return { kind: 'pass' };
  };
  await world.under({ inject }, use);
  return most;
}

/** How many calls to a faulty core are allowed for each call to a healthy core. */
const mostAttempts = 3;

export async function faultyCoreIsSpared(world: World): Promise<void> {
  for (const read of world.everyRead) {
    const requestsWith = async (injected: InjectedFault): Promise<number> => {
      let requests = 0;
      await world.under({ inject: () => injected }, async () => {
        await askAny(world.adapter, read, world.subjectOf(read)).catch(() => undefined);
        requests = world.proxy.requests;
      });
      return requests;
    };
    await askAny(world.adapter, read, world.subjectOf(read));
    const usual = await requestsWith({ kind: 'pass' });
    for (const [name, injected] of Object.entries(injectedFaultsFor(world))) {
      const requests = await requestsWith(injected);
      const allowed = mostAttempts * Math.max(usual, 1);
      assert.ok(
        requests <= allowed,
        `${read}, ${name}: the adapter asked the core ${requests} times, and a healthy core ${usual} times. ` +
          'The gateway’s circuit breaker decides when a core at fault is asked again',
      );
    }
  }
}

export async function outputIsSilent(world: World): Promise<void> {
  const words = secretWords(world);
  const watch = new OutputWatch(() => words);
  try {
    await readUnderFaults(world, world.adapter);
  } finally {
    watch.end();
  }
  assert.equal(watch.found, undefined, `the adapter wrote ${watch.found} to standard output or standard error`);
}

/** A log is kept for years and read by many people. The gateway masks card numbers in it, and cannot know the rest. */
export async function logIsSilent(world: World): Promise<void> {
  const words = secretWords(world);
  let found: string | undefined;
  const stop = onLogLine((line) => {
    found ??= words.find(({ word }) => line.includes(word))?.what;
  });
  try {
    // A new adapter, because one may write at its start.
    await world.with((adapter) => readUnderFaults(world, adapter));
  } finally {
    stop();
  }
  assert.equal(found, undefined, `the adapter wrote ${found} to its log`);
}

/** Each read once from a healthy core, and once under each injected fault. */
async function readUnderFaults(world: World, adapter: CoreAdapter): Promise<void> {
  for (const read of world.everyRead) {
    const subject = world.subjectOf(read);
    await askAny(adapter, read, subject);
    for (const injected of Object.values(injectedFaultsFor(world)))
      await world.under({ inject: () => injected }, () => askAny(adapter, read, subject).catch(() => undefined));
  }
}
