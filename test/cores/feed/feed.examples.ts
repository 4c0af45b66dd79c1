import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { csvRecords, FileBroken, type ReadRecord } from '../../../src/core-banking/adapters/feed/csv-file.js';
import {
  type FeedFile,
  type Part,
  type PartForm,
  readFeedFile,
} from '../../../src/core-banking/adapters/feed/feed-file.js';
import { recordOfText } from '../../../src/core-banking/adapters/feed/record-text.js';
import { columnsOf } from '../../../src/core-banking/record-mapping/mapping.js';
import { ExampleFault, type CheckedPart, type ReadExample } from '../../support/examples.js';
import { missingCases, pathsOf } from '../../support/needed-examples.js';

/** The parts of the bank's file, each of which needs examples. */
export function checkedParts(path: string): CheckedPart[] {
  const file = readFeedFile(readFileSync(path, 'utf8'));
  return (Object.entries(file.parts) as [Part, FeedFile['parts'][Part]][]).flatMap(([part, form]) =>
    form === undefined ? [] : [csvPart(part, form, file)],
  );
}

function csvPart(part: Part, form: PartForm, file: FeedFile): CheckedPart {
  const { fields, columns, only } = form;
  const owners = (['account', 'customer'] as const).filter((owner) => form[owner] !== undefined);
  return {
    name: part,
    read: (rows) => csvExamples(rows, part, form, file),
    lacks: (examples) =>
      missingCases(
        {
          fields,
          columns,
          hasCurrencies: ({ currency }) => currency !== undefined && 'column' in currency,
          only: only && { column: only.column, codes: [...only.keep, ...only.leave] },
          hasPending: part === 'transactions' && file.pending !== 'none',
        },
        examples,
      ),
    start: { header: columnNames(form).join(file.csv.delimiter), fields: [...owners, ...pathsOf(columns)] },
  };
}

/** The columns that a part of the bank's files has to have. */
export function columnNames({ columns, account, customer, only }: PartForm): string[] {
  const own = [account, customer, only?.column].filter((name) => name !== undefined);
  const ofFields = columnsOf(columns).flatMap(({ column, sign }) => [column, ...(sign ? [sign.column] : [])]);
  return [...new Set([...own, ...ofFields])];
}

async function csvExamples(text: string, part: Part, form: PartForm, file: FeedFile): Promise<ReadExample[]> {
  const records = await allOf(csvRecords(once(text), part, form, file));
  const rows = parse<Record<string, string>>(text, {
    bom: true,
    columns: true,
    delimiter: file.csv.delimiter,
    skip_empty_lines: true,
  });
  return records.map((one, index) => exampleOf(rows[index] ?? {}, one, form, part));
}

function exampleOf(
  row: ReadExample['row'],
  { record, fault }: ReadRecord,
  owners: Pick<PartForm, 'account' | 'customer'>,
  part: Part,
): ReadExample {
  return {
    row,
    ...(record !== undefined && { record: withOwners(part, owners, record) }),
    ...(fault !== undefined && { fault }),
  };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function allOf(batches: AsyncIterable<readonly ReadRecord[]>): Promise<ReadRecord[]> {
  const records: ReadRecord[] = [];
  try {
    for await (const batch of batches) records.push(...batch);
  } catch (error) {
    if (!(error instanceof FileBroken)) throw error;
    throw new ExampleFault(`line ${error.line} ${error.fault}`);
  }
  return records;
}

function withOwners(
  part: Part,
  { account, customer }: Pick<PartForm, 'account' | 'customer'>,
  { owner, id, body }: NonNullable<ReadRecord['record']>,
): object {
  return {
    ...(account !== undefined && { account: owner }),
    ...(customer !== undefined && { customer: part === 'holders' ? id : owner }),
    ...recordOfText<object>(body),
  };
}
