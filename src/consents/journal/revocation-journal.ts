import { setTimeout as sleep } from 'node:timers/promises';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Clock } from '../../clock/clock.js';
import { BootError } from '../../config/boot-error.js';
import type { RevocationJournalConfig } from '../../config/journal-config.js';
import { unavailable } from '../../open-banking/common-errors.js';
import type { JournalEntry } from './journal-entry.dto.js';
import { JournalFile } from './journal-file.js';
import { refuseOtherKey } from './journal-folder.js';

/** How long a withdrawal waits for the disk. After that it takes effect without its line. */
const patienceMs = 5_000;
/** The pause between attempts to write the lines that failed. */
const retryEveryMs = 1_000;

interface JournalWatch {
  /** Nothing can be written: called once, until a write succeeds. */
  failed(error: unknown): void;
  /** The number of lines that are late: their withdrawals took effect without them. */
  overdue(lines: number): void;
}

/**
 * Keeps withdrawals outside the database, so that restoring a backup does not restore the access that they ended: see
 * `recover` in the runbook.
 */
export abstract class RevocationJournal implements BeforeApplicationShutdown {
  /** Resolves when the entry is on the disk. */
  protected abstract append(entry: JournalEntry): Promise<void>;

  /** Writes the lines that are still to be written, and closes the file. */
  abstract close(): Promise<void>;

  beforeApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /**
   * Writes the entries, then makes the change. The change is made also when an entry could not be written, because access
   * that continues is worse than a missing line. The caller then gets an error.
   */
  async withdraw<T>(entries: JournalEntry | readonly JournalEntry[], change: () => Promise<T>): Promise<T> {
    const unwritten = await Promise.all([entries].flat().map((entry) => this.append(entry))).then(
      () => undefined,
      (error: unknown) => notKept(error),
    );
    const changed = await change();
    if (unwritten !== undefined) throw unwritten;
    return changed;
  }

  /** Writes an entry whose change was already made. */
  async note(entry: JournalEntry): Promise<void> {
    await this.append(entry).catch((error: unknown) => {
      throw notKept(error);
    });
  }
}

function notKept(error: unknown): Error {
  return unavailable(
    error,
    undefined,
    'The change took effect, but is not in the revocation journal yet',
    'journal-unreachable',
  );
}

class NoJournal extends RevocationJournal {
  protected override append(): Promise<void> {
    return Promise.resolve();
  }
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

/** For a bank without a journal. */
export const noJournal: RevocationJournal = new NoJournal();

interface Waiting {
  readonly entry: string;
  /** The caller was told that the entry is not written, so it is overdue. */
  late: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A file for each process and day. The entries that come while the disk is busy are written together and share one fsync. */
export class FileRevocationJournal extends RevocationJournal {
  private waiting: Waiting[] = [];
  private group: Waiting[] = [];
  /** Entries that could not be written. Their callers got an error; the journal tries again. */
  private overdue: string[] = [];
  private file: JournalFile | undefined;
  private writing: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private failing = false;
  private toldOverdue = 0;

  private constructor(
    private readonly config: RevocationJournalConfig,
    private readonly clock: Clock,
    private readonly watch: JournalWatch,
  ) {
    super();
  }

  /** @throws BootError when no file can be written in the directory, or another key sealed the files in it */
  static async open(
    config: RevocationJournalConfig,
    clock: Clock,
    watch: JournalWatch,
  ): Promise<FileRevocationJournal> {
    const journal = new FileRevocationJournal(config, clock, watch);
    try {
      await journal.today();
      await journal.leave();
    } catch (error) {
      throw new BootError(
        `REVOCATION_JOURNAL names ${config.directory}, where no file can be made (${(error as NodeJS.ErrnoException).code}): ` +
          'make it a folder that this user may write, on a disk with room.',
        { cause: error },
      );
    }
    await refuseOtherKey(config);
    return journal;
  }

  protected override append(entry: JournalEntry): Promise<void> {
    const waiting = { entry: JSON.stringify(entry), late: false };
    const written = new Promise<void>((resolve, reject) => {
      this.waiting.push(Object.assign(waiting, { resolve, reject }));
    });
    this.begin();
    const tooLate = new AbortController();
    const late = sleep(patienceMs, undefined, { signal: tooLate.signal }).then(() => {
      waiting.late = true;
      throw this.failed(new Error('the disk does not answer'));
    });
    return Promise.race([written, late]).finally(() => tooLate.abort());
  }

  override async close(): Promise<void> {
    clearTimeout(this.retry);
    if (this.overdue.length > 0) this.begin();
    const finished = (this.writing ?? Promise.resolve()).then(() => this.leave());
    await Promise.race([finished, sleep(patienceMs, undefined, { ref: false })]);
    clearTimeout(this.retry);
  }

  private begin(): void {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
      if (this.waiting.length > 0) this.begin();
    });
  }

  private async writeAll(): Promise<void> {
    do {
      const group = (this.group = this.waiting);
      this.waiting = [];
      const entries = [...this.overdue, ...group.map(({ entry }) => entry)];
      try {
        await this.write(entries);
        this.settled([]);
        for (const { resolve } of group) resolve();
      } catch (error) {
        this.settled(entries);
        for (const { reject } of group) reject(this.failed(error));
      }
    } while (this.waiting.length > 0);
  }

  private settled(overdue: string[]): void {
    this.group = [];
    this.overdue = overdue;
    this.tellOverdue();
    clearTimeout(this.retry);
    if (overdue.length > 0) this.retry = setTimeout(() => this.begin(), retryEveryMs).unref();
  }

  private failed(error: unknown): unknown {
    if (!this.failing) this.watch.failed(error);
    this.failing = true;
    this.tellOverdue();
    return error;
  }

  private tellOverdue(): void {
    const late = [...this.group, ...this.waiting].filter((entry) => entry.late).length;
    const count = this.overdue.length + late;
    if (count === 0) this.failing = false;
    if (count !== this.toldOverdue) this.watch.overdue(count);
    this.toldOverdue = count;
  }

  private async write(entries: readonly string[]): Promise<void> {
    await (await this.today()).append(entries);
  }

  /** The file of today. If the present file was removed, a new one. */
  private async today(): Promise<JournalFile> {
    const day = new Date(this.clock.nowMs()).toISOString().slice(0, 10);
    if (this.file?.day === day && (await this.file.isUsable())) return this.file;
    await this.leave();
    return (this.file = await JournalFile.make(this.config, day));
  }

  private async leave(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.close();
  }
}
