import { monotonicMs } from '../clock/monotonic.js';
import type { Rate } from '../config/rate-limits.js';
import { recentlyUsed } from '../persistence/recently-used.js';

/** A caller's quota after one of its requests. */
export interface QuotaState {
  readonly admitted: boolean;
  /** Whole requests that are left now. */
  readonly remaining: number;
  /** Whole seconds until one request is admitted again, at least 1. */
  readonly retryAfterSeconds: number;
  /** Whole seconds until the bucket is full again. */
  readonly fullInSeconds: number;
}

/** The content of a caller's bucket at a time. The bucket fills from then on. */
interface Bucket {
  readonly content: number;
  readonly atMs: number;
}

/** The greatest number of buckets. A caller whose bucket was dropped starts with a full bucket. */
const mostCallers = 10_000;

/** One limit for every caller. Each caller, a TPP or an address, has a token bucket in this process. */
export class RateLimit {
  /** The item of `RateLimit-Policy` that states this limit, e.g. `"requests";q=1000;w=2`. */
  readonly policy: string;
  private readonly buckets = recentlyUsed<Bucket>(mostCallers);

  constructor(
    readonly name: string,
    readonly rate: Rate,
    private readonly nowMs: () => number = monotonicMs,
  ) {
    this.policy = `"${name}";q=${rate.burst};w=${Math.ceil(rate.burst / rate.perSecond)}`;
  }

  /** Takes one request from the caller's bucket, if one is left. */
  take(caller: string): QuotaState {
    const content = this.contentOf(this.buckets.get(caller));
    const admitted = content >= 1;
    return this.stated(admitted, this.fill(caller, admitted ? content - 1 : content));
  }

  /** Takes no request from the bucket. */
  stateOf(caller: string): QuotaState {
    const content = this.contentOf(this.buckets.get(caller));
    return this.stated(content >= 1, content);
  }

  /** The used share of the caller's bucket, from 0 to 1; above 1 where the caller took more than the bucket had. */
  usedBy(caller: string): number {
    return 1 - this.contentOf(this.buckets.peek(caller)) / this.rate.burst;
  }

  /** Takes one request that was admitted before the gateway knew that it counts. The bucket may go below zero. */
  charge(caller: string): void {
    this.fill(caller, this.contentOf(this.buckets.get(caller)) - 1);
  }

  /** Returns a request to the caller's bucket that was taken and does not count after all. */
  giveBack(caller: string): void {
    const bucket = this.buckets.peek(caller);
    if (bucket !== undefined) this.fill(caller, Math.min(this.rate.burst, this.contentOf(bucket) + 1));
  }

  private contentOf(bucket: Bucket | undefined): number {
    const { perSecond, burst } = this.rate;
    if (bucket === undefined) return burst;
    return Math.min(burst, bucket.content + ((this.nowMs() - bucket.atMs) / 1_000) * perSecond);
  }

  private fill(caller: string, content: number): number {
    this.buckets.set(caller, { content, atMs: this.nowMs() });
    return content;
  }

  private stated(admitted: boolean, content: number): QuotaState {
    const { perSecond, burst } = this.rate;
    return {
      admitted,
      remaining: Math.floor(content),
      retryAfterSeconds: Math.max(1, Math.ceil((1 - content) / perSecond)),
      fullInSeconds: Math.ceil((burst - content) / perSecond),
    };
  }
}

/** The item of `RateLimit` with the requests that are left, e.g. `"requests";r=998;t=1`. */
export function rateLimitItem(
  name: string,
  { remaining, fullInSeconds }: Pick<QuotaState, 'remaining' | 'fullInSeconds'>,
): string {
  return `"${name}";r=${remaining};t=${fullInSeconds}`;
}
