import { LRUCache } from 'lru-cache';

/** As many are judged at once from one address; after them one more each time that this passes. */
const atOnce = 10;
const oneMoreEveryMs = 6_000;
/** Of addresses; the one of which nothing was heard for longest is forgotten first. */
const mostAddresses = 10_000;

interface Allowance {
  readonly left: number;
  readonly atMs: number;
}

/** The allowance at a later time: nobody saves up more than at first. */
export function allowanceAt({ left, atMs }: Allowance, nowMs: number): number {
  return Math.min(atOnce, left + Math.max(0, nowMs - atMs) / oneMoreEveryMs);
}

/** Counts wrong credentials by the address that they come from: no other address waits for it, and the right one costs nothing. */
export class WrongCredentials {
  private readonly allowances = new LRUCache<string, Allowance>({ max: mostAddresses });

  /** Whole seconds until a credential from this address is judged again; 0 when it is judged now. */
  waitSeconds(address: string, nowMs: number): number {
    const known = this.allowances.get(address);
    if (known === undefined) return 0;
    const left = allowanceAt(known, nowMs);
    return left >= 1 ? 0 : Math.ceil(((1 - left) * oneMoreEveryMs) / 1_000);
  }

  count(address: string, nowMs: number): void {
    const known = this.allowances.get(address) ?? { left: atOnce, atMs: nowMs };
    this.allowances.set(address, { left: allowanceAt(known, nowMs) - 1, atMs: nowMs });
  }
}
