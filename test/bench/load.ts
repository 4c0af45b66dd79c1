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

/** Asks as fast as the answers come, on {@link connections} kept-alive connections, from this process. */
export async function load(url: string, token: string, seconds: number): Promise<Round> {
  const times: number[] = [];
  const asking = autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 10,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
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
