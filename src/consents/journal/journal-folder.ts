import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import type { RevocationJournalConfig } from '../../config/journal-config.js';
import { isSealed, openLine } from './sealed-line.js';

/** The name of a journal's file, with its day. */
export const journalFileName = /^(\d{4}-\d\d-\d\d)\..+\.jsonl$/;
/** Many times the longest entry. */
export const longestLine = 65_536;
/** Where an attacker replaces a file by a pipe or a link, a reader must not wait for the pipe or follow the link. */
export const regularFileOnly = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Refuses a folder with the lines of another key: `recover` takes one key for a folder. It looks at the first line of each
 * file, the newest first, until this key sealed one. A damaged file is no reason to refuse while a whole file is there.
 * @throws BootError where lines are there and this key sealed none of them
 */
export async function refuseOtherKey({ directory, key }: RevocationJournalConfig): Promise<void> {
  let others = false;
  for (const name of (await readdir(directory))
    .filter((each) => journalFileName.test(each))
    .sort()
    .reverse()) {
    const line = await firstLine(join(directory, name));
    if (line === undefined || !isSealed(line)) continue;
    if (openLine(key, name, line) !== undefined) return;
    others = true;
  }
  if (others)
    throw new BootError(
      `REVOCATION_JOURNAL names ${directory}, whose files were sealed with another REVOCATION_JOURNAL_KEY: set that key, ` +
        'or give a new key an empty folder (docs/runbook.md, "Changing secrets").',
    );
}

/** `undefined` where its process has not completed it. A file that cannot be read tells nothing about the key; `recover` names it. */
async function firstLine(path: string): Promise<string | undefined> {
  const file = await open(path, regularFileOnly).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestLine), 0, longestLine, 0);
    const end = buffer.subarray(0, bytesRead).indexOf('\n');
    return end < 0 ? undefined : buffer.toString('utf8', 0, end);
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
