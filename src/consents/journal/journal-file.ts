import { randomBytes } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { RevocationJournalConfig } from '../../config/journal-config.js';
import { sealLine } from './sealed-line.js';

/** The file of one process and one day. It is never opened again: a process that starts makes a new file. */
export class JournalFile {
  private bytesWritten = 0;
  private spoiled = false;

  private constructor(
    readonly day: string,
    private readonly path: string,
    private readonly handle: FileHandle,
    private readonly key: string,
    /** The HMAC of the last line that was written completely; before the first line, the file's name. */
    private before: string,
  ) {}

  /** @param day such as `2026-05-02` */
  static async make({ directory, key }: RevocationJournalConfig, day: string): Promise<JournalFile> {
    const name = `${[day, hostname(), process.pid, randomBytes(4).toString('hex')].join('.')}.jsonl`;
    const path = join(directory, name);
    const handle = await open(path, 'ax', 0o600);
    try {
      await syncDirectory(directory);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new JournalFile(day, path, handle, key, name);
  }

  /** Whether more lines can be written: not after the file was removed, nor where it ends with half a line. */
  async isUsable(): Promise<boolean> {
    return !this.spoiled && (await this.handle.stat()).nlink > 0;
  }

  /** Resolves when all entries, each as JSON, are on the disk. After a rejection none of them is in the file. */
  async append(entries: readonly string[]): Promise<void> {
    const { lines, last } = this.sealed(entries);
    try {
      await this.handle.writeFile(lines);
      await this.handle.datasync();
      this.bytesWritten += Buffer.byteLength(lines);
      this.before = last;
    } catch (error) {
      // A full disk accepts half a line: the next entry must not stand on the same line.
      await this.handle.truncate(this.bytesWritten).catch(() => (this.spoiled = true));
      throw error;
    }
  }

  /** Removes the file if no line was written into it. */
  async close(): Promise<void> {
    await this.handle.close();
    if (this.bytesWritten === 0) await rm(this.path, { force: true });
  }

  private sealed(entries: readonly string[]): { readonly lines: string; readonly last: string } {
    let [lines, last] = ['', this.before];
    for (const entry of entries) {
      const { line, mac } = sealLine(this.key, last, entry);
      lines += `${line}\n`;
      last = mac;
    }
    return { lines, last };
  }
}

/** A new file survives a power cut only when its directory was forced to the disk as well. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
