import {
  checkCoreAdapter,
  type ClauseId,
  clauses,
  type AdapterUnderTest,
} from '../packages/adapter-kit/adapter-kit.js';
import type { ClauseResult } from '../packages/adapter-kit/clause-results.js';
import { type Mutant, type MutantPlace, mutated } from '../packages/adapter-kit/mutants/mutant.js';
import { mutants } from '../packages/adapter-kit/mutants/mutants.js';
import { World } from '../packages/adapter-kit/world.js';
import { sentenceOf } from '../packages/adapter-kit/kit-fault.js';
import { ToolError } from './tool-error.js';
import {
  checkCustomerAuthentication,
  signOnClauses,
  type SignOnClauseId,
  type SignOnUnderTest,
} from '../packages/adapter-kit/sign-on/sign-on-kit.js';
import { mutatedSignOn, type SignOnMutant, type SignOnPlace } from '../packages/adapter-kit/sign-on/mutants/mutant.js';
import { signOnMutants } from '../packages/adapter-kit/sign-on/mutants/mutants.js';
import { openStep, SignOnWorld } from '../packages/adapter-kit/sign-on/sign-on-world.js';

/** A mistake of an adapter of either kind. */
interface AnyMutant<Id extends string> {
  readonly does: string;
  readonly clauses: readonly Id[];
  readonly needs: string;
}

/** Whether the kit finds an adapter with one mistake. */
export type MutantResult<Id extends string = string> = { readonly mutant: AnyMutant<Id> } & (
  | { readonly outcome: 'caught'; readonly by: Id }
  | { readonly outcome: 'survives'; readonly reasons: readonly string[] }
  | { readonly outcome: 'impossible'; readonly reason: string }
);

/**
 * Breaks the adapter of a core in each way in turn, and says whether a clause finds it. The clauses that should find it come
 * first, and the others only when those do not.
 */
export async function* mutate(
  kit: AdapterUnderTest,
  made: readonly Mutant[] = mutants,
  asked: readonly ClauseId[] = clauses.map(({ id }) => id),
): AsyncGenerator<MutantResult<ClauseId>> {
  const place = await placeOf(kit);
  yield* broken(made, asked, {
    check: (mutant, only) => checkCoreAdapter(mutant === undefined ? kit : mutated(kit, mutant), only),
    hindrance: (mutant) => mutant.hindrance?.(place),
  });
}

/** The same for the adapter of a sign-on. */
export async function* mutateSignOn(
  kit: SignOnUnderTest,
  made: readonly SignOnMutant[] = signOnMutants,
  asked: readonly SignOnClauseId[] = signOnClauses.map(({ id }) => id),
): AsyncGenerator<MutantResult<SignOnClauseId>> {
  const place = await placeOfSignOn(kit);
  yield* broken(made, asked, {
    check: (mutant, only) => checkCustomerAuthentication(mutant === undefined ? kit : mutatedSignOn(kit, mutant), only),
    hindrance: (mutant) => mutant.hindrance?.(place),
  });
}

async function placeOf(kit: AdapterUnderTest): Promise<MutantPlace> {
  const world = await World.open(kit);
  const { adapter, personas, subjects, isOverHttp, core } = world;
  await world.close();
  return { adapter, people: personas, subjects, isOverHttp, core };
}

async function placeOfSignOn(kit: SignOnUnderTest): Promise<SignOnPlace> {
  const world = await SignOnWorld.open(kit);
  try {
    return await world.with(async (adapter) => ({
      asksCredentials: adapter.asksCredentials,
      without: kit.without ?? {},
      firstStep: openStep(await world.begin(adapter, world.signOn.customer)).step,
    }));
  } catch (error) {
    throw new ToolError(`the adapter cannot begin: ${sentenceOf(error)}`);
  } finally {
    await world.close();
  }
}

/** A kit of either kind. */
interface Judge<Id extends string, M> {
  /** @param mutant absent: the adapter as it is */
  readonly check: (mutant: M | undefined, only: readonly Id[]) => AsyncIterable<ClauseResult<Id>>;
  /** Why the adapter cannot make the mistake, if it cannot. */
  readonly hindrance: (mutant: M) => string | undefined;
}

async function* broken<Id extends string, M extends AnyMutant<Id>>(
  made: readonly M[],
  asked: readonly Id[],
  judge: Judge<Id, M>,
): AsyncGenerator<MutantResult<Id>> {
  const unbroken = new Unbroken(judge);
  // At once, because each check starts a core or a sign-on.
  await unbroken.judge(made.flatMap((mutant) => mutant.clauses));
  for (const mutant of made) {
    const reason = judge.hindrance(mutant);
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

/** The adapter without a mistake. A clause that it breaks, or that is left out, finds no mistake. */
class Unbroken<Id extends string, M extends AnyMutant<Id>> {
  private readonly results = new Map<Id, ClauseResult<Id>>();

  constructor(private readonly kit: Judge<Id, M>) {}

  /** The first of the clauses that finds the mistake. */
  async finderOf(mutant: M, asked: readonly Id[]): Promise<Id | undefined> {
    await this.judge(asked);
    const able = asked.filter((id) => this.results.get(id)?.outcome === 'kept');
    if (able.length === 0) return undefined;
    return quietly(async () => {
      for await (const { clause, outcome } of this.kit.check(mutant, able)) if (outcome === 'broken') return clause.id;
      return undefined;
    });
  }

  /** Why each of the clauses did not find a mistake. */
  reasons(asked: readonly Id[]): string[] {
    return asked.map((id) => {
      const { outcome, reason = '' } = this.results.get(id) as ClauseResult<Id>;
      if (outcome === 'kept') return `${id} is kept all the same`;
      const [first = ''] = reason.split('\n');
      return outcome === 'left-out'
        ? `${id} is left out: ${first}`
        : `${id} is broken without this mistake, too: ${first}`;
    });
  }

  async judge(asked: readonly Id[]): Promise<void> {
    const unknown = asked.filter((id) => !this.results.has(id));
    if (unknown.length === 0) return;
    for await (const result of this.kit.check(undefined, unknown)) this.results.set(result.clause.id, result);
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

/**
 * The end of the report: the cases that the bank's own kit lacks; nothing where no mutant survives.
 * @param judged the bank's own part of the kit: `the truth or the test core`
 */
export function lackOf(results: readonly MutantResult[], judged: string): string | undefined {
  const survivors = results.filter(({ outcome }) => outcome === 'survives');
  if (survivors.length === 0) return undefined;
  const needs = new Set(survivors.map(({ mutant }) => mutant.needs));
  return `${survivors.length} of ${results.length} broken adapters would pass: ${judged} lacks ${[...needs].join('; ')}`;
}
