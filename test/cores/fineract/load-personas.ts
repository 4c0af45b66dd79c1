import type { EntryRow, OrderRow, PayeeForm } from '../../../sandbox/bank/ledger.records.js';
import type { Persona, PersonaAccount } from '../../../sandbox/bank/personas/persona.js';
import { msOf } from '../../../sandbox/bank/stamps.js';
import { minorUnitDigits } from '../../../packages/core-adapter/currencies.js';
import type { DataTableValue, Day, FineractModel, SavingsRow, TransactionRow } from './fineract.model.js';
import { emptyModel } from './fineract.model.js';
import { beneficiaryColumns, identifierColumns } from './small-bank.js';

/**
 * The people of the sandbox bank as a Fineract can have them: current and savings accounts, one holder each, and
 * references that are digits. The rest is the same in both cores.
 */
export function forFineract(personas: readonly Persona[]): Persona[] {
  const taken = new Set<string>();
  return personas.flatMap((persona) => {
    const accounts = persona.accounts.filter(({ acct }) => {
      const isOurs = ['CUR100', 'CUR200', 'SAV300'].includes(acct.prod) && !taken.has(acct.key);
      taken.add(acct.key);
      return isOurs;
    });
    if (accounts.length === 0) return [];
    return [
      {
        ...persona,
        person: { ...persona.person, key: digitsOf(persona.person.key) },
        accounts: accounts.map((account) => ({
          ...account,
          acct: { ...account.acct, key: digitsOf(account.acct.key) },
        })),
      },
    ];
  });
}

const digitsOf = (key: string): string => key.replaceAll(/\D/g, '');

/** `CORE_PRODUCTS` for the products that {@link loadPersonas} makes: one per account, as the sandbox names each account. */
export function productsSetting(personas: readonly Persona[]): string {
  return personas
    .flatMap(({ accounts }) => accounts)
    .map(({ acct }) => `${acct.key}=${acct.prod === 'SAV300' ? 'Savings' : 'CurrentAccount'}`)
    .join(',');
}

/** The people of {@link forFineract} in Fineract's own tables. Members without a place in it are left out. */
export function loadPersonas(personas: readonly Persona[]): FineractModel {
  const model = emptyModel();
  model.tables.set('ob_identifiers', { columns: identifierColumns, rows: new Map() });
  model.tables.set('ob_beneficiary', { columns: beneficiaryColumns, rows: new Map() });
  const ids = new Ids();
  for (const { person, accounts } of personas) {
    const clientId = Number(person.key);
    const isFirm = accounts.every(({ acct }) => acct.segment === 'B');
    model.clients.push({ id: clientId, displayName: person.name, legalForm: isFirm ? 2 : 1 });
    for (const account of accounts) loadAccount(model, clientId, account, ids);
  }
  return model;
}

class Ids {
  private last = 5_000_000;
  next(): number {
    return ++this.last;
  }
}

function loadAccount(model: FineractModel, clientId: number, account: PersonaAccount, ids: Ids): void {
  const { acct, lists, entries } = account;
  const id = Number(acct.key);
  const decimal = (minorUnits: number): string => decimalOf(minorUnits, acct.ccy);
  const [ledger, spend] = lists.figures;
  const booked = ledger?.amt ?? 0;
  const arranged = Number(spend?.arranged ?? 0);
  model.products.push({ id, name: acct.label, shortName: lists.terms[0]?.code ?? 'NONE' });
  model.accounts.push({
    id,
    clientId,
    productId: id,
    currency: acct.ccy,
    balance: decimal(booked),
    onHold: decimal(booked - ((spend?.amt ?? 0) - arranged)),
    ...(spend?.arranged !== '' && { allowOverdraft: true, overdraftLimit: decimal(arranged) }),
    status: acct.status === 'CLOSED' ? 600 : 300,
    subStatus: subStates[acct.status],
    transactions: transactionsOf(entries, decimal, ids),
  });
  if (acct.num !== '' || acct.iban !== '') identify(model, id, acct.sort, acct.num, acct.iban);
  model.tables.get('ob_beneficiary')?.rows.set(
    id,
    lists.payees.flatMap(({ sort, payee }) => {
      const identified = identifiersOf(payee);
      return identified === undefined ? [] : [[ids.next(), id, kinds[sort], payee.name, ...identified]];
    }),
  );
  for (const order of lists.orders) loadOrder(model, id, order, ids);
}

const subStates = { OPEN: 0, DORM: 200, BARRED: 400, CLOSED: 0 } as const;
const kinds = { TP: 'third-party', NOM: 'nominated', XB: 'international', OWN: 'internal' } as const;

