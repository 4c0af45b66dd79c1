import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openLine, sealLine } from '../../src/consents/journal/sealed-line.js';
import type { Json } from './stack.js';

/** The key of the tests' journals. */
export const journalKey = 'test-journal-key-89abcdef0123456789abcdef';

/** The entry of every line of the journal's files, in the order of the files' names. Each line must be authentic. */
export async function journalLines(folder: string): Promise<readonly Json[]> {
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text, index) => entriesOf(names[index] ?? '', text));
}

function entriesOf(name: string, text: string): readonly Json[] {
  let before = name;
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const opened = openLine(journalKey, before, line);
      if (opened === undefined) throw new Error(`${name} has a line that is not authentic: ${line}`);
      before = opened.mac;
      return JSON.parse(opened.entry);
    });
}

/** The content of the file of this name whose lines are these entries. */
export function sealedLines(name: string, entries: readonly string[], key = journalKey): string {
  let before = name;
  const lines = entries.map((entry) => {
    const { line, mac } = sealLine(key, before, entry);
    before = mac;
    return `${line}\n`;
  });
  return lines.join('');
}
