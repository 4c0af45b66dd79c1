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
    await checks[clause.id](world);
    return { clause, outcome: 'kept' };
  } catch (error) {
    return { clause, outcome: 'broken', reason: (error as Error).message };
  }
}
