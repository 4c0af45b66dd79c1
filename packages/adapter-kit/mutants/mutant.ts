import type { AccountRead, CoreAdapter, CoreItems } from '../../core-adapter/core.adapter.js';
import type { AdapterUnderTest, TestCore, TestPersona } from '../adapter-under-test.js';
import type { CoreLogger } from '../../core-adapter/core-services.js';
import type { ClauseId } from '../clauses.js';
import { type AnyRead, type Subject } from '../reads.js';
import { around, type Ask, type Call } from './around.js';

/** A mistake that adapters make. The kit of a bank must find it in the bank's own adapter. */
export interface Mutant {
  /** Completes the sentence "an adapter that …". */
  readonly does: string;
  /** The clauses that find it, if the truth has the cases that they need. */
  readonly clauses: readonly ClauseId[];
  /** The case that shows it, as the object of a sentence: the truth or the test core must have it. */
  readonly needs: string;
  /** Why an adapter of this core cannot make the mistake, if it cannot. */
  readonly hindrance?: (place: MutantPlace) => string | undefined;
  readonly make: (adapter: CoreAdapter, more: MutantParts) => CoreAdapter;
}

/** The adapter without a mistake, and the truth about its core. */
export interface MutantPlace {
  readonly adapter: CoreAdapter;
  readonly people: readonly TestPersona[];
  readonly subjects: readonly Subject[];
  readonly isOverHttp: boolean;
  readonly core: TestCore;
}

export interface MutantParts {
  readonly people: readonly TestPersona[];
  /** Another adapter with the same settings. */
  readonly another: () => Promise<CoreAdapter>;
  readonly logger: CoreLogger;
}

/** The kit of an adapter, with the mistake made in every adapter that it creates. */
export function mutated(kit: AdapterUnderTest, { make }: Mutant): AdapterUnderTest {
  return {
    ...kit,
    create: async (...given) => {
      const another = async (): Promise<CoreAdapter> => kit.create(...given);
      const [, { logger }] = given;
      return make(await another(), { people: await kit.personas(), another, logger });
    },
  };
}

/** A mistake in the calls, or in their answers. */
export function mistakeIn(change: (call: Call, ask: Ask) => Promise<object>): Mutant['make'] {
  return (adapter) => around(adapter, change);
}

/** A mistake in the records of one read, or of all. */
export function mistakeInRecords(
  wanted: AnyRead | 'all',
  change: (record: object, read: AnyRead) => object,
): Mutant['make'] {
  return mistakeIn(async (call, ask) => {
    const answer = await ask(call);
    if (wanted !== 'all' && call.read !== wanted) return answer;
    if (call.read === 'account') return change(answer, call.read);
    const { items } = answer as CoreItems<object>;
    return { ...answer, items: items.map((item) => change(item, call.read)) };
  });
}

/** Keeps answers for a while and gives them again. */
export function keeping(
  forMs: number,
  isKept: (call: Call) => boolean,
  /** Tells the customers apart, which a mistake may forget. */
  customerOf = (call: Call): string => call.context.customerRef,
): Mutant['make'] {
  return (adapter) => {
    const kept = new Map<string, { readonly untilMs: number; readonly answer: Promise<object> }>();
    return around(adapter, (call, ask) => {
      if (!isKept(call)) return ask(call);
      const key = JSON.stringify([call.read, customerOf(call), call.accountRef]);
      const before = kept.get(key);
      if (before !== undefined && before.untilMs > Date.now()) return before.answer;
      const answer = ask(call);
      answer.catch(() => kept.delete(key));
      kept.set(key, { untilMs: Date.now() + forMs, answer });
      return answer;
    });
  };
}

/** For a mistake in one read. */
export function withoutRead(read: AccountRead): NonNullable<Mutant['hindrance']> {
  return ({ adapter }) => (adapter[read] === undefined ? `the adapter has no read ${read}` : undefined);
}
