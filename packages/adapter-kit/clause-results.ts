import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { AdapterUnderTest } from './adapter-under-test.js';
import { checks } from './checks/checks.js';
import { type Clause, type ClauseId, clauses } from './clauses.js';
import { World } from './world.js';

export interface ClauseResult {
  readonly clause: Clause<ClauseId>;
  readonly outcome: 'kept' | 'broken' | 'left-out';
  /** Why it is broken or left out. */
  readonly reason?: string;
}

/** The same without a test runner. Tells each result as soon as it is there. */
export async function* checkCoreAdapter(
  kit: AdapterUnderTest,
  only: readonly ClauseId[] = clauses.map(({ id }) => id),
): AsyncGenerator<ClauseResult> {
  const world = await World.open(kit);
  try {
    for (const clause of clauses.filter(({ id }) => only.includes(id))) {
      const reason = kit.without?.[clause.id];
      yield reason === undefined ? await judged(clause, world) : { clause, outcome: 'left-out', reason };
    }
  } finally {
    await world.close();
  }
}

async function judged(clause: Clause<ClauseId>, world: World): Promise<ClauseResult> {
  try {
    await withoutStrays(() => checks[clause.id](world));
    return { clause, outcome: 'kept' };
  } catch (error) {
    return { clause, outcome: 'broken', reason: (error as Error).message };
  }
}

/**
 * An error that nobody handles ends the gateway, so it breaks the clause in which it comes. It ends the clause, too: the
 * read that it belongs to may never be over. (A test runner does the same by itself.)
 */
async function withoutStrays(check: () => Promise<void>): Promise<void> {
  let note: (stray: unknown) => void = () => undefined;
  const stray = new Promise<never>((_resolve, reject) => {
    note = (error) => reject(new Error(`an error that nobody handles would end the gateway: ${firstLines(error)}`));
  });
  process.on('uncaughtException', note).on('unhandledRejection', note);
  try {
    // A rejection is known to be nobody's once all that waits has run.
    await Promise.race([check().finally(() => setImmediate()), stray]);
  } finally {
    process.off('uncaughtException', note).off('unhandledRejection', note);
  }
}

/** The error and where it came from. */
function firstLines(error: unknown): string {
  return inspect(error).split('\n').slice(0, 4).join('\n');
}
