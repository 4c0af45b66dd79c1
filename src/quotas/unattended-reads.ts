import { LRUCache } from 'lru-cache';
import { countedAtMs, nextAllowedAtMs } from './unattended-access.policy.js';
import type { UnattendedRead, UnattendedReadsStore } from './unattended-reads.store.js';

/** Together with {@link writeEveryMs} less than a minute: within this time each process knows the counts of the others. */
const readAgainAfterMs = 30_000;
export const writeEveryMs = 20_000;
/** The greatest number of consents whose counts are in memory. */
const mostConsents = 50_000;

interface Stored {
  readonly readAtMs: number;
  readonly atMs: ReadonlyMap<string, readonly number[]>;
}

const neverRead: Stored = { readAtMs: Number.NEGATIVE_INFINITY, atMs: new Map() };

export interface CountedRead {
  /** When one more read is within the limit; `undefined` where this read is. A read beyond the limit does not count. */
  readonly beyondUntilMs: number | undefined;
  /** How many more reads are within the limit now. */
  readonly remaining: number;
  /** Call this after the answer: the read counts if the answer contains the customer's data. */
  readonly end: (answered: boolean) => void;
}

/**
 * The reads of each TPP without the customer: per consent, account and endpoint, over the last 24 hours. A request changes
 * memory only. Every twenty seconds a process writes its counts, and it reads the others' counts of a consent when its own
 * copy is older than thirty.
 */
export class UnattendedReads {
  private readonly stored = new LRUCache<string, Stored>({ max: mostConsents });
  private readonly reading = new Map<string, Promise<void>>();
  /** Reads that this process counted and has not written yet, by consent and resource. */
  private readonly own = new Map<string, Map<string, readonly number[]>>();
  private toWrite: UnattendedRead[] = [];

  constructor(
    private readonly store: Pick<UnattendedReadsStore, 'of' | 'add'>,
    readonly limit: number,
  ) {}

  /** Resolves once the counts of the consent include those of all processes; `undefined` where they already do. */
  refresh(consentId: string, nowMs: number): Promise<void> | undefined {
    const stored = this.stored.get(consentId);
    if (stored !== undefined && nowMs - stored.readAtMs < readAgainAfterMs) return undefined;
    const underWay = this.reading.get(consentId);
    if (underWay !== undefined) return underWay;
    const reading = this.store
      .of(consentId)
      .then((atMs) => void this.stored.set(consentId, { readAtMs: nowMs, atMs }))
      .finally(() => this.reading.delete(consentId));
    this.reading.set(consentId, reading);
    return reading;
  }

  /** Counts one more read at once, by the counts in memory: simultaneous requests cannot all be the last allowed read. */
  count(consentId: string, resource: string, nowMs: number): CountedRead {
    const own = this.own.get(consentId)?.get(resource) ?? [];
    const counted = countedAtMs([...(this.stored.get(consentId)?.atMs.get(resource) ?? []), ...own], nowMs);
    const beyondUntilMs = nextAllowedAtMs(counted, this.limit);
    if (beyondUntilMs !== undefined) return { beyondUntilMs, remaining: 0, end: () => undefined };
    // Two simultaneous reads get different times.
    let atMs = nowMs;
    while (own.includes(atMs)) atMs++;
    this.setOwn(consentId, resource, [...own, atMs]);
    return {
      beyondUntilMs,
      remaining: this.limit - counted.length - 1,
      end: (answered) => {
        if (answered) this.toWrite.push({ consentId, resource, atMs });
        else this.forgetOwn({ consentId, resource, atMs });
      },
    };
  }

  /** Writes the counts, and keeps those that cannot be written for the next time. */
  async write(): Promise<void> {
    const batch = this.toWrite;
    if (batch.length === 0) return;
    this.toWrite = [];
    try {
      await this.store.add(batch, this.limit);
    } catch (error) {
      this.toWrite = [...batch, ...this.toWrite];
      throw error;
    }
    for (const read of batch) {
      this.addStored(read);
      this.forgetOwn(read);
    }
  }

  private addStored({ consentId, resource, atMs }: UnattendedRead): void {
    // The next request reads counts that were never read. Until then only those of this process are known.
    const { readAtMs, atMs: times } = this.stored.get(consentId) ?? neverRead;
    this.stored.set(consentId, {
      readAtMs,
      atMs: new Map(times).set(resource, [...(times.get(resource) ?? []), atMs]),
    });
  }

  private setOwn(consentId: string, resource: string, atMs: readonly number[]): void {
    const resources = this.own.get(consentId) ?? new Map<string, readonly number[]>();
    if (atMs.length > 0) resources.set(resource, atMs);
    else resources.delete(resource);
    if (resources.size > 0) this.own.set(consentId, resources);
    else this.own.delete(consentId);
  }

  private forgetOwn({ consentId, resource, atMs }: UnattendedRead): void {
    const own = this.own.get(consentId)?.get(resource) ?? [];
    this.setOwn(
      consentId,
      resource,
      own.filter((each) => each !== atMs),
    );
  }
}
