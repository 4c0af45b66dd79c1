import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { AdapterUnderTest } from './adapter-under-test.js';
import { checkClause } from './checks/checks.js';
import { type Clause, type ClauseId, clauses, clausesOf } from './clauses.js';
import { sentenceOf } from './kit-fault.js';
import { skippedClauses } from './skipped-clauses.js';
import { World } from './world.js';
import { isError } from './is-error.js';

export interface ClauseResult<Id extends string = ClauseId> {
  readonly clause: Clause<Id>;
  readonly outcome: 'kept' | 'broken' | 'skipped';
  /** Why it is broken or skipped. */
  readonly reason?: string;
}

/** Checks the adapter without a test runner. Yields each result as soon as it is there. */
export async function* checkCoreAdapter(
  kit: AdapterUnderTest,
  only: readonly ClauseId[] = clauses.map(({ id }) => id),
  onProgress: (clause: ClauseId, text: string) => void = () => {},
): AsyncGenerator<ClauseResult> {
  const world = await World.open(kit);
  const reasons = skippedClauses(kit, world.adapter, world.core);
  try {
    for (const clause of clausesOf(world.source).filter(({ id }) => only.includes(id))) {
      const reason = reasons.get(clause.id);
      world.progress = (text) => onProgress(clause.id, text);
      yield reason === undefined
        ? await resultOf(clause, () => checkClause(clause.id, world))
        : { clause, outcome: 'skipped', reason };
    }
  } finally {
    await world.close();
  }
}

/** A clause of any kit. */
export async function resultOf<Id extends string>(
  clause: Clause<Id>,
  check: () => Promise<void>,
): Promise<ClauseResult<Id>> {
  try {
    await withoutStrays(check);
    return { clause, outcome: 'kept' };
  } catch (error) {
    // An assertion's message has several lines.
    return { clause, outcome: 'broken', reason: isError(error) ? error.message : sentenceOf(error) };
  }
}

/**
 * An unhandled error would end the gateway, so it breaks the clause in which it occurs. It also ends the clause, because
 * the read that caused it may never end. (A test runner does the same by itself.)
 */
async function withoutStrays(check: () => Promise<void>): Promise<void> {
  let note: (stray: unknown) => void = () => undefined;
  const stray = new Promise<never>((_resolve, reject) => {
    note = (error) => reject(new Error(`an unhandled error would end the gateway: ${firstLines(error)}`));
  });
  process.on('uncaughtException', note).on('unhandledRejection', note);
  try {
    // Node reports an unhandled rejection only after all pending microtasks have run.
    await Promise.race([check().finally(() => setImmediate()), stray]);
  } finally {
    process.off('uncaughtException', note).off('unhandledRejection', note);
  }
}

/** The error and where it came from. */
function firstLines(error: unknown): string {
  return inspect(error).split('\n').slice(0, 4).join('\n');
}
