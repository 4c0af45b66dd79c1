import { open as openFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../persistence/make-folder.js';
import type { EventAsJson } from './event-lines.js';
import type { Closing } from './root-record.js';
import { dayOf, fileOf, segmentOf } from './segment-names.js';

/** Opens files; tests give one whose disk fails. */
export type OpenFile = (path: string, flags: string, mode: number) => Promise<FileHandle>;

/** A segment that its own process has closed, and why. */
export interface ClosedSegment {
  readonly segment: string;
  readonly closed: Closing;
}

const hourMs = 3_600_000;
const mode = 0o600;
/** The most events of one segment, its first line included. */
const mostEvents = 100_000;

/** The segment that this process writes. */
export class OpenSegment {
  events = 0;
  withdrawals = 0;
  /** Half a line may stand at the end of the file. */
  isSpoiled = false;
  private bytes = 0;

  private constructor(
    readonly segment: string,
    private readonly openedAtMs: number,
    private readonly folder: string,
    private readonly handle: FileHandle,
    private readonly inode: number,
  ) {}

  static async create(
    directory: string,
    openedAt: Date,
    instance: string,
    open: OpenFile = openFile,
  ): Promise<OpenSegment> {
    const segment = segmentOf(openedAt, instance);
    const folder = join(directory, dayOf(segment));
    await makeFolder(folder);
    const handle = await open(join(folder, fileOf(segment, 'open')), 'ax', mode);
    try {
      const { ino } = await handle.stat();
      for (const changed of [folder, directory]) await syncFolder(changed);
      return new OpenSegment(segment, openedAt.getTime(), folder, handle, ino);
    } catch (error) {
      await handle.close().catch(() => undefined);
      throw error;
    }
  }

  /** How many more events it takes. */
  get room(): number {
    return mostEvents - this.events;
  }

  /** Why the segment has ended, where it has, by its size and the time of its opening. */
  closingAt(nowMs: number): Closing | undefined {
    if (this.room <= 0) return 'full';
    if (this.day !== new Date(nowMs).toISOString().slice(0, 10)) return 'midnight';
    return nowMs - this.openedAtMs >= hourMs ? 'hour' : undefined;
  }

  get day(): string {
    return dayOf(this.segment);
  }

  /** Whether the file is still where it was made: not after it was removed, or after another process closed it. */
  async isUnmoved(): Promise<boolean> {
    try {
      return (await stat(this.path('open'))).ino === this.inode;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  /**
   * Appends lines. After a rejection none of them is in the file; where that cannot be reached,
   * `isSpoiled` says so.
   */
  async append(lines: string, events: readonly EventAsJson[]): Promise<void> {
    const content = Buffer.from(lines);
    try {
      await this.handle.writeFile(content);
    } catch (error) {
      // A full disk accepts half a line: the next event must not stand on the same line.
      await this.handle.truncate(this.bytes).catch(() => (this.isSpoiled = true));
      throw error;
    }
    this.events += events.length;
    this.withdrawals += events.filter(({ event }) => event.kind === 'withdrawal').length;
    this.bytes += content.length;
  }

  sync(): Promise<void> {
    return this.handle.datasync();
  }

  /** Shows other processes that this one lives: the mode stays the same, and the file system notes the time by its own clock. */
  touch(): Promise<void> {
    return this.handle.chmod(mode);
  }

  /** No event follows. */
  async close(closed: Closing): Promise<ClosedSegment> {
    await this.handle.sync();
    await this.handle.close();
    await rename(this.path('open'), this.path('closed'));
    await syncFolder(this.folder);
    return { segment: this.segment, closed };
  }

  /** Gives the file up, for this or another process to recover. One without an event is removed. */
  async leave(): Promise<void> {
    await this.handle.close();
    if (this.events === 0) await rm(this.path('open'), { force: true });
  }

  private path(state: 'open' | 'closed'): string {
    return join(this.folder, fileOf(this.segment, state));
  }
}

/** A new name survives a power cut only when its folder was forced to the disk as well. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await openFile(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
