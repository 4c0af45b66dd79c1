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
  const read: ReadRecord[] = [];
  try {
    for await (const batch of csvRecords(once(text), part, form, file)) read.push(...batch);
  } catch (error) {
    if (!(error instanceof FileBroken)) throw error;
    throw new ExampleFault(`line ${error.line} ${error.fault}`);
  }
  const rows = parse<Record<string, string>>(text, {
    bom: true,
    columns: true,
    delimiter: file.csv.delimiter,
    skip_empty_lines: true,
  });
  return read.map(({ record, fault }, index) => ({
    row: rows[index] ?? {},
    ...(record !== undefined && { record: withOwners(part, form, record) }),
    ...(fault !== undefined && { fault }),
  }));
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function withOwners(part: Part, form: PartForm, { owner, id, body }: NonNullable<ReadRecord['record']>): object {
  return {
    ...(form.account !== undefined && { account: owner }),
    ...(form.customer !== undefined && { customer: part === 'holders' ? id : owner }),
    ...recordOfText<object>(body),
  };
}
