import type { AccountLists, AcctRow, EntryRow, FigureRow, PersonRow } from '../ledger.records.js';
import { britishIban, cardNumber, sandboxSortCode } from '../numbers.js';
import { dayMs, dayOf, stampOf } from '../stamps.js';
import { spanBefore } from './history.js';
import type { Pattern, Posting } from './history.js';

/** A person of the sandbox bank, and the cases that this person shows. */
export interface Persona {
  /** How the command line names it. */
  readonly name: string;
  readonly person: PersonRow;
  /** The references at the cores where they are others than the person's key, by the core's name in `CORES`. */
  readonly refs?: Readonly<Record<string, string>>;
  /** One sentence. */
  readonly shows: string;
  readonly accounts: readonly PersonaAccount[];
}

export interface PersonaAccount {
  readonly acct: AcctRow;
  readonly lists: AccountLists;
  readonly entries: readonly EntryRow[];
}

/** A persona whose accounts {@link makeAccount} makes. */
export interface PersonaSpec extends Omit<Persona, 'accounts'> {
  readonly accounts: readonly AccountSpec[];
}

/** Describes a persona whose dates are before and after the given time. */
export type MakePersona = (nowMs: number) => PersonaSpec;

/** An entry that is not booked: held, or refused. */
export interface Held {
  readonly name: string;
  readonly hoursAgo: number;
  /** Minor units, positive in the customer's favour. */
  readonly amount: number;
  readonly text: string;
  /** Absent where the core cannot say when it will be booked. */
  readonly dueInDays?: number;
  readonly fx?: Posting['fx'];
}

export interface AccountSpec extends Partial<Omit<AccountLists, 'figures'>> {
  readonly key: string;
  readonly prod: AcctRow['prod'];
  readonly label: string;
  readonly ccy?: string;
  readonly segment?: AcctRow['segment'];
  readonly lei?: string;
  readonly status?: AcctRow['status'];
  /** Eight digits. */
  readonly num?: string;
  readonly withIban?: boolean;
  /** The card's number without its check digit. */
  readonly cardDigits?: string;
  /** The booked balance now, in minor units, positive in the customer's favour on every product. */
  readonly closing: number;
  /** Arranged overdraft. */
  readonly arranged?: number;
  /** Credit limit of a card. */
  readonly limit?: number;
  readonly history?: readonly Pattern[];
  /** How many days the history reaches back. */
  readonly days?: number;
  readonly held?: readonly Held[];
  readonly refused?: readonly Held[];
}

export function makeAccount(spec: AccountSpec, nowMs: number): PersonaAccount {
  const isCard = spec.prod === 'CRD400';
  const span = spanBefore(nowMs, spec.days ?? 400);
  const postings = (spec.history ?? [])
    .flatMap((pattern) => pattern(span))
    .sort((a, b) => a.bookedMs - b.bookedMs || (a.key < b.key ? -1 : 1));
  const held = spec.held ?? [];
  return {
    acct: {
      key: spec.key,
      prod: spec.prod,
      ccy: spec.ccy ?? 'GBP',
      label: spec.label,
      segment: spec.segment ?? 'P',
      status: spec.status ?? 'OPEN',
      sort: spec.num === undefined ? '' : sandboxSortCode,
      num: spec.num ?? '',
      iban: spec.num === undefined || spec.withIban === false ? '' : britishIban(spec.num),
      card: spec.cardDigits === undefined ? '' : cardNumber(spec.cardDigits),
      ...(spec.lei !== undefined && { lei: spec.lei }),
    },
    lists: {
      figures: figures(spec, nowMs),
      promos: spec.promos ?? [],
      forwards: spec.forwards ?? [],
      payees: spec.payees ?? [],
      cycles: spec.cycles ?? [],
      mandates: spec.mandates ?? [],
      orders: spec.orders ?? [],
      terms: spec.terms ?? [],
    },
    entries: [
      ...postedEntries(spec.key, postings, spec.closing, isCard),
      ...held.map((h) => heldEntry(spec.key, h, nowMs)),
      ...(spec.refused ?? []).map((r) => refusedEntry(spec.key, r, nowMs)),
    ],
  };
}

/** A card's debt is positive; a current account's available figure includes the arranged overdraft. */
function figures(spec: AccountSpec, nowMs: number): FigureRow[] {
  const at = stampOf(nowMs);
  const heldOut = (spec.held ?? []).reduce((sum, { amount }) => sum + Math.min(amount, 0), 0);
  const spendable = spec.closing + heldOut + (spec.prod === 'CRD400' ? (spec.limit ?? 0) : (spec.arranged ?? 0));
  return [
    { fig: 'LEDGER', amt: spec.prod === 'CRD400' ? owed(spec.closing) : spec.closing, at, arranged: '' },
    { fig: 'SPEND', amt: spendable, at, arranged: spec.arranged ?? '' },
  ];
}

/** The running balance is counted back from the balance booked now. */
function postedEntries(accountKey: string, postings: readonly Posting[], closing: number, isCard: boolean): EntryRow[] {
  let balance = closing - postings.reduce((sum, { amount }) => sum + amount, 0);
  return postings.map((posting) => {
    balance += posting.amount;
    return {
      key: `${accountKey}-${posting.key}`,
      state: 'POSTED',
      booked: posting.dayOnly === true ? dayOf(posting.bookedMs) : stampOf(posting.bookedMs),
      made: posting.madeMs === undefined ? '' : stampOf(posting.madeMs),
      due: '',
      value: posting.valueMs === undefined ? '' : dayOf(posting.valueMs),
      amt: Math.abs(posting.amount),
      side: posting.amount > 0 ? 'CR' : 'DR',
      text: posting.text,
      bal: isCard ? owed(balance) : balance,
      fx: posting.fx ?? '',
      ...posting.details,
    };
  });
}

function heldEntry(accountKey: string, held: Held, nowMs: number): EntryRow {
  const madeMs = nowMs - held.hoursAgo * 3_600_000;
  return {
    key: `${accountKey}-${held.name}-${dayOf(madeMs)}`,
    state: 'HELD',
    booked: '',
    made: stampOf(madeMs),
    due: held.dueInDays === undefined ? '' : stampOf(nowMs + held.dueInDays * dayMs),
    value: '',
    amt: Math.abs(held.amount),
    side: held.amount > 0 ? 'CR' : 'DR',
    text: held.text,
    bal: '',
    fx: held.fx ?? '',
  };
}

function refusedEntry(accountKey: string, refused: Held, nowMs: number): EntryRow {
  const entry = heldEntry(accountKey, refused, nowMs);
  return { ...entry, state: 'REFUSED', booked: entry.made };
}

/** Without the minus zero that JSON would show as 0 and a comparison would not. */
function owed(inFavour: number): number {
  return inFavour === 0 ? 0 : -inFavour;
}
