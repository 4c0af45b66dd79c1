import {
  type AdapterUnderTest,
  checkCoreAdapter,
  type ClauseId,
  type ClauseResult,
  clauses,
} from '../packages/adapter-kit/adapter-kit.js';
import { type Mutant, type MutantPlace, mutated } from '../packages/adapter-kit/mutants/mutant.js';
import { mutants } from '../packages/adapter-kit/mutants/mutants.js';
import { World } from '../packages/adapter-kit/world.js';

/** Whether the kit finds an adapter with one mistake. */
export type MutantResult = { readonly mutant: Mutant } & (
  | { readonly outcome: 'caught'; readonly by: ClauseId }
  | { readonly outcome: 'survives'; readonly reasons: readonly string[] }
  | { readonly outcome: 'impossible'; readonly reason: string }
);

/**
 * Breaks the adapter in each way in turn, and says whether a clause finds it. The clauses that should find it come first,
 * and the others only when those do not.
 */
export async function* mutate(
  kit: AdapterUnderTest,
  made: readonly Mutant[] = mutants,
  asked: readonly ClauseId[] = clauses.map(({ id }) => id),
): AsyncGenerator<MutantResult> {
  const place = await placeOf(kit);
  const unbroken = new Unbroken(kit);
  // At once, because each check starts a core.
  await unbroken.judge(made.flatMap((mutant) => mutant.clauses));
  for (const mutant of made) {
    const reason = mutant.hindrance?.(place);
    if (reason !== undefined) {
      yield { mutant, outcome: 'impossible', reason };
      continue;
    }
    const others = asked.filter((id) => !mutant.clauses.includes(id));
    const by = (await unbroken.finderOf(mutant, mutant.clauses)) ?? (await unbroken.finderOf(mutant, others));
    yield by === undefined
      ? { mutant, outcome: 'survives', reasons: unbroken.reasons(mutant.clauses) }
      : { mutant, outcome: 'caught', by };
  }
}

async function placeOf(kit: AdapterUnderTest): Promise<MutantPlace> {
  const world = await World.open(kit);
  const { adapter, personas, subjects, isOverHttp, core } = world;
  await world.close();
  return { adapter, people: personas, subjects, isOverHttp, core };
}

/** The adapter without a mistake. A clause that it breaks, or that is left out, finds no mistake. */
class Unbroken {
  private readonly results = new Map<ClauseId, ClauseResult>();

  constructor(private readonly kit: AdapterUnderTest) {}

  /** The first of the clauses that finds the mistake. */
  async finderOf(mutant: Mutant, asked: readonly ClauseId[]): Promise<ClauseId | undefined> {
    await this.judge(asked);
    const able = asked.filter((id) => this.results.get(id)?.outcome === 'kept');
    if (able.length === 0) return undefined;
    return quietly(async () => {
      for await (const { clause, outcome } of checkCoreAdapter(mutated(this.kit, mutant), able))
        if (outcome === 'broken') return clause.id;
      return undefined;
    });
  }

  /** Why each of the clauses did not find a mistake. */
  reasons(asked: readonly ClauseId[]): string[] {
    return asked.map((id) => {
      const { outcome, reason = '' } = this.results.get(id) as ClauseResult;
      if (outcome === 'kept') return `${id} is kept all the same`;
      const [first = ''] = reason.split('\n');
      return outcome === 'left-out'
        ? `${id} is left out: ${first}`
        : `${id} is broken without this mistake, too: ${first}`;
    });
  }

  async judge(asked: readonly ClauseId[]): Promise<void> {
    const unknown = asked.filter((id) => !this.results.has(id));
    if (unknown.length === 0) return;
    for await (const result of checkCoreAdapter(this.kit, unknown)) this.results.set(result.clause.id, result);
  }
}

/** Without the output of a broken adapter, which writes records among the results. */
async function quietly<T>(use: () => Promise<T>): Promise<T> {
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write.bind(stream));
  for (const stream of streams) stream.write = () => true;
  try {
    return await use();
  } finally {
    for (const [index, stream] of streams.entries()) stream.write = writes[index] as typeof stream.write;
  }
}

export function mutantLines(result: MutantResult): string {
  const { does } = result.mutant;
  if (result.outcome === 'caught') return `✓ caught by ${result.by}: an adapter that ${does}`;
  if (result.outcome === 'impossible') return `– cannot be made here: an adapter that ${does}\n    ${result.reason}`;
  return [`✗ survives: an adapter that ${does}`, ...result.reasons].join('\n    ');
}

/** The end of the report: the cases that the bank's own truth or test core lacks; nothing where no mutant survives. */
export function lackOf(results: readonly MutantResult[]): string | undefined {
  const survivors = results.filter(({ outcome }) => outcome === 'survives');
  if (survivors.length === 0) return undefined;
  const needs = new Set(survivors.map(({ mutant }) => mutant.needs));
  return (
    `${survivors.length} of ${results.length} broken adapters would pass: ` +
    `the truth or the test core lacks ${[...needs].join('; ')}`
  );
}
