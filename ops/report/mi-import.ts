import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { CommandFailed } from '../../src/command-line/command.js';

/** A value of a cell that only the bank's own channels know. An empty part of its place means every row. */
export interface ImportedValue {
  readonly line: number;
  readonly tab: string;
  readonly date: string;
  readonly endpoint: string;
  readonly version: string;
  readonly field: string;
  readonly value: string;
}

const columns = ['tab', 'date', 'endpoint', 'version', 'field', 'value'] as const;

/** @throws CommandFailed where the file cannot be read or is not CSV with these columns */
export async function importedValues(path: string): Promise<ImportedValue[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${path} cannot be read (${error.code})`);
  });
  const [header, ...rows] = rowsIn(path, text);
  if (header?.record.join() !== columns.join())
    throw new CommandFailed(`the first line of ${path} must be ${columns.join()}`);
  return rows.map(({ record, info }) => {
    const [tab = '', date = '', endpoint = '', version = '', field = '', value = ''] = record;
    return { line: info.lines, tab, date, endpoint, version, field, value };
  });
}

function rowsIn(path: string, text: string): { record: string[]; info: { lines: number } }[] {
  try {
    return parse(text, { bom: true, info: true, skip_empty_lines: true }) as unknown as ReturnType<typeof rowsIn>;
  } catch (error) {
    if (error instanceof CsvError) throw new CommandFailed(`${path} is not valid CSV: ${error.message}`);
    throw error;
  }
}
