import type { CoreAdapter, CoreItems } from '../../../packages/core-adapter/core.adapter.js';
import type { AdapterUnderTest, TestPersona } from '../../../packages/adapter-kit/adapter-under-test.js';
import type { CoreLogger } from '../../../packages/core-adapter/core-services.js';
import type { ClauseId } from '../../../packages/adapter-kit/clauses.js';
import type { AnyRead } from '../../../packages/adapter-kit/reads.js';
import { around, type Ask, type Call } from './around.js';

/** A mistake that adapters make, which the kit must find. */
export interface Mutant {
  /** Completes the sentence "an adapter that …". */
  readonly does: string;
  /** The clauses that find it. */
  readonly clauses: readonly ClauseId[];
  readonly make: (adapter: CoreAdapter, more: MutantParts) => CoreAdapter;
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
    if (!('items' in answer)) return answer;
    const { items } = answer as CoreItems<object>;
    return { ...answer, items: items.map((item) => change(item, call.read)) };
  });
}

/** Keeps answers for a while and gives them again. */
export function keeping(
  forMs: number,
  isKept: (call: Call) => boolean,
  /** Distinguishes the customers. A mistake may forget to do so. */
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
