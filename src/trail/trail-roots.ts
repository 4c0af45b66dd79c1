import { randomUUID } from 'node:crypto';
import { open, lstat, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../clock/clock.js';
import { hasEnded } from '../persistence/process-mark.js';
import { syncFolder, type ClosedSegment } from './open-segment.js';
import { openingFault } from './opening.js';
import { openRegular, RefusedFile, replaceFile } from './regular-file.js';
import {
  linkAfter,
  signRecord,
  type ChainRecord,
  type Closing,
  type SegmentRoot,
  type TrailKey,
} from './root-record.js';
import { dayOf, fileOf, isDay, parseSegmentFile, type SegmentName } from './segment-names.js';
import { misplacement } from './segment-files.js';
import { firstEvent, readSegment, type SegmentContent } from './segment-reader.js';
import { textIn, type StoredEvent } from './stored-event.js';

/** After this time without a touch, the process of a file on another machine counts as dead. */
const deadAfterMs = 120_000;
const dayMs = 86_400_000;

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
  readonly deadAfterMs?: number;
  /** Called for each segment of a dead process that was closed. */
  readonly onRecovered: (content: Pick<SegmentRoot, 'segment' | 'events' | 'cut'>) => void;
  /** Called once for each file that gets no root, because no gateway has begun it or it is not a regular file. */
  readonly onRefused: (path: string, why: string) => void;
}

/** Puts closed segments under their roots, those of dead processes too. */
export class TrailRoots {
  private readonly closed = new Map<string, ClosedSegment>();
  private readonly refusedPaths = new Set<string>();
  /** No earlier day has a segment that waits for its root, so {@link recover} passes over them. */
  private firstDay = '';

  constructor(private readonly parts: TrailRootsParts) {}

  /** How many closed segments of this process wait for their root. */
  get waiting(): number {
    return this.closed.size;
  }

  /** How many files in the folder get no root. */
  get refused(): number {
    return this.refusedPaths.size;
  }

  /** A segment of this process was closed; {@link rootAll} puts it under its root. */
  add(closed: ClosedSegment): void {
    this.closed.set(closed.segment, closed);
  }

  /** @throws where the database or the disk fails; the next call goes on */
  async rootAll(): Promise<void> {
    for (const [segment, { closed }] of this.closed) {
      const path = join(this.parts.directory, dayOf(segment), fileOf(segment, 'closed'));
      try {
        await withFile(path, 'read', async (handle) => this.root(rootOf(segment, await readSegment(handle), closed)));
      } catch (error) {
        if (isAbsence(error)) this.refuse(path, 'it was removed before it got its root');
        else this.refuseOrThrow(path, error);
      }
      this.closed.delete(segment);
    }
  }

  /**
   * Closes the segments that dead processes left open, and puts under a root what they could not.
   * @param left segments of this process that it gave up
   */
  async recover(left: readonly string[] = []): Promise<void> {
    await this.forgetRemoved();
    const { directory, clock } = this.parts;
    // A process whose clock is late opens a segment in the folder of the day before.
    let firstDay = new Date(clock.nowMs() - dayMs).toISOString().slice(0, 10);
    for (const day of (await list(directory)).filter((name) => isDay(name) && name >= this.firstDay).sort())
      if (!(await this.recoverDay(day, left)) && day < firstDay) firstDay = day;
    this.firstDay = firstDay;
  }

  /** @returns whether no file of the day waits for a root */
  private async recoverDay(day: string, left: readonly string[]): Promise<boolean> {
    const folder = join(this.parts.directory, day);
    const names = (await list(folder)).flatMap((file) => parseSegmentFile(file) ?? []);
    const rooted = new Set(names.flatMap(({ segment, state }) => (state === 'root' ? [segment] : [])));
    let isFinished = true;
    for (const name of names) {
      const { segment, state, instance } = name;
      const path = join(folder, fileOf(segment, state));
      if (state === 'root' || this.refusedPaths.has(path)) continue;
      const misplaced = misplacement(segment, day);
      if (misplaced !== undefined) this.refuse(path, misplaced);
      else if (!rooted.has(segment)) {
        const isOwn = instance === this.parts.instance;
        isFinished = (!isOwn || left.includes(segment)) && (await this.recoverFile(name, path, isOwn)) && isFinished;
      }
    }
    return isFinished;
  }

