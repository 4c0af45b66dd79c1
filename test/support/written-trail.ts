import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MerkleTree } from '../../src/trail/merkle.js';
import { signOpening } from '../../src/trail/opening.js';
import { linkAfter, signRecord, trailKey, type ChainRecord, type SegmentRoot } from '../../src/trail/root-record.js';
import { SegmentWriter } from '../../src/trail/segment-writer.js';
import { TrailRoots } from '../../src/trail/trail-roots.js';
import type { WithdrawalEvent } from '../../src/trail/withdrawal-event.js';
import { dayOf, droppedFile, fileOf, segmentOf } from '../../src/trail/segment-names.js';
import { FakeClock } from './fake-clock.js';
import { trailKeys } from './trail-keys.js';

export const trailSecret = 'trail-key-of-the-tests-0123456789abcdef';
export const pseudonymKey = 'pseudonym-key-of-the-tests-0123456789abc';
export const formerPseudonymKey = 'former-pseudonym-key-of-the-tests-012345';

export type Members = Readonly<Record<string, unknown>>;

/** A withdrawal, without the members that the gateway adds. */
export type Withdrawn = Omit<WithdrawalEvent, 'kind' | 'id' | 'number' | 'mac'>;

/** A trail as gateways write it: segments by day, and the chain of their roots. */
export class WrittenTrail {
  readonly records: ChainRecord[] = [];

  private constructor(readonly folder: string) {}

  static async make(): Promise<WrittenTrail> {
    return new WrittenTrail(await mkdtemp(join(tmpdir(), 'trail-')));
  }

  /** A closed segment with its root. @returns its name */
  async close(
    startedAt: string,
    instance: string,
    events: readonly Members[],
    signedAt = new Date(Date.parse(startedAt) + 3_600_000).toISOString(),
  ): Promise<string> {
    const { segment, lines, path } = await this.write('closed', startedAt, instance, events);
    const tree = new MerkleTree();
    for (const line of lines) tree.add(line);
    const content: SegmentRoot = {
      v: 1,
      segment,
      day: dayOf(segment),
      instance,
      events: lines.length,
      bytes: (await readFile(path)).length,
      firstAt: startedAt,
      lastAt: startedAt,
      closed: 'hour' as const,
      signedAt,
      root: tree.root(),
    };
    const record = signRecord(content, linkAfter(this.records.at(-1)), trailKey(trailSecret));
    this.records.push(record);
    await writeFile(this.path(segment, 'root'), JSON.stringify(record));
    return segment;
  }

  /** A segment that its process still writes. @param rest half a line at its end */
  async open(startedAt: string, instance: string, events: readonly Members[], rest = ''): Promise<string> {
    return (await this.write('open', startedAt, instance, events, rest)).segment;
  }

  /** The record that the retention writes before it removes a day. */
  async drop(day: string): Promise<void> {
    const segments = this.records.flatMap((record) =>
      'segment' in record && record.day === day ? [record.segment] : [],
    );
    const content = { v: 1, dropped: day, segments, at: `${day}T23:00:00.000Z` } as const;
    const record = signRecord(content, linkAfter(this.records.at(-1)), trailKey(trailSecret));
    this.records.push(record);
    await writeFile(join(this.folder, droppedFile(day)), `${JSON.stringify(record)}\n`);
    await rm(join(this.folder, day), { recursive: true });
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

  /** Changes a closed segment as an attacker would. */
  async tamper(segment: string, change: (lines: string[]) => string[]): Promise<void> {
    await writeFile(this.path(segment, 'closed'), `${change(await this.lines(segment)).join('\n')}\n`);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  private async write(
    state: 'open' | 'closed',
    startedAt: string,
    instance: string,
    events: readonly Members[],
    rest = '',
  ) {
    const segment = segmentOf(new Date(startedAt), instance);
    const path = this.path(segment, state);
    await mkdir(join(this.folder, dayOf(segment)), { recursive: true });
    const opening = signOpening(segment, trailKey(trailSecret));
    const first = { kind: 'segment', id: `${segment}-segment`, at: startedAt, process: 'test', ...opening };
    const lines = [first, ...events].map((event, index) =>
      JSON.stringify({ v: 1, seq: index + 1, instance, release: '0.1.0', ...event }),
    );
    await writeFile(path, `${lines.join('\n')}\n${rest}`);
    return { segment, lines, path };
  }
}

/** A request to the API, unless it says otherwise. */
export function request(id: string, at: string, members: Members = {}): Members {
  return {
    kind: 'request',
    id,
    at,
    listener: 'api',
    method: 'GET',
    endpoint: 'balances',
    apiVersion: 'v3.1',
    status: 200,
    firstByteMs: 40,
    lastByteMs: 41,
    bytes: 1_234,
    issuer: 'https://issuer.example',
    tpp: 'copper-budget',
    consent: 'aac-1',
    attended: true,
    core: 'ledger',
    coreMs: 38,
    rows: 2,
    product: 'pca',
    ...members,
  };
}
