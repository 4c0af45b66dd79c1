import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WithdrawalEvent } from '../../src/trail/withdrawal-event.js';
import { trailKey, type ChainRecord } from '../../src/trail/root-record.js';
import { dayOf, fileOf } from '../../src/trail/segment-names.js';
import { SegmentWriter } from '../../src/trail/segment-writer.js';
import { TrailRoots } from '../../src/trail/trail-roots.js';
import { FakeClock } from './fake-clock.js';
import { trailKeys } from './trail-keys.js';

/** A withdrawal, without the members that the gateway adds. */
export type Withdrawn = Omit<WithdrawalEvent, 'kind' | 'id' | 'number' | 'mac'>;

/** A trail with withdrawals, written and put under its roots as gateways do it. */
export class GatewayTrail {
  readonly records: ChainRecord[] = [];

  private constructor(readonly folder: string) {}

  static async make(): Promise<GatewayTrail> {
    return new GatewayTrail(await mkdtemp(join(tmpdir(), 'gateway-trail-')));
  }

  /**
   * One run of a process, which writes the withdrawals into one segment.
   * @param ends `killed`: the segment stays open and has no root
   * @returns the segment's name
   */
  async run(
    instance: string,
    atMs: number,
    withdrawals: readonly Withdrawn[],
    { ends = 'stopped', secret = trailKeys.TRAIL_KEY }: { ends?: 'stopped' | 'killed'; secret?: string } = {},
  ): Promise<string> {
    const [key, clock] = [trailKey(secret), new FakeClock(atMs)];
    const watch = { failing: () => undefined, recovered: () => undefined };
    const parts = { directory: this.folder, instance, key, clock };
    const writer = new SegmentWriter({ ...parts, fault: 'count', process: 'ended', release: '0.1.0', watch });
    for (const withdrawal of withdrawals) {
      writer.record({ kind: 'tpp', id: randomUUID(), at: withdrawal.at, event: 'changed', by: 'tpp' });
      await writer.written({ kind: 'withdrawal', id: randomUUID(), ...withdrawal });
    }
    const segment = `${new Date(atMs).toISOString().replaceAll(/[-:.]/g, '')}.${instance}`;
    if (ends === 'killed') {
      await writer.close();
      await rename(this.path(segment, 'closed'), this.path(segment, 'open'));
      return segment;
    }
    const chain = {
      append: async (_id: string, make: (before: ChainRecord | undefined) => ChainRecord) => {
        this.records.push(make(this.records.at(-1)));
        return this.records.at(-1) as ChainRecord;
      },
    };
    const roots = new TrailRoots({ ...parts, chain, onRecovered: () => undefined, onRefused: () => undefined });
    writer.onClosed = (closed) => roots.add(closed);
    await writer.close();
    await roots.rootAll();
    return segment;
  }

  path(segment: string, state: 'open' | 'closed' | 'root'): string {
    return join(this.folder, dayOf(segment), fileOf(segment, state));
  }

  async lines(segment: string, state: 'open' | 'closed' = 'closed'): Promise<string[]> {
    return (await readFile(this.path(segment, state), 'utf8')).trimEnd().split('\n');
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
