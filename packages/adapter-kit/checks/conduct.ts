import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Strike } from '../core-proxy.js';
import { type AnyRead, askAny, contextOf } from '../reads.js';
import { OutputWatch } from '../output-watch.js';
import { secretWords } from '../secret-words.js';
import { strikesOn } from '../strikes.js';
import { connections, type World } from '../world.js';
import { everyRead, subjectOf } from './faults.js';

export async function interactionIdArrives(world: World): Promise<void> {
  for (const read of everyRead(world)) {
    const interactionId = randomUUID();
    let arrived = false;
    const onAnswer = (path: string, _: unknown, { headers }: { readonly headers: object }): void => {
      arrived ||= `${path} ${JSON.stringify(headers)}`.includes(interactionId);
    };
    const subject = subjectOf(world, read);
    await world.under({ onAnswer }, () =>
      askAny(world.adapter, read, subject, undefined, { ...contextOf(subject.customerRef), interactionId }),
    );
    assert.ok(arrived, `${read}: no request to the core has the interaction id in its headers or its URL`);
  }
}

export async function connectionsAreFew(world: World): Promise<void> {
  const { connectionsPerRead = 1 } = world.adapter;
  for (const read of everyRead(world)) {
    const most = await mostWhile(
      world,
      ({ underWay }) => underWay,
      () => askAny(world.adapter, read, subjectOf(world, read)),
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
      (_, index) => everyRead(world)[index % everyRead(world).length] as AnyRead,
    );
    const most = await mostWhile(
      world,
      (proxy) => proxy.connections,
      () => Promise.all(reads.map((read) => askAny(adapter, read, subjectOf(world, read)))),
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
  const strike = (): Strike => {
    // At once the request itself is not counted yet.
    setImmediate(() => (most = Math.max(most, count(world.proxy))));
    return { kind: 'pass' };
  };
  await world.under({ strike }, use);
  return most;
}

/** The calls to a core at fault for each call to a healthy one. */
const mostAttempts = 3;

export async function faultyCoreIsSpared(world: World): Promise<void> {
  for (const read of everyRead(world)) {
    const requestsUnder = async (strike: Strike): Promise<number> => {
      let requests = 0;
      await world.under({ strike: () => strike }, async () => {
        await askAny(world.adapter, read, subjectOf(world, read)).catch(() => undefined);
        requests = world.proxy.requests;
      });
      return requests;
    };
    await askAny(world.adapter, read, subjectOf(world, read));
    const usual = await requestsUnder({ kind: 'pass' });
    for (const [name, strike] of Object.entries(strikesOn(world))) {
      const requests = await requestsUnder(strike);
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
    for (const read of everyRead(world)) {
      const subject = subjectOf(world, read);
      await askAny(world.adapter, read, subject);
      for (const strike of Object.values(strikesOn(world)))
        await world.under({ strike: () => strike }, () => askAny(world.adapter, read, subject).catch(() => undefined));
    }
  } finally {
    watch.end();
  }
  assert.equal(watch.found, undefined, `the adapter wrote ${watch.found} to standard output or standard error`);
}
