import { EntryBook } from './entry-book.js';
import type { EntrySearch } from './entry-book.js';
import { isSpoilt, spoil } from './faults.js';
import type { AccountLists, AcctRow, EntryRow, ListName, PersonRow } from './ledger.records.js';
import { listNames } from './ledger.records.js';
import type { Persona, PersonaAccount } from './personas/persona.js';

export type AccountState = 'valid' | 'not-permitted';

/** One account of the core, with its answers written once and sent many times. */
export class LedgerAccount {
  readonly acct: AcctRow;
  private lists: AccountLists;
  private entries: readonly EntryRow[];
  /** Made when first asked for: most accounts of a bank that a test starts are never asked. */
  private book: EntryBook | undefined;
  private readonly openStatus: AcctRow['status'];
  private acctJson = '';
  private readonly answers = new Map<ListName, string>();

  constructor(account: PersonaAccount) {
    this.acct = { ...account.acct };
    this.lists = account.lists;
    this.entries = account.entries;
    this.openStatus = account.acct.status === 'DORM' ? 'DORM' : 'OPEN';
    this.write();
  }

  get state(): AccountState {
    return this.acct.status === 'BARRED' ? 'not-permitted' : 'valid';
  }

  /** Takes over the account's records of a later time. Its state stays. */
  renew(account: PersonaAccount): void {
    Object.assign(this.acct, account.acct, { status: this.acct.status });
    this.lists = account.lists;
    this.entries = account.entries;
    this.book = undefined;
    this.write();
  }

  setState(state: AccountState): void {
    this.acct.status = state === 'valid' ? this.openStatus : 'BARRED';
    this.write();
  }

  answerAccount(): string {
    return `{"acct":${this.acctJson}}`;
  }

  answerList(name: ListName, partly: boolean): string {
    if (partly) return `{"acct":${this.acctJson},"${name}":${JSON.stringify(spoilSome(name, this.lists[name]))}}`;
    return this.answers.get(name) ?? '';
  }

  answerEntries(search: EntrySearch, partly: boolean): Buffer {
    this.book ??= new EntryBook(this.entries);
    const { json, rows, more } = this.book.find(search);
    const entries = partly ? Buffer.from(JSON.stringify(spoilSome('entries', rows())).slice(1, -1)) : json;
    const head = Buffer.from(`{"acct":${this.acctJson},"more":${more},"entries":[`);
    return Buffer.concat([head, entries, answerEnd]);
  }

  /** Whether at least the amount can be spent. */
  answerFunds({ amount, ccy, withArranged }: FundsSearch): string {
    const spend = this.lists.figures.find(({ fig }) => fig === 'SPEND');
    const spendable = BigInt(spend?.amt ?? 0) - (withArranged ? 0n : BigInt(spend?.arranged ?? 0));
    const open = this.acct.status === 'OPEN' || this.acct.status === 'DORM';
    const covered = open && ccy === this.acct.ccy && spendable >= amount;
    return `{"acct":${this.acctJson},"covered":${covered}}`;
  }

  /** The person is the client who asks, not the account's holder. */
  answerPerson(person: PersonRow): string {
    return `{"acct":${this.acctJson},"person":${JSON.stringify(person)}}`;
  }

  private write(): void {
    this.acctJson = JSON.stringify(this.acct);
    for (const name of listNames) {
      this.answers.set(name, `{"acct":${this.acctJson},"${name}":${JSON.stringify(this.lists[name])}}`);
    }
  }
}

export interface FundsSearch {
  /** Minor units. */
  readonly amount: bigint;
  readonly ccy: string;
  /** Whether the arranged overdraft counts. */
  readonly withArranged: boolean;
}

export interface LedgerClientBook {
  readonly person: PersonRow;
  /** By the account's reference. */
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
}

/** The accounts of all clients. A joint account is one account that two clients list. */
export class Ledger {
  private readonly accounts = new Map<string, LedgerAccount>();
  private readonly clients = new Map<string, LedgerClientBook>();

  constructor(personas: readonly Persona[]) {
    this.fill(personas);
  }

  /** Puts these clients and their accounts in the place of all others. */
  fill(personas: readonly Persona[]): void {
    this.accounts.clear();
    this.clients.clear();
    for (const { person, accounts } of personas) {
      const own = accounts.map(({ acct }, index): [string, LedgerAccount] => {
        const account = this.accounts.get(acct.key) ?? new LedgerAccount(accounts[index] as PersonaAccount);
        this.accounts.set(acct.key, account);
        return [acct.key, account];
      });
      this.clients.set(person.key, { person, accounts: new Map(own) });
    }
  }

  /** Replaces all accounts by those of a later time. */
  renew(personas: readonly Persona[]): void {
    for (const account of personas.flatMap(({ accounts }) => accounts))
      this.accounts.get(account.acct.key)?.renew(account);
  }

  client(key: string): LedgerClientBook | undefined {
    return this.clients.get(key);
  }

  /** An unknown client and a client without accounts get the same empty list. */
  answerAccounts(client: string, partly: boolean): string {
    const rows = [...(this.clients.get(client)?.accounts.values() ?? [])].map(({ acct }) => acct);
    return JSON.stringify({ accts: partly ? spoilSome('accts', rows) : rows });
  }

  /** The accounts with this number, each with the names of the clients who list it. */
  answerFound(form: string, id: string): string {
    const numberOf = ({ sort, num, iban }: AcctRow): string => (form === 'IBAN' ? iban : sort + num);
    const found = [...this.accounts.values()].filter(({ acct }) => id !== '' && numberOf(acct) === id);
    return JSON.stringify({ found: found.map(({ acct }) => ({ acct, holders: this.holdersOf(acct.key) })) });
  }

  private holdersOf(key: string): string[] {
    return [...this.clients.values()].filter(({ accounts }) => accounts.has(key)).map(({ person }) => person.name);
  }

  account(key: string): LedgerAccount | undefined {
    return this.accounts.get(key);
  }
}

const answerEnd = Buffer.from(']}');

function spoilSome(name: ListName | 'accts' | 'entries', rows: readonly object[]): object[] {
  return rows.map((row, index) => (isSpoilt(index) ? spoil(name, row, index) : row));
}
