import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readEntry, type JournalEntry } from '../consents/journal-entry.dto.js';
import { CommandFailed } from './command.js';

/** The entries of a journal's directory from a moment on. */
export interface JournalContent {
  /** In the order of their times. */
  readonly entries: readonly JournalEntry[];
  readonly files: number;
  /** Unreadable lines, by file and line. */
  readonly faults: readonly string[];
  /** Parts that were left out because they are not needed. */
  readonly notes: readonly string[];
}

const dayOfFile = /^(\d{4}-\d\d-\d\d)\..+\.jsonl$/;

/** @throws CommandFailed when the directory cannot be read, or is none of a journal */
export async function readJournal(directory: string, sinceMs: number): Promise<JournalContent> {
  const faults: string[] = [];
  const notes: string[] = [];
  const entries: JournalEntry[] = [];
  let files = 0;
  // An entry stands in the file of the day on which it was written, which is never the day before it happened.
  const firstDay = new Date(sinceMs).toISOString().slice(0, 10);
  const found = await names(directory);
  if (!found.some((name) => dayOfFile.test(name)))
    throw new CommandFailed(
      `${directory} holds no file of a journal: name the folder of REVOCATION_JOURNAL. Only where nothing was ever ` +
        'withdrawn there is none, and nothing to recover',
    );
  for (const name of found) {
    const day = dayOfFile.exec(name)?.[1];
    if (day === undefined) notes.push(`${name}: not a file of the journal, not read`);
    if (day === undefined || day < firstDay) continue;
    files++;
    try {
      for await (const { line, number, whole } of lines(join(directory, name))) {
        const entry = readEntry(line);
        if (entry !== undefined && Date.parse(entry.at) >= sinceMs) entries.push(entry);
        else if (entry === undefined && whole) faults.push(`${name}:${number}: not an entry of the journal`);
        else if (entry === undefined)
          notes.push(`${name}:${number}: cut off when its process ended; it was never acknowledged`);
      }
    } catch (error) {
      faults.push(`${name}: cannot be read (${codeOf(error)})`);
    }
  }
  return {
    entries: entries.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at))),
    files,
    faults,
    notes,
  };
}

async function names(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    throw new CommandFailed(`the journal ${directory} cannot be read (${codeOf(error)})`);
  }
}

interface Line {
  readonly line: string;
  readonly number: number;
  /** It ends with a line feed, so that its process had written all of it. */
  readonly whole: boolean;
}

async function* lines(path: string): AsyncGenerator<Line> {
  const file = await open(path, 'r');
  try {
    let rest = '';
    let number = 0;
    for await (const chunk of file.createReadStream({ encoding: 'utf8', autoClose: false })) {
      const parts = `${rest}${chunk as string}`.split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) yield { line, number: ++number, whole: true };
    }
    if (rest !== '') yield { line: rest, number: number + 1, whole: false };
  } finally {
    await file.close();
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).name;
}
