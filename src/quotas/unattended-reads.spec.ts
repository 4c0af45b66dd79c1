import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnattendedReads } from './unattended-reads.js';
import type { UnattendedRead } from './unattended-reads.store.js';

const nowMs = Date.parse('2026-06-15T12:00:00.000Z');

/** The reads that all processes wrote. It fails on demand. */
class SharedCounts {
  readonly rows = new Map<string, Map<string, readonly number[]>>();
  writes = 0;
  reads = 0;
  isDown = false;

  async of(consentId: string): Promise<Map<string, readonly number[]>> {
    this.reads++;
    if (this.isDown) throw new Error('the database is away');
    return new Map(this.rows.get(consentId));
  }

  async add(reads: readonly UnattendedRead[], most: number): Promise<void> {
    this.writes++;
    if (this.isDown) throw new Error('the database is away');
    for (const { consentId, resource, atMs } of reads) {
      const resources = this.rows.get(consentId) ?? new Map<string, readonly number[]>();
      const times = [...new Set([...(resources.get(resource) ?? []), atMs])].sort((one, other) => other - one);
      this.rows.set(consentId, resources.set(resource, times.slice(0, most)));
    }
  }
}

describe('the counts of reads without the customer', () => {
  let shared: SharedCounts;
  let reads: UnattendedReads;
  beforeEach(() => {
    shared = new SharedCounts();
    reads = new UnattendedReads(shared, 4);
  });
  const balances = (of = reads, atMs = nowMs) => of.count('aac-1', 'account balances', atMs);
  const answered = (times: number, of = reads, atMs = nowMs): void => {
    for (let time = 0; time < times; time++) balances(of, atMs).end(true);
  };

  it('report how many reads are left, and when the next one is allowed', () => {
    expect(balances()).toMatchObject({ beyondUntilMs: undefined, remaining: 3 });
    answered(3);
    expect(balances()).toMatchObject({ beyondUntilMs: nowMs + 86_400_000, remaining: 0 });
  });

  it('are separate for each consent and each resource', () => {
    answered(4);
    expect(reads.count('aac-2', 'account balances', nowMs).beyondUntilMs).toBeUndefined();
    expect(reads.count('aac-1', 'account transactions', nowMs).beyondUntilMs).toBeUndefined();
  });

  it('admit at most the limit of simultaneous requests', () => {
    const atOnce = Array.from({ length: 20 }, () => balances());
    expect(atOnce.filter(({ beyondUntilMs }) => beyondUntilMs === undefined)).toHaveLength(4);
  });

  it('leave out a read whose request was not answered', () => {
    answered(3);
    balances().end(false);
    expect(balances().remaining).toBe(0);
    expect(balances().beyondUntilMs).toBeDefined();
  });

  it('do not grow by reads beyond the limit', async () => {
    answered(1_000);
    await reads.write();
    expect(shared.rows.get('aac-1')?.get('account balances')).toHaveLength(4);
  });

  it('are written together, and each read is written once', async () => {
    answered(2);
    reads.count('aac-2', 'account balances', nowMs).end(true);
    await reads.write();
    await reads.write();
    expect(shared.writes).toBe(1);
    expect(shared.rows.get('aac-1')?.get('account balances')).toHaveLength(2);
    expect(balances().remaining).toBe(1);
  });

  it('reach another process when it reads them, in addition to its own counts', async () => {
    const other = new UnattendedReads(shared, 4);
    answered(2, other);
    await reads.refresh('aac-1', nowMs);
    answered(2, reads, nowMs + 5);
    await reads.write();
    expect(other.refresh('aac-1', nowMs)).toBeInstanceOf(Promise);
    await other.refresh('aac-1', nowMs);
    expect(balances(other).beyondUntilMs).toBeDefined();
  });

  it('are read again after 30 seconds, once for all simultaneous requests', async () => {
    await Promise.all([reads.refresh('aac-1', nowMs), reads.refresh('aac-1', nowMs)]);
    expect(shared.reads).toBe(1);
    expect(reads.refresh('aac-1', nowMs + 29_999)).toBeUndefined();
    await reads.refresh('aac-1', nowMs + 30_000);
    expect(shared.reads).toBe(2);
  });

  it('lose no read while the database is away for some time', async () => {
    answered(2);
    shared.isDown = true;
    await expect(reads.write()).rejects.toThrow('away');
    answered(1);
    shared.isDown = false;
    await reads.write();
    expect(shared.rows.get('aac-1')?.get('account balances')).toHaveLength(3);
    expect(balances().remaining).toBe(0);
  });
});
