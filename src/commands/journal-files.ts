import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readEntry, type JournalEntry } from '../consents/journal/journal-entry.dto.js';
import { journalFileName, longestLine, regularFileOnly } from '../consents/journal/journal-folder.js';
import { openLine } from '../consents/journal/sealed-line.js';
import { CommandFailed } from './command.js';

/** The entries of a journal's directory that are not older than a given time. */
export interface JournalContent {
  /** In the order of their times. */
  readonly entries: readonly JournalEntry[];
  readonly files: number;
  /** Files that cannot be read, and the first line of each file that is not authentic or not known. */
  readonly faults: readonly string[];
  /** Parts that were left out because they are not needed. */
  readonly notes: readonly string[];
}

/**
 * @param key the key that sealed the journal's lines
 * @throws CommandFailed when the directory cannot be read, or has no file of a journal
 */
export async function readJournal(directory: string, sinceMs: number, key: string): Promise<JournalContent> {
  const faults: string[] = [];
  const notes: string[] = [];
  const entries: JournalEntry[] = [];
  // An entry is in the file of the day on which it was written, which is never before the day of the event.
  const firstDay = new Date(sinceMs).toISOString().slice(0, 10);
  const found = await regularFiles(directory, notes);
  const journal = found.filter((name) => journalFileName.test(name));
  if (journal.length === 0)
    throw new CommandFailed(
      `${directory} holds no file of a journal: name the folder of REVOCATION_JOURNAL. Only where nothing was ever ` +
        'withdrawn has the journal no file, and then nothing has to be recovered',
    );
  notes.push(
    ...found.filter((name) => !journal.includes(name)).map((name) => `${name}: not a file of the journal, not read`),
  );
  const needed = journal.filter((name) => name.slice(0, firstDay.length) >= firstDay);
  for (const name of needed)
    for await (const part of partsOf(directory, name, key)) {
      if ('fault' in part) faults.push(part.fault);
      else if ('note' in part) notes.push(part.note);
      else if (Date.parse(part.entry.at) >= sinceMs) entries.push(part.entry);
    }
  return {
    entries: entries.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at))),
    files: needed.length,
    faults,
    notes,
  };
}

/** The names of the regular files, sorted. Adds a line to `notes` for every other entry of the directory. */
async function regularFiles(directory: string, notes: string[]): Promise<readonly string[]> {
  try {
    const content = await readdir(directory, { withFileTypes: true });
    const others = content.filter((each) => !each.isFile());
    notes.push(...others.map(({ name }) => `${name}: not a regular file, not read`).sort());
    return content.flatMap((each) => (each.isFile() ? [each.name] : [])).sort();
  } catch (error) {
    throw new CommandFailed(`the journal ${directory} cannot be read (${codeOf(error)})`);
  }
}

type Part = { readonly entry: JournalEntry } | { readonly fault: string } | { readonly note: string };

/** Ends at the first fault, because the lines after it cannot be checked. */
async function* partsOf(directory: string, name: string, key: string): AsyncGenerator<Part> {
  let before = name;
  try {
    for await (const { line, number, whole } of lines(join(directory, name))) {
      const opened = openLine(key, before, line);
      const entry = opened && readEntry(opened.entry);
      if (opened === undefined || entry === undefined) {
        yield unusable(`${name}:${number}`, opened !== undefined, whole);
        return;
      }
      yield { entry };
      before = opened.mac;
    }
  } catch (error) {
    yield { fault: `${name}: cannot be read (${codeOf(error)})` };
  }
}

function unusable(place: string, isAuthentic: boolean, isWhole: boolean): Part {
  if (isAuthentic) return { fault: `${place}: an entry that this version does not know` };
  return isWhole
    ? { fault: `${place}: not the line that the gateway wrote there (its HMAC is wrong)` }
    : { note: `${place}: cut off when its process ended; it was never acknowledged` };
}

interface Line {
  readonly line: string;
  readonly number: number;
  /** The file is complete: it ends with a line feed, or is longer than any line. */
  readonly whole: boolean;
}

/** A line that is longer than any entry is not read to its end. */
async function* lines(path: string): AsyncGenerator<Line> {
  const file = await open(path, regularFileOnly);
  try {
    let rest = '';
    let number = 0;
    for await (const chunk of file.createReadStream({ encoding: 'utf8', autoClose: false })) {
      const parts = `${rest}${chunk as string}`.split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) yield { line, number: ++number, whole: true };
      if (rest.length > longestLine) {
        yield { line: rest, number: number + 1, whole: true };
        return;
      }
    }
    if (rest !== '') yield { line: rest, number: number + 1, whole: false };
  } finally {
    await file.close();
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).name;
}
