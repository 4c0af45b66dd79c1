import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type AnyRead, askAny } from '../reads.js';
import type { World } from '../world.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const times = 20;
/** An adapter may hold the last ones for a moment. */
const mostHeld = 4;

/** An adapter that keeps its answers grows with each read, until the gateway has no memory left. */
export async function answersAreForgotten(world: World): Promise<void> {
  for (const read of world.everyRead) {
    const given = await answersOf(world, read);
    // The language keeps the target of a WeakRef until the turn in which the program last used it ends.
    await nextTurn();
    collectGarbage();
    const held = given.filter((parts) => parts.some((part) => part.deref() !== undefined)).length;
    assert.ok(
      held <= mostHeld,
      `${read}: ${held} of ${times} answers are still in memory after they were given: keep no answer of the core`,
    );
  }
}

/** The answers and their records, none of which the kit keeps. */
async function answersOf(world: World, read: AnyRead): Promise<(readonly WeakRef<object>[])[]> {
  const given: (readonly WeakRef<object>[])[] = [];
  for (let time = 0; time < times; time++) {
    const answer = await askAny(world.adapter, read, world.subjectOf(read));
    const records = 'items' in answer ? answer.items.slice(0, 1) : [];
    given.push([answer, ...records].map((part) => new WeakRef(part)));
  }
  return given;
}
