import autocannon from 'autocannon';
import { percentile } from './figures.js';

export const connections = 32;

/** The figures of one server under one load for a while. */
export interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers of 2xx. */
  readonly answered: number;
  /** Answers other than 2xx, errors and timeouts. */
  readonly failed: number;
}

/** The requests that one connection repeats. */
export interface Asked {
  readonly url: string;
  readonly token: string;
}

/** PEM: the authority that a TPP trusts, and its own certificate and key. */
export interface ClientTls {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface LoadOptions {
  /** Default {@link connections}. */
  readonly connections?: number;
  readonly tls?: ClientTls;
}

/** The customer is present: without it the figures would change at the moment at which reads begin to count. */
export function headersOf({ token }: Pick<Asked, 'token'>): Record<string, string> {
  return { authorization: `Bearer ${token}`, accept: 'application/json', 'x-fapi-customer-ip-address': '203.0.113.7' };
}

/**
 * Asks as fast as the answers come, on kept-alive connections, from this process. The connections share the list of
 * requests, so that no two send the same request if the list is long enough.
 */
export async function load(asked: readonly Asked[], seconds: number, options: LoadOptions = {}): Promise<Round> {
  const times: number[] = [];
  let connection = 0;
  const asking = autocannon({
    url: new URL(asked[0]?.url ?? '').origin,
    connections: options.connections ?? connections,
    duration: seconds,
    timeout: 10,
    setupClient: (client) => {
      const read = asked[connection++ % asked.length] as Asked;
      const { pathname, search } = new URL(read.url);
      client.setRequests([{ path: pathname + search, headers: headersOf(read) }]);
    },
    ...(options.tls && { tlsOptions: options.tls }),
  });
  // autocannon's own percentiles are in whole milliseconds, too coarse for answers that take one or two.
  asking.on('response', (_client, _status, _bytes, responseTimeMs) => times.push(responseTimeMs));
  const { duration, '2xx': answered, non2xx, errors } = await asking;
  return { ...percentiles(times), perSecond: answered / duration, answered, failed: non2xx + errors };
}

/**
 * Runs the work that `next` returns, one piece per worker at a time, until it returns none. Rejects with the first
 * failure, once the other work is done too.
 */
export async function runRequests(
  workers: number,
  next: (worker: number) => Promise<unknown> | undefined,
): Promise<Round> {
  const times: number[] = [];
  const startedMs = performance.now();
  let broken = false;
  const work = async (worker: number): Promise<void> => {
    for (;;) {
      const beganMs = performance.now();
      const begun = broken ? undefined : next(worker);
      if (begun === undefined) return;
      await begun.catch((error: unknown) => {
        broken = true;
        throw error;
      });
      times.push(performance.now() - beganMs);
    }
  };
  const done = await Promise.allSettled(Array.from({ length: workers }, (_, worker) => work(worker)));
  const failure = done.find((one) => one.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  const answered = times.length;
  const perSecond = (answered * 1000) / (performance.now() - startedMs);
  return { ...percentiles(times), perSecond, answered, failed: 0 };
}

/**
 * The contenders in this round's order, a Williams design: over as many rounds as contenders (twice as many for an odd
 * number) each follows each other equally often, because a machine answers slower just after harder work.
 */
export function inTurn<T>(contenders: readonly T[], round: number): T[] {
  const count = contenders.length;
  const odd = count % 2;
  const shift = odd ? Math.floor(round / 2) : round;
  const order = contenders.map((_, place) => {
    const inward = place % 2 ? (place + 1) / 2 : count - place / 2;
    return contenders[(inward + shift) % count] as T;
  });
  return odd && round % 2 ? order.reverse() : order;
}

function percentiles(times: readonly number[]): Pick<Round, 'p50Ms' | 'p99Ms'> {
  const sorted = times.toSorted((one, other) => one - other);
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}
