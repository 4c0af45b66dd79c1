import { setTimeout as delay } from 'node:timers/promises';
import { type Circuit, circuitOpenMs } from './circuit.js';
import { CoreError, isCoreError } from '../../packages/core-adapter/core-error.js';
import { unlessAborted } from '../../packages/core-adapter/unless-aborted.js';
import type { CoreObserver, CoreOutcome, ReadTally } from './core-observer.js';
import { currentRead } from './current-read.js';
import type { AnyContext } from './read-context.js';
import { type ReaderQueue, ReaderQueues } from './reader-queues.js';

/** The TPP closed the connection. The core is not to blame. */
export class RequestAbandoned extends Error {
  override readonly name = 'RequestAbandoned';
}

/** Too many reads of this reader wait for a connection. The core is not to blame. */
export class TooManyReads extends Error {
  override readonly name = 'TooManyReads';
  /** Whole seconds. */
  readonly retryAfterSeconds = 1;
}

/** How many reads of one reader may wait for a connection. Further reads would only wait past their deadline. */
const mostWaiting = 256;
/** The pause before the second attempt. It is random, so that reads that failed together do not come back together. */
const [leastPauseMs, mostPauseMs] = [20, 80] as const;

/** Asks the core. The context is the last argument, as in the port. */
type Call<Query extends readonly unknown[], Context, T> = (...given: [...query: Query, context: Context]) => Promise<T>;

/** One read with its arguments, and the queue of its reader. */
interface GuardedRead<Query extends readonly unknown[], Context extends AnyContext, T> {
  readonly read: string;
  readonly query: Query;
  readonly queue: ReaderQueue;
  readonly context: Context;
  readonly call: Call<Query, Context, T>;
}

interface RunningRead {
  reading: Promise<unknown> | undefined;
}

/**
 * Guards every read of the core. Identical reads of one reader at the same time become one. Each read has a deadline, and
 * one more attempt where the core failed. Each reader has a circuit breaker and a turn ({@link ReaderQueues}), which limits
 * how many reads the core has to do at a time. No reader shares, waits for or fails with another reader's reads.
 */
export class GuardedReads {
  /**
   * A Map that is filled and emptied leaves its outgrown tables behind. Each still refers to its entries and to the next
   * table, so one table in the old generation keeps all later answers from dying young. So an ended read clears its entry:
   * docs/operate/performance.md has the figure.
   */
  private readonly running = new Map<string, RunningRead>();
  private readonly queues: ReaderQueues;

  constructor(
    private readonly observer: CoreObserver,
    /** The most reads at a time. */
    connections: number,
  ) {
    this.queues = new ReaderQueues(connections, mostWaiting);
  }

  /** How many reads hold a connection, and the most that may. */
  get use(): ReaderQueues['use'] {
    return this.queues.use;
  }

  /**
   * `query` identifies the requested data of the context's customer. A reader's simultaneous reads with the same name, customer,
   * consent, presence of the customer and `query` share one answer, under the interaction id and the deadline of the first read.
   */
  read<const Query extends readonly unknown[], Context extends AnyContext, T>(
    read: string,
    query: Query,
    context: Context,
    call: Call<Query, Context, T>,
  ): Promise<T> {
    const queue = this.queues.queueOf(context.reader);
    const { customerRef, consentId, customerPresent } = context;
    const key = JSON.stringify([queue.number, read, customerRef, consentId, customerPresent, query]);
    const sameRead = this.running.get(key)?.reading as Promise<T> | undefined;
    if (sameRead !== undefined) {
      this.observer.shared(read);
      const shared = untilDeadline(context.signal, () => sameRead);
      return timed(context.tally, shared).catch((error: unknown) => {
        // The first read reached its deadline, or its TPP left. The reads that still wait start again.
        const ended = error instanceof RequestAbandoned || (isCoreError(error) && error.kind === 'timeout');
        if (!ended || context.signal.aborted) throw error;
        return this.read(read, query, context, call);
      });
    }
    const reading = this.observed({ read, query, queue, context, call });
    const entry: RunningRead = { reading };
    this.running.set(key, entry);
    const over = (): void => {
      this.running.delete(key);
      entry.reading = undefined;
    };
    reading.then(over, over);
    return reading;
  }

  private async observed<Query extends readonly unknown[], Context extends AnyContext, T>(
    guarded: GuardedRead<Query, Context, T>,
  ): Promise<T> {
    const startedMs = performance.now();
    let outcome: CoreOutcome = 'ok';
    const { context, read } = guarded;
    const span = context.trace?.read(this.observer.core, read);
    const traced = span && { ...guarded, context: { ...context, traceparent: span.traceparent } };
    try {
      return await this.attempt(traced ?? guarded).catch((error: unknown) => this.again(traced ?? guarded, error));
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      this.observer.read(read, outcome, tookFrom(startedMs, context.tally));
      span?.end(outcome);
    }
  }

