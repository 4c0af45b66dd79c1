import { parseDocument } from 'yaml';
import type { AccountTruth } from '../../../packages/adapter-kit/adapter-kit.js';
import { type AccountRead, accountReads } from '../../../packages/core-adapter/core.adapter.js';
import type { CoreTime } from '../../../packages/core-adapter/core.records.js';
import {
  type FeedFile,
  type Part,
  type PartForm,
  readFeedFile,
} from '../../../src/core-banking/adapters/feed/feed-file.js';
import { columnsOf } from '../../../src/core-banking/record-mapping/mapping.js';
import { cyclesOf, type People, people } from '../people.js';
import { type Cells, express, type Zones } from '../../support/expressed-records.js';
import { columnNames } from './feed.examples.js';

type Member = Readonly<Record<string, unknown>>;

/** The id of a payment abroad, which the mapping leaves out. */
const foreignId = '799999';

/** The bank's file for the kit: in UTF-8, and with the clocks in the zone. */
function fileForKit(text: string, timeZone: string | undefined): string {
  const document = parseDocument(text, { schema: 'failsafe' });
  // The names of the kit's people have letters that few encodings have.
  if (document.hasIn(['csv', 'encoding'])) document.deleteIn(['csv', 'encoding']);
  if (timeZone !== undefined && document.has('timeZone')) document.set('timeZone', timeZone);
  return document.toString();
}

/** A bank whose files are the kit's people in the columns, codes and forms of a mapping, as far as these can express them. */
export class MappedShape {
  readonly mapping: string;
  readonly people: People;
  readonly parts: readonly Part[];
  readonly file: FeedFile;
  private readonly zones: Zones;

  /** @param timeZone of the core's clocks, where it is not that of the file */
  constructor(text: string, timeZone?: string) {
    this.mapping = fileForKit(text, timeZone);
    this.file = readFeedFile(this.mapping);
    this.zones = {
      // Its days are those of the truth, wherever its clocks are.
      days: readFeedFile(text).timeZone ?? 'Europe/London',
      clocks: this.file.timeZone ?? 'Europe/London',
    };
    this.parts = Object.keys(this.file.parts) as Part[];
    this.people = peopleIn(this.file);
  }

  fileOf(part: Part, lines: readonly string[]): string {
    const header = this.line(Object.fromEntries(this.columns(part).map((column) => [column, column])), part);
    return `${[header, ...lines].join('\r\n')}\r\n`;
  }

  holderLine(customerRef: string, accountRef: string): string {
    return this.line(this.ownersOf('holders', { customerRef, accountRef }), 'holders');
  }

  linesOf(part: Part, truth: AccountTruth): readonly string[] {
    const accountRef = truth.account.ref;
    if (part === 'accounts') return [this.recordLine(part, { accountRef }, truth.account)];
    const records = part === 'statements' ? cyclesOf(truth) : (truth[part as AccountRead] ?? []);
    const [first] = records;
    const lines = records.map((record) => this.recordLine(part, { accountRef }, record));
    return [...lines, ...this.leftOut(part, accountRef, first)];
  }

  brokenBalance(accountRef: string): string {
    const accounts = [...this.people.values()].flat();
    const [balance] = accounts.find(({ account }) => account.ref === accountRef)?.balances ?? [];
    const { cells } = this.expressed('balances', { accountRef }, balance as object);
    const { amount } = this.form('balances').columns;
    return this.line({ ...cells, [(amount as { readonly column: string }).column]: 'much' }, 'balances');
  }

  /** The records that the adapter has to make of the files. */
  truths(): People {
    return new Map(
      [...this.people].map(([customerRef, accounts]) => [
        customerRef,
        accounts.map((truth) => this.truthOf(customerRef, truth)),
      ]),
    );
  }

