import { expect, it } from '@jest/globals';
import { checkCoreAdapter, type ClauseId, clauses } from '../../packages/adapter-kit/adapter-kit.js';
import type { Flaws, Tiny } from './flaw.js';
import { tinyKit } from './tiny-core.js';
import { TinyAdapter } from './tiny.adapter.js';

/** It takes as long as all others together, so only the right adapter and the one that breaks it run this clause. */
const long: readonly ClauseId[] = ['CORE-28'];
/** They ask from another side about records that other clauses check, so an adapter that breaks those breaks them too. */
const repeated = [
  'CORE-43',
  'CORE-56',
  'CORE-57',
  'CORE-59',
  'CORE-64',
  'CORE-66',
  'CORE-68',
  'CORE-78',
  'CORE-79',
  'CORE-80',
] as const;
const together = 8;
/** A group asks eight clauses one after the other. */
const groupWithinMs = 300_000;

/** The clauses that the adapter breaks. */
async function brokenOf(Adapter: Tiny, asked: readonly ClauseId[]): Promise<ClauseId[]> {
  const broken: ClauseId[] = [];
  for await (const { clause, outcome } of checkCoreAdapter(
    tinyKit((settings) => new Adapter(settings)),
    asked,
  ))
    if (outcome !== 'kept') broken.push(clause.id);
  return broken;
}

/**
 * In groups, because running all clauses on each adapter would take minutes. Within its group each adapter breaks only
 * its own clause, and an adapter with all flaws of the group breaks no clause outside it.
 */
export function eachBreaksItsOwnClause(flaws: Flaws): void {
  const all = Object.entries(flaws).map(([id, [what, flaw]]) => ({ id: id as ClauseId, what, flaw }));
  for (let first = 0; first < all.length; first += together) {
    const group = all.slice(first, first + together);
    const ids = group.map(({ id }) => id);

    it.each(group)(
      'an adapter that $what breaks $id',
      async ({ id, flaw }) => {
        expect(
          await brokenOf(
            flaw(TinyAdapter),
            ids.filter((one) => one === id || !long.includes(one)),
          ),
        ).toEqual([id]);
      },
      groupWithinMs,
    );

    it(
      `adapters that break ${ids.join(', ')} break nothing else`,
      async () => {
        const left = [...ids, ...long, ...repeated];
        const others = clauses.map(({ id }) => id).filter((id) => !left.includes(id));
        const Flawed = group.reduce<Tiny>((Base, { flaw }) => flaw(Base), TinyAdapter);
        expect(await brokenOf(Flawed, others)).toEqual([]);
      },
      groupWithinMs,
    );
  }
}
