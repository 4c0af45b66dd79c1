import { TokenBucket } from 'limiter';
import { LRUCache } from 'lru-cache';
import type { Rate } from '../config/rate-limits.js';

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

/** The greatest number of buckets. A caller whose bucket was dropped starts with a full bucket. */
const mostCallers = 10_000;

/** One limit for every caller. Each caller, a TPP or an address, has a bucket in this process. */
export class RateLimit {
  /** The item of `RateLimit-Policy` that states this limit, e.g. `"requests";q=1000;w=2`. */
  readonly policy: string;
  private readonly buckets = new LRUCache<string, TokenBucket>({ max: mostCallers });

  constructor(
    readonly name: string,
    readonly rate: Rate,
  ) {
    this.policy = `"${name}";q=${rate.burst};w=${Math.ceil(rate.burst / rate.perSecond)}`;
  }

  /** Takes one request from the caller's bucket, if one is left. */
  take(caller: string): QuotaState {
    const bucket = this.bucketOf(caller);
    const admitted = bucket.tryRemoveTokens(1);
    return this.stated(admitted, bucket.content);
  }

  /** Takes no request from the bucket. */
  stateOf(caller: string): QuotaState {
    const bucket = this.buckets.get(caller);
    bucket?.drip();
    const content = bucket?.content ?? this.rate.burst;
    return this.stated(content >= 1, content);
  }

  /** The used share of the caller's bucket, from 0 to 1; above 1 where it owes. */
  usedBy(caller: string): number {
    const bucket = this.buckets.peek(caller);
    bucket?.drip();
    return bucket === undefined ? 0 : 1 - bucket.content / this.rate.burst;
  }

  /** Takes one request that was admitted before the gateway knew that it counts. The bucket may go below zero. */
  charge(caller: string): void {
    const bucket = this.bucketOf(caller);
    bucket.drip();
    bucket.content -= 1;
  }

  /** Returns a request to the caller's bucket that was taken and does not count after all. */
  giveBack(caller: string): void {
    const bucket = this.buckets.peek(caller);
    if (bucket !== undefined) bucket.content = Math.min(this.rate.burst, bucket.content + 1);
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

  private bucketOf(caller: string): TokenBucket {
    const kept = this.buckets.get(caller);
    if (kept !== undefined) return kept;
    const { perSecond, burst } = this.rate;
    const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: perSecond, interval: 'second' });
    // The library's buckets start empty.
    bucket.content = burst;
    this.buckets.set(caller, bucket);
    return bucket;
  }
}

/** The item of `RateLimit` with the requests that are left, e.g. `"requests";r=998;t=1`. */
export function rateLimitItem(
  name: string,
  { remaining, fullInSeconds }: Pick<QuotaState, 'remaining' | 'fullInSeconds'>,
): string {
  return `"${name}";r=${remaining};t=${fullInSeconds}`;
}
