import { readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock/clock.js';
import { hasEnded } from '../persistence/process-mark.js';
import { syncFolder } from './open-segment.js';
import { placeAfter, signRecord, type ChainRecord, type SegmentRoot, type TrailKey } from './root-record.js';
import { dayOf, fileOf, isDay, parseSegmentFile, type SegmentName } from './segment-names.js';
import { readSegment, type SegmentContent } from './segment-reader.js';

/** After this time without a touch, the process of a file on another machine counts as dead. */
const deadAfterMs = 120_000;

/** Where the roots go: {@link TrailRootsStore}. */
export interface Chain {
  append(id: string, make: (before: ChainRecord | undefined) => ChainRecord): Promise<ChainRecord>;
}

export interface TrailRootsParts {
  readonly directory: string;
  /** The run of this process: nothing of it is dead. */
  readonly instance: string;
  readonly key: TrailKey;
  readonly chain: Chain;
  readonly clock: Clock;
  /** Called for each segment of a dead process that was closed. */
  readonly onRecovered: (content: SegmentRoot) => void;
}

/** Puts closed segments under their roots, those of dead processes too. */
export class TrailRoots {
  private readonly closed = new Map<string, SegmentRoot>();

  constructor(private readonly parts: TrailRootsParts) {}

  /** How many closed segments of this process wait for their root. */
  get waiting(): number {
    return this.closed.size;
  }

  /** A segment of this process was closed; {@link rootAll} puts it under its root. */
  add(content: SegmentRoot): void {
    this.closed.set(content.segment, content);
  }

  /** @throws where the database or the disk fails; the next call goes on */
  async rootAll(): Promise<void> {
    for (const [segment, content] of this.closed) {
      await this.root(content);
      this.closed.delete(segment);
    }
  }

  /**
   * Closes the segments that dead processes left open, and puts under a root what they could not.
   * @param left segments of this process that it gave up
   */
  async recover(left: readonly string[] = []): Promise<void> {
    const { directory, instance } = this.parts;
    for (const day of (await list(directory)).filter(isDay)) {
      const names = (await list(join(directory, day))).flatMap((file) => parseSegmentFile(file) ?? []);
      const rooted = new Set(names.filter(({ state }) => state === 'root').map(({ segment }) => segment));
      for (const name of names) {
        const isOwn = name.instance === instance;
        if (name.state === 'root' || rooted.has(name.segment) || (isOwn && !left.includes(name.segment))) continue;
        const content = await this.contentOfDead(name, isOwn).catch(ignoreAbsence);
        if (content === undefined) continue;
        this.parts.onRecovered(content);
        await this.root(content);
      }
    }
  }

  /** `undefined` where its process lives, or where no event was written. */
  private async contentOfDead(name: SegmentName, isOwn: boolean): Promise<SegmentRoot | undefined> {
    const { segment, instance } = name;
    const folder = join(this.parts.directory, dayOf(segment));
    const path = join(folder, fileOf(segment, name.state));
    const found = await readSegment(path);
    if (!isOwn && !(await isDead(path, found, this.parts.clock.nowMs()))) return undefined;
    if (found.events === 0) {
      await rm(path, { force: true });
      return undefined;
    }
    if (name.state === 'open') {
      // Half a line is no event. Cut first: of two processes that recover the same segment, the second finds nothing to do.
      if (found.cut > 0) await truncate(path, found.bytes);
      await rename(path, join(folder, fileOf(segment, 'closed')));
      await syncFolder(folder);
    }
    const { events, bytes, cut, firstAt, lastAt, root } = found;
    return {
      v: 1,
      segment,
      day: dayOf(segment),
      instance,
      events,
      bytes,
      firstAt,
      lastAt,
      closed: 'recovered',
      ...(name.state === 'open' && cut > 0 && { cut }),
      root,
    };
  }

  private async root(content: SegmentRoot): Promise<void> {
    const { directory, key, chain } = this.parts;
    const record = await chain.append(content.segment, (before) => signRecord(content, placeAfter(before), key));
    const folder = join(directory, dayOf(content.segment));
    const path = join(folder, fileOf(content.segment, 'root'));
    // A reader never sees half a record.
    await writeFile(`${path}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

/**
 * Whether the process that wrote the file has ended. A process of another machine or container cannot be asked: a living one
 * touches its open file every few seconds, and roots a closed one as soon as this one could.
 */
async function isDead(path: string, { first }: SegmentContent, nowMs: number): Promise<boolean> {
  const ended = first?.kind === 'segment' ? hasEnded(first.process) : undefined;
  if (ended !== undefined) return ended;
  return nowMs - (await stat(path)).mtimeMs > deadAfterMs;
}

async function list(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(ignoreAbsence)) ?? [];
}

/** There is no trail yet, or another process has just closed the file. */
function ignoreAbsence(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}
