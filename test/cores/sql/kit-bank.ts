import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AccountTruth, Spoiling } from '../../../packages/adapter-kit/adapter-kit.js';
import { type AccountRead, accountReads } from '../../../packages/core-adapter/core.adapter.js';
import type { CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { type BankFile, readBankFile } from '../../../src/core-banking/adapters/sql/bank-file.js';
import { readNamedFile } from '../../../src/core-banking/record-mapping/mapped-core.js';
import type { Column, Mapping } from '../../../src/core-banking/record-mapping/mapping.js';
import {
  FileFault,
  type YamlNode,
  readYaml,
  withAllFaults,
} from '../../../src/core-banking/record-mapping/yaml-node.js';
import type { Fields } from '../../../src/core-banking/record-mapping/field-kinds.js';
import { accountFields, fieldsOfReads } from '../../../src/core-banking/record-mapping/record-fields.js';
import { type Cells, express, spoiltCells, undatedCells, type Zones } from '../../support/expressed-records.js';
import type { Insertion } from './filled-database.js';
import { cyclesOf, type People } from '../people.js';
import { fittingPeople, type SameFields } from './fitting-people.js';

/** The record of a read, by the customer and the account that it belongs to. */
export interface RecordOwner {
  readonly read: AccountRead | 'accounts';
  readonly customerRef: string;
  readonly account: AccountTruth;
}

/** A record of the kit's people, and its number in its list. */
export interface Written extends RecordOwner {
  readonly number: number;
  readonly record: Member;
}

/** Changes before the records are written: other people, or other columns. */
export interface Changes {
  readonly people?: People;
  readonly cells?: (written: Written, cells: Cells) => Cells;
  /** The zone of the core's clocks, where it is not that of the file. */
  readonly clocks?: string;
}

type Member = Readonly<Record<string, unknown>>;
/** The letters that the query puts before the numbers of booked and of pending transactions. */
type Ids = Readonly<Record<'booked' | 'pending', string>>;

/** The people of the kit, as far as the columns of a bank's file can express them, and the statements that write them. */
export class KitBank {
  readonly file: BankFile;
  readonly schema: string;
  readonly people: People;
  /** Statements that fill the tables as those of the bank are; the examples have the records that the queries make of them. */
  readonly example?: string;
  private readonly text: string;
  private readonly fills: Readonly<Record<string, readonly string[]>>;
  /** Fields that the query computes: no row of a table can make them wrong. */
  private readonly computed: SameFields;
  private readonly ids: Ids;

  /** @throws CoreSettingFault that names the bank's file */
  constructor(path: string) {
    const [text, file, test] = readNamedFile('CORE_SQL_FILE', path, (given) =>
      withAllFaults([() => given, () => readBankFile(given), () => readTest(readYaml(given), dirname(path))]),
    );
    this.text = text;
    this.file = file;
    this.schema = test.schema;
    if (test.example !== undefined) this.example = test.example;
    this.fills = test.fills;
    this.computed = test.computed;
    this.ids = test.ids;
    this.people = fittingPeople(file, test);
  }

  /** The text of the file, for a core whose clocks are in another zone. */
  textIn(timeZone: string): string {
    return this.text.replace(/^timeZone:.*$/m, `timeZone: ${timeZone}`);
  }

  /** By customer and account: the people of the kit, without all that the columns cannot hold. */
  truths(): ReadonlyMap<string, readonly AccountTruth[]> {
    const truths = new Map([...this.people].map(([ref, all]) => [ref, all.map((truth) => this.truthOf(truth))]));
    const holdersOf = ({ account }: AccountTruth): string[] =>
      [...truths.values()].flatMap((all) =>
        all.some((one) => one.account.ref === account.ref) ? (all[0]?.party?.[0]?.name ?? []) : [],
      );
    return new Map(
      [...truths].map(([ref, all]) => [ref, all.map((truth) => ({ ...truth, holderNames: holdersOf(truth) }))]),
    );
  }

  /** Every statement that fills the tables. */
  insertions(changes: Changes = {}): Insertion[] {
    const found: Insertion[] = [];
    const written = new Set<string>();
    for (const [customerRef, accounts] of changes.people ?? this.people)
      for (const [number, account] of accounts.entries()) {
        const place = { customerRef, account };
        if (number === 0) found.push(...this.fill({ ...place, read: 'party' }, changes));
        found.push(...this.insert({ ...place, read: 'accounts', number, record: { ...account.account } }, changes));
        // The records of a shared account are written once.
        const isWritten = written.has(account.account.ref);
        written.add(account.account.ref);
        if (!isWritten)
          for (const read of accountReads) if (read !== 'party') found.push(...this.fill({ ...place, read }, changes));
      }
    return found;
  }

  /** The id that the query gives to a transaction with such a number. */
  idOf(status: keyof Ids, number: string): string {
    return this.ids[status] + number;
  }

  /** The statements that write one more record. */
  addition(place: RecordOwner, record: object): Insertion[] {
    return this.insert({ ...place, number: 0, record: record as Member }, {});
  }

  /** Columns of a read that the adapter cannot read. */
  spoiltCells(read: RecordOwner['read'], spoiling: Spoiling): Cells {
    const mapping = this.mappingOf(read) as Mapping;
    if (spoiling === 'undated') return undatedCells(mapping.at as Column);
    const cells = spoiltCells(this.fieldsOf(read), mapping, this.computed[read]);
    if (cells === undefined)
      throw new Error(
        `${read} has no column of codes, signs, currencies or amounts in which the kit could write a wrong value`,
      );
    return cells;
  }

  private get zones(): Zones {
    const { timeZone = 'Europe/London' } = this.file;
    return { days: timeZone, clocks: timeZone };
  }

  private fill(place: RecordOwner, changes: Changes): Insertion[] {
    return this.recordsOf(place).flatMap((record, number) =>
      this.insert({ ...place, number, record: record as Member }, changes),
    );
  }

  private insert(written: Written, { cells, clocks = this.zones.clocks }: Changes): Insertion[] {
    const { read, customerRef, account, record } = written;
    const mapping = this.mappingOf(read);
    if (mapping === undefined) return [];
    const expressed = express(this.fieldsOf(read), mapping, record, { ...this.zones, clocks }).cells;
    const own = cells === undefined ? expressed : cells(written, expressed);
    const all: Cells = { ...own, customer: customerRef, account: account.account.ref };
    return (this.fills[read] ?? []).map((sql) => ({ place: `test.fill.${read}`, sql, cells: all }));
  }

  private recordsOf({ read, account }: Omit<RecordOwner, 'customerRef'>): readonly object[] {
    if (read === 'transactions') return this.historyOf(account);
    if (read === 'statements') return cyclesOf(account);
    return read === 'accounts' ? [account.account] : (account[read] ?? []);
  }

  /** A core without pending transactions has none of them. `at` of a pending one is the time at which it was made. */
  private historyOf({ transactions = [] }: AccountTruth): readonly CoreTransaction[] {
    return transactions.flatMap(({ status, id, ...row }): CoreTransaction[] => {
      // The tables have no place for a rejected one.
      if (status === 'rejected' || (status === 'pending' && this.file.pending === 'none')) return [];
      return [{ ...row, status, id: this.idOf(status, id), ...(status === 'pending' && { madeAt: undefined }) }];
    });
  }

  private truthOf(account: AccountTruth): AccountTruth {
    const kept = (read: RecordOwner['read'], record: object): object =>
      express(this.fieldsOf(read), this.mappingOf(read) as Mapping, record as Member, this.zones).record;
    const reads = accountReads.filter((read) => this.file.reads[read] !== undefined);
    const lists = reads.map((read) => {
      const records = (account[read] ?? []) as readonly object[];
      const shown = read === 'transactions' ? this.historyOf(account) : records;
      return [read, shown.map((record) => kept(read, record))];
    });
    const endAt = this.file.reads.statements?.columns.endAt as Column | undefined;
    return {
      ...(Object.fromEntries(lists) as Partial<AccountTruth>),
      account: kept('accounts', account.account) as unknown as AccountTruth['account'],
      ...(endAt !== undefined && account.earlierStatements && { earlierStatements: account.earlierStatements }),
    };
  }

  private mappingOf(read: RecordOwner['read']): Mapping | undefined {
    return read === 'accounts' ? this.file.accounts.columns : this.file.reads[read]?.columns;
  }

  private fieldsOf(read: RecordOwner['read']): Fields {
    return read === 'accounts' ? this.file.accounts.fields : (fieldsOfReads[read] as Fields);
  }
}

/** The section `test` of the bank's file. @throws FileFault */
function readTest(file: YamlNode, folder: string) {
  const test = file.at('test');
  const textAt = (place: YamlNode): string => {
    try {
      return readFileSync(join(folder, place.text()), 'utf8');
    } catch (error) {
      if (error instanceof FileFault) throw error;
      throw place.fault('names no file that can be read');
    }
  };
  const fieldsAt = (name: string): SameFields => {
    const place = test.optional(name);
    place?.members([], ['accounts', ...accountReads]);
    return Object.fromEntries((place?.names ?? []).map((read) => [read, fieldsIn(place?.at(read) as YamlNode, read)]));
  };
  const [, schema, fills, example, same, computed, ids] = withAllFaults([
    () => test.members(['schema', 'fill'], ['example', 'same', 'computed', 'ids']),
    () => textAt(test.at('schema')),
    () => {
      const fill = test.at('fill');
      fill.members(['accounts'], accountReads);
      return Object.fromEntries(fill.names.map((name) => [name, fill.at(name).texts()]));
    },
    () => {
      const place = test.optional('example');
      return place && textAt(place);
    },
    () => fieldsAt('same'),
    () => fieldsAt('computed'),
    () => {
      const place = test.optional('ids');
      place?.members([], ['booked', 'pending']);
      return { booked: place?.optional('booked')?.text() ?? '', pending: place?.optional('pending')?.text() ?? '' };
    },
  ]);
  return { schema, fills, example, same, computed, ids };
}

/** @throws FileFault where the records of the read do not have such a field */
function fieldsIn(place: YamlNode, read: string): string[] {
  const known = Object.keys(read === 'accounts' ? accountFields : (fieldsOfReads[read as AccountRead] ?? {}));
  const unknown = place.texts().find((field) => !known.includes(field));
  if (unknown !== undefined) throw place.fault(`has ${unknown}, and the fields here are ${known.join(', ')}`);
  return place.texts();
}
