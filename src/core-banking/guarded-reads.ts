import { setTimeout as delay } from 'node:timers/promises';
import {
  bulkhead,
  circuitBreaker,
  ConsecutiveBreaker,
  handleWhen,
  isBrokenCircuitError,
  isBulkheadRejectedError,
} from 'cockatiel';
import { CoreError, type CoreErrorKind } from './core-error.js';
import type { BadRecord, CoreContext } from './core.adapter.js';

/** How a read ended; `fault` is neither the core's nor the TPP's doing but a bug. */
export type CoreOutcome = 'ok' | CoreErrorKind | 'abandoned' | 'fault';

/** What metrics and the log learn of every read; nothing in it is a customer's. */
export abstract class CoreObserver {
  abstract read(read: string, outcome: CoreOutcome, durationMs: number): void;
  /** The core failed, and was asked once more within the same read. */
  abstract retried(read: string): void;
  /** The same was being read already: the core was not asked again. */
  abstract shared(read: string): void;
  abstract badRecords(read: string, bad: readonly BadRecord[], interactionId: string): void;
}

/** The TPP closed the connection: there is nobody to answer, and the core is not to blame. */
export class RequestAbandoned extends Error {
  override readonly name = 'RequestAbandoned';
}

/** How many failures in a row open the circuit, and how long it stays open. */
const breakerFailures = 10;
const breakerOpenMs = 1_000;
/** How many reads may wait for a connection; those beyond are refused at once rather than kept until they are late. */
const waitingReads = 256;
/** Before the second attempt: long enough for a dropped connection, spread so that not all come back at once. */
const [leastPauseMs, mostPauseMs] = [20, 80] as const;

const isFailure = (error: Error): boolean =>
  error instanceof CoreError && (error.kind === 'unavailable' || error.kind === 'timeout');

interface UnderWay {
  reading: Promise<unknown> | undefined;
}

/**
 * What stands between every read and the core: identical reads under way at once are made once; the deadline; one more
 * attempt where the core failed; the circuit breaker; and a limit on how many reads the core has to do at a time.
 */
export class GuardedReads {
  /**
   * A Map that is filled and emptied leaves its outgrown tables behind, each still naming what it held and the table after
   * it: one of them in the old generation keeps all later answers from dying young. So what an entry names is taken out.
   */
  private readonly underWay = new Map<string, UnderWay>();
  private readonly breaker = circuitBreaker(handleWhen(isFailure), {
    halfOpenAfter: breakerOpenMs,
    breaker: new ConsecutiveBreaker(breakerFailures),
  });
  private readonly limit;

  constructor(
    private readonly observer: CoreObserver,
    private readonly nowMs: () => number,
    /** At most so many reads at a time. */
    connections: number,
  ) {
    this.limit = bulkhead(connections, waitingReads);
  }

  /**
   * `of` is what is read of the context's customer: reads of the same name, customer and `of` that are under way at once
   * share one answer of the core, under the interaction id and the deadline of the one that came first.
   */
  read<T>(read: string, of: unknown, context: CoreContext, call: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([read, context.customerRef, of]);
    const underWay = this.underWay.get(key)?.reading as Promise<T> | undefined;
    if (underWay === undefined) return this.lead(key, read, context, call);
    this.observer.shared(read);
    return withinDeadline(context.signal, () => underWay).catch((error: unknown) => {
      // The first one's time was over, or its TPP has gone: that is no answer for those who still wait.
      const ended = error instanceof RequestAbandoned || (error instanceof CoreError && error.kind === 'timeout');
      if (!ended || context.signal.aborted) throw error;
      return this.read(read, of, context, call);
    });
  }

  private lead<T>(key: string, read: string, context: CoreContext, call: () => Promise<T>): Promise<T> {
    const reading = this.observed(read, context, call);
    const entry: UnderWay = { reading };
    this.underWay.set(key, entry);
    const over = (): void => {
      this.underWay.delete(key);
      entry.reading = undefined;
    };
    reading.then(over, over);
    return reading;
  }

  private async observed<T>(read: string, context: CoreContext, call: () => Promise<T>): Promise<T> {
    const startedMs = this.nowMs();
    let outcome: CoreOutcome = 'ok';
    try {
      return await this.attempts(read, context.signal, call);
    } catch (error) {
      const failure = asCoreError(error);
      outcome =
        failure instanceof CoreError ? failure.kind : failure instanceof RequestAbandoned ? 'abandoned' : 'fault';
      throw failure;
    } finally {
      this.observer.read(read, outcome, this.nowMs() - startedMs);
    }
  }

  private async attempts<T>(read: string, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    try {
      return await this.attempt(signal, call);
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      await pause(signal);
      this.observer.retried(read);
      return this.attempt(signal, call);
    }
  }

  private attempt<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    // Inside the limit, so that an adapter that never ends a read does not keep its place for ever.
    const reading = (): Promise<T> => this.limit.execute(() => withinDeadline(signal, call));
    // Waiting for a place counts against the deadline too.
    return this.breaker.execute(() => (this.limit.executionSlots > 0 ? reading() : withinDeadline(signal, reading)));
  }
}

/** Every read is safe to repeat. A core that said when to come back is taken at its word, a slow one is not asked twice. */
function isWorthRetrying(error: unknown): boolean {
  return error instanceof CoreError && error.kind === 'unavailable' && error.retryAfterSeconds === undefined;
}

function pause(signal: AbortSignal): Promise<void> {
  return withinDeadline(signal, () => delay(leastPauseMs + Math.random() * (mostPauseMs - leastPauseMs)));
}

/** Ends at the deadline even if the adapter does not. */
function withinDeadline<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => {
      reject(
        signal.reason instanceof RequestAbandoned
          ? signal.reason
          : new CoreError('timeout', 'no complete answer within the deadline'),
      );
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    const answer = call();
    signal.addEventListener('abort', onAbort);
    const over = (): void => signal.removeEventListener('abort', onAbort);
    answer.then(
      (value) => {
        over();
        resolve(value);
      },
      (error: Error) => {
        over();
        reject(error);
      },
    );
  });
}

function asCoreError(error: unknown): unknown {
  const again = Math.ceil(breakerOpenMs / 1000);
  if (isBrokenCircuitError(error))
    return new CoreError('unavailable', 'not asked: it failed repeatedly a moment ago', again);
  if (isBulkheadRejectedError(error))
    return new CoreError('unavailable', 'not asked: it has more reads under way than it can answer in time', again);
  return error;
}
