import assert from 'node:assert/strict';
import type { CoreAdapter } from '../../core-adapter/core.adapter.js';
import { onLogLine } from '../kit-services.js';
import { askAny } from '../reads.js';
import { secretWords } from '../secret-words.js';
import { strikesOn } from '../strikes.js';
import type { World } from '../world.js';
import { everyRead, subjectOf } from './faults.js';

/** A log is kept for years and read by many people. The gateway masks card numbers in it, and cannot know the rest. */
export async function logIsSilent(world: World): Promise<void> {
  const words = secretWords(world);
  let found: string | undefined;
  const stop = onLogLine((line) => {
    found ??= words.find(({ word }) => line.includes(word))?.what;
  });
  try {
    // A new adapter, because one may write at its start.
    await world.with((adapter) => readUnderStrikes(world, adapter));
  } finally {
    stop();
  }
  assert.equal(found, undefined, `the adapter wrote ${found} to its log`);
}

async function readUnderStrikes(world: World, adapter: CoreAdapter): Promise<void> {
  for (const read of everyRead(world)) {
    const subject = subjectOf(world, read);
    await askAny(adapter, read, subject);
    for (const strike of Object.values(strikesOn(world)))
      await world.under({ strike: () => strike }, () => askAny(adapter, read, subject).catch(() => undefined));
  }
}
