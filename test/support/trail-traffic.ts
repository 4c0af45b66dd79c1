import { request, type Members } from '../trail-tools/written-trail.js';

/** A time, from an instant to another that does not belong to it. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

const ms = (instant: string): number => Date.parse(instant);
const iso = (atMs: number): string => new Date(atMs).toISOString();

/** Requests at a steady pace; those in the spans of `failing` get 503. */
export function steadyTraffic({ from, to }: Span, everyS: number, failing: readonly Span[] = []): Members[] {
  const events: Members[] = [];
  for (let atMs = ms(from); atMs < ms(to); atMs += everyS * 1_000) {
    const fails = failing.some((span) => atMs >= ms(span.from) && atMs < ms(span.to));
    events.push(request(`r-${atMs}`, iso(atMs), fails ? failed : {}));
  }
  return events;
}

export const failed: Members = { status: 503, reason: 'core-unavailable', error: 'core-unavailable', rows: undefined };

/** A health check, which shows that the process runs, and is no request of a TPP. */
export function healthCheck(at: string): Members {
  return {
    kind: 'request',
    id: `h-${at}`,
    at,
    listener: 'bank',
    method: 'GET',
    endpoint: 'live',
    status: 200,
    lastByteMs: 1,
  };
}

let outages = 0;

/** A planned outage, as it is stated. */
export function outageStated(at: string, { from, to }: Span, outage = `outage-${++outages}`): Members {
  return { kind: 'outage', id: `${outage}-stated`, at, event: 'stated', outage, from, to, by: 'operator:maria' };
}

export function outageRemoved(at: string, { from, to }: Span, outage: string): Members {
  return { kind: 'outage', id: `${outage}-removed`, at, event: 'removed', outage, from, to, by: 'operator:maria' };
}
