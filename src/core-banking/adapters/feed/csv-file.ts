import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { notingUnread, type Row, RowFault } from '../../../../packages/core-adapter/core-rows.js';
import { textOf, wordOf } from '../../../../packages/core-adapter/row-fields.js';
import { columnsOf } from '../../record-mapping/mapping.js';
import { recordReader } from '../../record-mapping/record-reader.js';
import { delivered, type DeliveredRecord } from './delivered-record.js';
import type { FeedFile, Part, PartForm, RowFilter } from './feed-file.js';

/** A record, or why it cannot be read, and its line in the file; neither for a row that the mapping omits. */
export interface ReadRecord {
  readonly line: number;
  readonly record?: DeliveredRecord;
  /** The optional fields that the record lacks, because they cannot be read. */
  readonly unread?: readonly { readonly field: string }[];
  readonly fault?: string;
}

/** The file as a whole cannot be read from this line on. */
export class FileBroken extends Error {
  override readonly name = 'FileBroken';

  constructor(
    readonly line: number,
    readonly fault: string,
  ) {
    super(fault);
  }
}

/** A longer record is not a record: a quotation mark that is not closed would take the rest of the file into memory. */
const longestRecord = 1_000_000;

/** How many rows are passed on at a time. */
const batchRows = 1_000;

/** The records of a CSV file with a header, as its text arrives. @throws FileBroken */
export async function* csvRecords(
  texts: AsyncIterable<string>,
  part: Part,
  form: PartForm,
  file: FeedFile,
): AsyncGenerator<readonly ReadRecord[]> {
  let last = 0;
  let read: ((cells: readonly string[]) => DeliveredRecord | undefined) | undefined;
  const parser = parse({
    bom: true,
    delimiter: file.csv.delimiter,
    max_record_size: longestRecord,
    skip_empty_lines: true,
    on_record: (cells: string[], { lines }) => {
      last = lines;
      // The type of the option knows lists of cells alone.
      if (read !== undefined) return readRow(cells, lines, read) as unknown as string[];
      read = rowReader(part, form, file, cells);
      return null;
    },
  });
  // The parser's own iterator throws the same error.
  pipeline(texts, parser).catch(() => undefined);
  let batch: ReadRecord[] = [];
  try {
    for await (const row of parser as unknown as AsyncIterable<ReadRecord>) {
      if (batch.push(row) < batchRows) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    // The parser's own message quotes the record.
    throw isOfParser(error) ? new FileBroken(last + 1, `not valid CSV (${error.code})`) : error;
  }
  yield batch;
  if (read === undefined) throw new FileBroken(1, 'has no header');
}

function isOfParser(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');
}

function readRow(
  cells: readonly string[],
  line: number,
  read: (cells: readonly string[]) => DeliveredRecord | undefined,
): ReadRecord {
  try {
    const { item: record, unread } = notingUnread(() => read(cells));
    return record === undefined ? { line } : { record, unread, line };
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    return { fault: error.message, line };
  }
}

/** Made once from the header. `undefined` for a row that does not belong to the part. */
function rowReader(
  part: Part,
  { columns, fields, account, customer, only }: PartForm,
  file: FeedFile,
  header: readonly string[],
): (cells: readonly string[]) => DeliveredRecord | undefined {
  const { timeZone, currency } = file;
  const names = [
    account,
    customer,
    only?.column,
    ...columnsOf(columns).flatMap(({ column, sign }) => [column, sign?.column]),
  ];
  const indexes = [...new Set(names.filter((name) => name !== undefined))].map((name): [string, number] => {
    const index = header.findIndex((cell) => cell.trim() === name);
    if (index < 0) throw new FileBroken(1, `has no column ${JSON.stringify(name)}`);
    if (header.findLastIndex((cell) => cell.trim() === name) !== index)
      throw new FileBroken(1, `has two columns ${JSON.stringify(name)}`);
    return [name, index];
  });
  const readRecord = recordReader(fields, columns, { ...(timeZone !== undefined && { timeZone }) });
  const belongs = only && belongsBy(only);
  return (cells) => {
    const row: Record<string, unknown> = {};
    for (const [name, index] of indexes) row[name] = cells[index];
    if (only !== undefined && belongs !== undefined && !wordOf(row, only.column, belongs)) return undefined;
    if (part === 'holders') return holderOf(row, account ?? '', customer ?? '', file);
    const record: Readonly<Record<string, unknown>> = readRecord(row, currency);
    const owner = part === 'accounts' ? String(record.ref) : textOf(row, account ?? customer ?? '');
    return delivered(part, owner, record, file);
  };
}

function belongsBy({ keep, leave }: RowFilter): Readonly<Record<string, boolean>> {
  return Object.fromEntries([...keep.map((code) => [code, true]), ...leave.map((code) => [code, false])]) as Record<
    string,
    boolean
  >;
}

function holderOf(row: Row, account: string, customer: string, file: FeedFile): DeliveredRecord {
  return { ...delivered('holders', textOf(row, account), {}, file), id: textOf(row, customer) };
}
