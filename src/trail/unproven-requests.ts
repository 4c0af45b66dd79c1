import type { RequestEvent } from './event.js';

/** As many of a listener and a reason have an event of their own each second: health checks, or a developer’s mistakes. */
const mostAlone = 5;

/**
 * Requests of callers who prove nothing. A stranger can send any number of them, and each event takes ten times the bytes of
 * its request: beyond a few a second they are counted, in one event for each listener, endpoint, status, reason and second.
 */
export class UnprovenRequests {
  private second = 0;
  private readonly alone = new Map<string, number>();
  private readonly counted = new Map<string, RequestEvent>();
  private over: RequestEvent[] = [];

  /** @returns the event, or `undefined` where it is counted */
  unlessCounted(event: RequestEvent, nowMs: number): RequestEvent | undefined {
    this.turn(nowMs);
    const { id, at, listener, endpoint, apiVersion, status, error, refusedBy, reason } = event;
    const source = `${listener} ${reason}`;
    const before = this.alone.get(source) ?? 0;
    this.alone.set(source, before + 1);
    if (before < mostAlone) return event;
    const key = [source, endpoint, apiVersion, status].join(' ');
    const first = this.counted.get(key);
    const { count = 0 } = first ?? {};
    const named = first ?? {
      kind: 'request',
      id,
      at,
      listener,
      endpoint,
      apiVersion,
      status,
      error,
      refusedBy,
      reason,
    };
    this.counted.set(key, { ...named, count: count + 1 });
    return undefined;
  }

  /** Takes the counts of the seconds that have ended. */
  take(nowMs: number): readonly RequestEvent[] {
    this.turn(nowMs);
    return this.over.splice(0);
  }

  private turn(nowMs: number): void {
    const second = Math.floor(nowMs / 1_000);
    if (second === this.second) return;
    this.second = second;
    this.over.push(...this.counted.values());
    this.counted.clear();
    this.alone.clear();
  }
}
