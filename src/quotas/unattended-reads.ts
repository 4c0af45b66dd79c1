import { LRUCache } from 'lru-cache';
import { countedAtMs, nextAllowedAtMs } from './unattended-access.policy.js';
import type { UnattendedRead, UnattendedReadsStore } from './unattended-reads.store.js';

/** Together with {@link writeEveryMs} less than a minute: within it each process knows what the others counted. */
const readAgainAfterMs = 30_000;
export const writeEveryMs = 20_000;
/** Consents whose counts are kept in memory. */
const mostConsents = 50_000;

interface Stored {
  readonly readAtMs: number;
  readonly atMs: ReadonlyMap<string, readonly number[]>;
}

const neverRead: Stored = { readAtMs: Number.NEGATIVE_INFINITY, atMs: new Map() };

/** A read of a request that is under way. */
export interface CountedRead {
  /** When one more is within the limit; `undefined` where this one is. One that is beyond the limit does not count. */
  readonly beyondUntilMs: number | undefined;
  /** How many more are within the limit now. */
  readonly remaining: number;
  /** Once the answer is out: the read counts if the customer's data went out with it. */
  readonly end: (answered: boolean) => void;
}

/**
 * How often each TPP read without the customer: per consent, account and endpoint, over the last 24 hours. A request only
 * changes memory; every twenty seconds a process writes what it counted, and it reads the others' counts when its own
 * knowledge of a consent is older than thirty.
 */
export class UnattendedReads {
  private readonly stored = new LRUCache<string, Stored>({ max: mostConsents });
  private readonly reading = new Map<string, Promise<void>>();
  /** Counted by this process and not written yet, by consent and resource. */
  private readonly own = new Map<string, Map<string, readonly number[]>>();
  private toWrite: UnattendedRead[] = [];

  constructor(
    private readonly store: Pick<UnattendedReadsStore, 'of' | 'add'>,
    readonly limit: number,
  ) {}

  /** Resolves once the counts of the consent are those of all processes; `undefined` where they are. */
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

  /** Counts one more read, by what is known in memory, at once: requests at the same time cannot all be the last one. */
  count(consentId: string, resource: string, nowMs: number): CountedRead {
    const own = this.own.get(consentId)?.get(resource) ?? [];
    const counted = countedAtMs([...(this.stored.get(consentId)?.atMs.get(resource) ?? []), ...own], nowMs);
    const beyondUntilMs = nextAllowedAtMs(counted, this.limit);
    if (beyondUntilMs !== undefined) return { beyondUntilMs, remaining: 0, end: () => undefined };
    // Two reads at once have two times.
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

  /** Writes what was counted; what cannot be written is kept for the next time. */
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
    // Counts that were never read are read at the next request; until then those of this process are known.
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
