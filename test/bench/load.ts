import autocannon from 'autocannon';
import { percentile } from './figures.js';

export const connections = 32;

/** What one server did under one load for a while. */
export interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 2xx, errors and timeouts. */
  readonly failed: number;
}

/** What one connection asks, again and again. */
export interface Asked {
  readonly url: string;
  readonly token: string;
}

/**
 * Asks as fast as the answers come, on {@link connections} kept-alive connections, from this process. The connections
 * take turns in what they ask, so that no two ask the same while there is enough to ask.
 */
export async function load(asked: readonly Asked[], seconds: number): Promise<Round> {
  const times: number[] = [];
  let connection = 0;
  const asking = autocannon({
    url: new URL(asked[0]?.url ?? '').origin,
    connections,
    duration: seconds,
    timeout: 10,
    setupClient: (client) => {
      const { url, token } = asked[connection++ % asked.length] as Asked;
      const { pathname, search } = new URL(url);
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      client.setRequests([{ path: pathname + search, headers }]);
    },
  });
  // autocannon's own percentiles are in whole milliseconds, too coarse for answers that take one or two.
  asking.on('response', (_client, _status, _bytes, responseTimeMs) => times.push(responseTimeMs));
  const result = await asking;
  times.sort((one, other) => one - other);
  return {
    perSecond: result['2xx'] / result.duration,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    failed: result.non2xx + result.errors,
  };
}