/** In the order of booking, because a core numbers its transactions in that order. */
function transactionsOf(entries: readonly EntryRow[], decimal: (amt: number) => string, ids: Ids): TransactionRow[] {
  const atOf = ({ state, booked, made }: EntryRow): string => (state === 'HELD' ? made : booked);
  return entries
    .filter(({ state, side }) => state === 'POSTED' || side === 'DR')
    .toSorted((a, b) => msOf(atOf(a)) - msOf(atOf(b)) || (a.key < b.key ? -1 : 1))
    .map((entry) => {
      const submittedOnDate = londonDay(atOf(entry));
      const out = entry.side === 'DR' && entry.amt !== 0;
      return {
        id: ids.next(),
        type: entry.state === 'HELD' ? 20 : out ? 2 : 1,
        submittedOnDate,
        date: entry.value === '' ? submittedOnDate : londonDay(entry.value),
        amount: decimal(entry.amt),
        ...(entry.bal !== '' && { runningBalance: decimal(entry.bal) }),
        ...(entry.text.trim() !== '' && { notes: [entry.text] }),
      };
    });
}

/**
 * Every payee is a client of the same Fineract. Orders that it cannot repeat, or that are not domestic, are left out.
 */
function loadOrder(model: FineractModel, fromAccountId: number, order: OrderRow, ids: Ids): void {
  const rhythm = rhythmOf(order);
  const identified = identifiersOf(order.payee);
  if (rhythm === undefined || identified === undefined || order.reach === 'INT') return;
  const client = { id: ids.next(), displayName: order.payee.name };
  const account: SavingsRow = {
    id: ids.next(),
    clientId: client.id,
    productId: fromAccountId,
    currency: order.ccy,
    balance: '0.000000',
    transactions: [],
  };
  model.clients.push(client);
  model.accounts.push(account);
  identify(model, account.id, ...identified);
  model.instructions.push({
    id: ids.next(),
    fromAccountId,
    toAccountId: account.id,
    name: order.ref,
    status: order.status === 'ON' ? 1 : 2,
    validFrom: firstDayOf(order),
    ...rhythm,
    ...(order.amt !== '' && { amount: decimalOf(order.amt, order.ccy) }),
    // It is paid before this day, and not on it.
    ...(order.last !== '' && { validTill: dayAfter(londonDay(order.last)) }),
  });
}

type Rhythm = Pick<
  FineractModel['instructions'][number],
  'recurrenceFrequency' | 'recurrenceInterval' | 'recurrenceOnMonthDay'
>;

function rhythmOf({ rule }: OrderRow): Rhythm | undefined {
  const [, every, count, day] = /^([DWM])(\d+)(?:\/(\d+))?$/.exec(rule) ?? [];
  const recurrenceInterval = Number(count);
  if (every === 'D') return { recurrenceFrequency: 0, recurrenceInterval };
  if (every === 'W') return { recurrenceFrequency: 1, recurrenceInterval };
  if (every !== 'M' || day === undefined) return undefined;
  return { recurrenceFrequency: 2, recurrenceInterval, recurrenceOnMonthDay: [1, Number(day)] };
}

/** Fineract pays every n weeks after the first day: where the sandbox's own is another weekday, on the next that fits. */
function firstDayOf({ rule, first }: OrderRow): Day {
  const weekday = Number(/^W\d+\/(\d)$/.exec(rule)?.[1] ?? Number.NaN) % 7;
  let day = londonDay(first);
  while (!Number.isNaN(weekday) && new Date(day).getUTCDay() !== weekday) day = dayAfter(day);
  return day;
}

type Identified = [sortCode: DataTableValue, accountNumber: DataTableValue, iban: DataTableValue];

/** The data tables know sort codes and IBANs. */
function identifiersOf({ form, id }: PayeeForm): Identified | undefined {
  const plain = id.replaceAll(/[\s-]/g, '').toUpperCase();
  if (form === 'UKACC') return [plain.slice(0, 6), plain.slice(6), null];
  return form === 'IBAN' ? [null, null, plain] : undefined;
}

function identify(model: FineractModel, id: number, ...identified: Identified): void {
  const values = identified.map((value) => (value === '' ? null : value));
  model.tables.get('ob_identifiers')?.rows.set(id, [[id, ...values]]);
}

function decimalOf(minorUnits: number, currency: string): string {
  const digits = minorUnitDigits(currency) ?? 2;
  const text = Math.abs(minorUnits)
    .toString()
    .padStart(digits + 1, '0');
  const whole = digits === 0 ? text : text.slice(0, -digits);
  return `${minorUnits < 0 ? '-' : ''}${whole}.${(digits === 0 ? '' : text.slice(-digits)).padEnd(6, '0')}`;
}

const london = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' });

/** The day in London of a stamp, or the day itself. */
function londonDay(time: string): Day {
  return time.includes('T')
    ? london.format(msOf(time))
    : [time.slice(0, 4), time.slice(4, 6), time.slice(6, 8)].join('-');
}

function dayAfter(day: Day): Day {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}
