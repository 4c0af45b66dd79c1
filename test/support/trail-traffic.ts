import { request, type Members, type WrittenTrail } from './written-trail.js';

/** A time, from an instant to another that does not belong to it. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

const ms = (instant: string): number => Date.parse(instant);
const iso = (atMs: number): string => new Date(atMs).toISOString();

/** Requests at a steady pace; those in the spans of `failing` get 503. */
function steadyTraffic({ from, to }: Span, everyS: number, failing: readonly Span[] = []): Members[] {
  const events: Members[] = [];
  for (let atMs = ms(from); atMs < ms(to); atMs += everyS * 1_000) {
    const fails = failing.some((span) => atMs >= ms(span.from) && atMs < ms(span.to));
    events.push(request(`r-${atMs}`, iso(atMs), fails ? failed : {}));
  }
  return events;
}

export const failed: Members = { status: 503, reason: 'core-unavailable', error: 'core-unavailable', rows: undefined };

/** A health check, which shows that the process runs, and is not a request of a TPP. */
export function healthCheck(at: string): Members {
  const answered = { listener: 'bank', method: 'GET', endpoint: 'live', status: 200, lastByteMs: 1 };
  return { kind: 'request', id: `h-${at}`, at, ...answered };
}

let outages = 0;

/** A planned outage, as the bank plans it. */
export function outageStated(at: string, { from, to }: Span, outage = `outage-${++outages}`): Members {
  return { kind: 'outage', id: `${outage}-planned`, at, event: 'planned', outage, from, to, by: 'operator:maria' };
}

/**
 * The traffic of whole days as two processes see it in turn: a request every `everyS` seconds, and in each span of `failing` one every
 * 5 seconds that gets 503, with an answer at its end.
 */
export async function writeDays(
  trail: WrittenTrail,
  { from, to }: Span,
  failing: readonly Span[] = [],
  more: (day: string) => readonly Members[] = () => [],
  everyS = 600,
): Promise<void> {
  const instances = ['gateway-1-11111111', 'gateway-2-22222222'];
  for (let dayMs = ms(from); dayMs < ms(to); dayMs += 86_400_000) {
    const day = iso(dayMs).slice(0, 10);
    const inDay = (span: Span): Span => ({
      from: span.from > iso(dayMs) ? span.from : iso(dayMs),
      to: span.to < iso(dayMs + 86_400_000) ? span.to : iso(dayMs + 86_400_000),
    });
    const failures = failing.map(inDay).filter((span) => span.from < span.to);
    const steady = steadyTraffic({ from: iso(dayMs), to: iso(dayMs + 86_400_000) }, everyS).filter(
      ({ at }) => !failing.some((span) => String(at) >= span.from && String(at) < span.to),
    );
    const unanswered = failures.flatMap((span) => steadyTraffic(span, 5, [span]));
    const ends = failing.filter((span) => span.to.startsWith(day)).map((span) => request(`end-${span.to}`, span.to));
    const events = [...steady, ...unanswered, ...ends, ...more(day)];
    for (const [turn, instance] of instances.entries()) {
      const seen = events.filter((_, index) => index % 2 === turn);
      await trail.close(iso(dayMs), instance, seen);
    }
  }
}