  /** @returns whether the file waits for no root any more */
  private async recoverFile({ segment, state }: SegmentName, path: string, isOwn: boolean): Promise<boolean> {
    try {
      return await withFile(path, state === 'open' ? 'write' : 'read', async (handle) => {
        const first = await firstEvent(handle);
        // Before the question for its process: a forged line may name one that lives for ever.
        if (first !== undefined) this.refuseForeign(segment, first);
        if (!isOwn && !(await this.isDead(path, handle, first))) return false;
        const { cut, ...found } = await readSegment(handle);
        if (found.events === 0) {
          await rm(path, { force: true });
          return true;
        }
        this.refuseForeign(segment, first);
        if (state === 'open') {
          // Half a line is not an event. Cut first: of two processes that recover the same segment, the second finds nothing to do.
          if (cut > 0) await handle.truncate(found.bytes);
          await rename(path, join(dirname(path), fileOf(segment, 'closed')));
          await syncFolder(dirname(path));
        }
        const content = { ...rootOf(segment, found, 'recovered'), ...(state === 'open' && cut > 0 && { cut }) };
        this.parts.onRecovered(content);
        await this.root(content);
        return true;
      });
    } catch (error) {
      // Another process has just closed it.
      if (isAbsence(error)) return false;
      this.refuseOrThrow(path, error);
      return true;
    }
  }

  private refuseForeign(segment: string, first: StoredEvent | undefined): void {
    const { keyId, publicKey } = this.parts.key;
    const fault = openingFault(segment, first, new Map([[keyId, publicKey]]));
    if (fault !== undefined) throw new RefusedFile(fault);
  }

  /**
   * Whether the process that wrote the file has ended. The gateway cannot see a process of another machine or container: a living one
   * touches its open file every few seconds, and roots a closed one as soon as this one could. Both
   * times are the file system's own: the clocks of two machines differ, and a caller can set every time of a file but its `ctime`.
   */
  private async isDead(path: string, handle: FileHandle, first: StoredEvent | undefined): Promise<boolean> {
    const ended = first && hasEnded(textIn(first, 'process'));
    if (ended !== undefined) return ended;
    const ageMs = (await fileSystemMs(dirname(path))) - (await handle.stat()).ctimeMs;
    return ageMs > (this.parts.deadAfterMs ?? deadAfterMs);
  }

  private async root(content: Omit<SegmentRoot, 'signedAt'>): Promise<void> {
    const { directory, key, chain, clock } = this.parts;
    const { segment, day } = content;
    const record = await chain.append(segment, (before) =>
      signRecord({ ...content, signedAt: new Date(clock.nowMs()).toISOString() }, linkAfter(before), key),
    );
    await replaceFile(join(directory, day, fileOf(segment, 'root')), `${JSON.stringify(record)}\n`);
  }

  private refuseOrThrow(path: string, error: unknown): void {
    if (!(error instanceof RefusedFile)) throw error;
    this.refuse(path, error.message);
  }

  private refuse(path: string, why: string): void {
    this.refusedPaths.add(path);
    this.parts.onRefused(path, why);
  }

  private async forgetRemoved(): Promise<void> {
    for (const path of this.refusedPaths)
      if ((await lstat(path).catch(ignoreAbsence)) === undefined) this.refusedPaths.delete(path);
  }
}

function rootOf(
  segment: string,
  { events, bytes, firstAt, lastAt, root }: Omit<SegmentContent, 'cut'>,
  closed: Closing,
): Omit<SegmentRoot, 'signedAt'> {
  const { instance = '' } = parseSegmentFile(fileOf(segment, 'closed')) ?? {};
  return { v: 1, segment, day: dayOf(segment), instance, events, bytes, firstAt, lastAt, closed, root };
}

async function withFile<Result>(
  path: string,
  mode: 'read' | 'write',
  work: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const handle = await openRegular(path, mode);
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}

/** The present time by the clock with which the file system dates the files of the folder. */
async function fileSystemMs(folder: string): Promise<number> {
  const path = join(folder, `${randomUUID()}.probe`);
  const handle = await open(path, 'wx', 0o600);
  try {
    return (await handle.stat()).ctimeMs;
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
}

/** None where there is no trail yet. */
async function list(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(ignoreAbsence)) ?? [];
}

function ignoreAbsence(error: unknown): undefined {
  if (!isAbsence(error)) throw error;
}

function isAbsence(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