  private truthOf(customerRef: string, truth: AccountTruth): AccountTruth {
    const owners = { customerRef, accountRef: truth.account.ref };
    const kept = (part: Part, record: object): Member => this.expressed(part, owners, record).record;
    const reads = accountReads.filter((read) => this.file.parts[read] !== undefined);
    const [latest] = truth.statements ?? [];
    return {
      ...Object.fromEntries(reads.map((read) => [read, (truth[read] ?? []).map((record) => kept(read, record))])),
      account: kept('accounts', truth.account) as unknown as AccountTruth['account'],
      ...(this.file.parts.statements !== undefined && {
        earlierStatements: (truth.earlierStatements ?? []).map(
          (endAt) => kept('statements', { ...latest, endAt }).endAt as CoreTime,
        ),
      }),
      ...((this.only('scheduledPayments') ?? this.only('standingOrders')) && {
        international: truth.international ?? [],
      }),
    };
  }

  /** A row that the mapping leaves out, where it leaves some out. */
  private leftOut(part: Part, accountRef: string, record: object | undefined): string[] {
    const only = this.only(part);
    if (only === undefined || record === undefined) return [];
    const { cells } = this.expressed(part, { accountRef }, { ...record, id: foreignId });
    return [this.line({ ...cells, [only.column]: only.leave[0] ?? null }, part)];
  }

  recordLine(part: Part, owners: Owners, record: object): string {
    return this.line(this.expressed(part, owners, record).cells, part);
  }

  private expressed(part: Part, owners: Owners, record: object): { cells: Cells; record: Member } {
    const { fields, columns } = this.form(part);
    return express(fields, columns, record as Member, this.zones, this.ownersOf(part, owners));
  }

  private ownersOf(part: Part, { customerRef, accountRef }: Owners): Cells {
    const { account, customer, only } = this.form(part);
    return {
      ...(account !== undefined && { [account]: accountRef ?? null }),
      ...(customer !== undefined && { [customer]: customerRef ?? null }),
      ...(only !== undefined && { [only.column]: only.keep[0] ?? null }),
    };
  }

  private line(cells: Cells, part: Part): string {
    return this.columns(part)
      .map((column) => `"${(cells[column] ?? '').replaceAll('"', '""')}"`)
      .join(this.file.csv.delimiter);
  }

  private columns(part: Part): string[] {
    return columnNames(this.form(part));
  }

  private only(part: Part): PartForm['only'] {
    return this.file.parts[part]?.only;
  }

  private form(part: Part): PartForm {
    return this.file.parts[part] as PartForm;
  }
}

interface Owners {
  readonly customerRef?: string;
  readonly accountRef?: string;
}

/** Those whose currencies the mapping can express, in them. A core without pending transactions has none of them. */
function peopleIn({ parts, currency, pending }: FeedFile): People {
  const { currency: ofAccounts } = (parts.accounts as PartForm).columns;
  const money = (['balances', 'transactions'] as const).flatMap((part) => columnsOfMoney(parts[part]));
  const one = 'value' in (ofAccounts ?? {}) ? String((ofAccounts as { value: unknown }).value) : currency;
  const hasMany = 'column' in (ofAccounts ?? {}) && money.every((column) => column.currency !== undefined);
  const inCurrency = (truth: AccountTruth): AccountTruth => (hasMany ? truth : (renamed(truth, one) as AccountTruth));
  return new Map(
    [...people].map(([ref, accounts]) => [
      ref,
      accounts
        .filter(({ account }) => hasMany || account.currency === 'GBP')
        .map(({ transactions = [], ...truth }) =>
          inCurrency({
            ...truth,
            transactions: transactions.filter(({ status }) => status === 'booked' || pending !== 'none'),
            ...(truth.scheduledPayments?.length && { international: [foreignId] }),
          }),
        ),
    ]),
  );
}

function columnsOfMoney(form: PartForm | undefined) {
  return form === undefined ? [] : columnsOf(form.columns).filter(({ as }) => as === 'decimal' || as === 'minor-units');
}

/** With the currency in the place of GBP. */
function renamed(value: unknown, currency: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, currency));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'currency' && inner === 'GBP' ? currency : renamed(inner, currency),
    ]),
  );
}
