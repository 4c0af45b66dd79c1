import type { CallContext, CoreContext } from '../../packages/core-adapter/core.adapter.js';
import type { ReadTally, ReadTrace } from './core-observer.js';
import type { Reader } from './reader-queues.js';

/** The facts of a read that the gateway does not pass to adapters. */
interface ReadFacts {
  readonly reader: Reader;
  /** Absent where the read is not made under a consent. */
  readonly consentId?: string;
  /** Absent where no request is answered by the read. */
  readonly tally?: ReadTally;
  /** Absent where no traces are taken. */
  readonly trace?: ReadTrace | undefined;
}

export interface ReadContext extends CoreContext, ReadFacts {}

/** The context of a read for which no customer is known. */
export interface TppReadContext extends CallContext, ReadFacts {}

/** Either of them. */
export type AnyContext = TppReadContext & Partial<Pick<ReadContext, 'customerRef' | 'customerPresent'>>;