  private async again<Query extends readonly unknown[], Context extends AnyContext, T>(
    guarded: GuardedRead<Query, Context, T>,
    error: unknown,
  ): Promise<T> {
    if (!isWorthRetrying(error)) throw error;
    await pause(guarded.context.signal);
    this.observer.retried(guarded.read);
    return this.attempt(guarded).catch((second: unknown) => {
      // The first attempt reached the core, so its failure is the answer, even if the queue is full now.
      throw second instanceof TooManyReads ? error : second;
    });
  }

  private async attempt<Query extends readonly unknown[], Context extends AnyContext, T>({
    queue,
    query,
    context,
    call,
  }: GuardedRead<Query, Context, T>): Promise<T> {
    const { signal, customerRef } = context;
    const { circuit } = queue;
    if (signal.aborted) throw endOf(signal);
    const atOnce = this.queues.take(queue);
    if (!atOnce) await this.turn(queue, signal);
    try {
      if (signal.aborted) throw endOf(signal);
      refuseIfOpen(circuit);
      const probe = circuit.begin();
      try {
        const answering = currentRead.run(context, call, ...query, context);
        // The deadline also ends the turn, so that an adapter that never ends a read does not keep its connection for ever.
        const answer = await unlessAborted(signal, answering, () => endOf(signal));
        if (circuit.succeeded(probe)) this.observer.circuit('closed');
        return answer;
      } catch (error) {
        this.updateCircuit(error, circuit, probe, atOnce ? customerRef : undefined);
        throw error;
      }
    } finally {
      this.queues.release(queue);
    }
  }

  /** Counts the end of a read for or against the core. @param soleCustomer absent if the read had waited, and so had less time */
  private updateCircuit(error: unknown, circuit: Circuit, probe: boolean, soleCustomer: string | undefined): void {
    const kind = isCoreError(error) ? error.kind : undefined;
    const late = kind === 'timeout';
    if (kind === undefined || (late && !probe && soleCustomer === undefined)) circuit.undecided(probe);
    else if (late || kind === 'unavailable') {
      if (circuit.failed(probe, performance.now(), late ? soleCustomer : undefined)) this.observer.circuit('opened');
    } else if (circuit.succeeded(probe)) this.observer.circuit('closed');
  }

  /** Waiting for a connection counts against the deadline too. */
  private turn(queue: ReaderQueue, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      refuseIfOpen(queue.circuit);
      const over = (): void => {
        signal.removeEventListener('abort', onAbort);
        this.observer.waiting(-1);
      };
      const onAbort = (): void => {
        this.queues.leave(queue, waiting);
        over();
        reject(endOf(signal, 'no connection for this reader became free within the deadline'));
      };
      const waiting = (): void => {
        over();
        resolve();
      };
      if (!this.queues.join(queue, waiting)) throw new TooManyReads();
      signal.addEventListener('abort', onAbort);
      this.observer.waiting(1);
    });
  }
}

/** Every read is safe to repeat. The gateway does not retry before the core's `Retry-After`, nor a slow core. */
function isWorthRetrying(error: unknown): boolean {
  return isCoreError(error) && error.kind === 'unavailable' && error.retryAfterSeconds === undefined;
}

function pause(signal: AbortSignal): Promise<void> {
  return untilDeadline(signal, () => delay(leastPauseMs + Math.random() * (mostPauseMs - leastPauseMs)));
}

/** Ends at the deadline even if the adapter does not. */
function untilDeadline<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  if (signal.aborted) return Promise.reject(endOf(signal));
  return unlessAborted(signal, call(), () => endOf(signal));
}

/** The error of a read whose signal has fired. */
function endOf(signal: AbortSignal, late = 'no complete answer within the deadline'): Error {
  return signal.reason instanceof RequestAbandoned ? signal.reason : new CoreError('timeout', late);
}

function outcomeOf(error: unknown): CoreOutcome {
  if (isCoreError(error)) return error.kind;
  if (error instanceof TooManyReads) return 'refused';
  return error instanceof RequestAbandoned ? 'abandoned' : 'fault';
}

function refuseIfOpen(circuit: Circuit): void {
  if (!circuit.isOpen || circuit.admits(performance.now())) return;
  throw new CoreError('unavailable', 'not asked: it failed repeatedly a moment ago', Math.ceil(circuitOpenMs / 1_000));
}

/** Adds the time of a read that has ended. @returns the time in milliseconds */
function tookFrom(startedMs: number, tally: ReadTally | undefined): number {
  const ms = performance.now() - startedMs;
  if (tally !== undefined) tally.coreMs = Math.max(tally.coreMs, ms);
  return ms;
}

/** Adds the time until the read has ended. */
function timed<T>(tally: ReadTally | undefined, read: Promise<T>): Promise<T> {
  const startedMs = performance.now();
  return read.finally(() => tookFrom(startedMs, tally));
}
