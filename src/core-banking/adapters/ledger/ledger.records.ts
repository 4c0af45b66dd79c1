import type {
  BeneficiaryKind,
  CalendarDate,
  CoreAccount,
  CoreAccountIdentification,
  CoreBalance,
  CoreBeneficiary,
  CoreDirectDebit,
  CoreFrequency,
  CoreMoney,
  CoreOffer,
  CoreParty,
  CoreProduct,
  CoreProductDetail,
  CoreScheduledPayment,
  CoreStandingOrder,
  CoreStatement,
  CoreTime,
  CoreTransaction,
} from '../../../../packages/core-adapter/core.records.js';
import { isRow, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';

const products: Readonly<Record<string, CoreProduct>> = {
  CUR100: 'CurrentAccount',
  CUR200: 'CurrentAccount',
  SAV300: 'Savings',
  CRD400: 'CreditCard',
  RWD500: 'RewardsPayPlus',
  RUP600: 'RoundUp',
};
const permittedStates: Readonly<Record<string, boolean>> = { OPEN: true, DORM: true, BARRED: false, CLOSED: false };
const holders: Readonly<Record<string, CoreAccount['holder']>> = { P: 'personal', B: 'business' };

export function toAccount(row: Row): CoreAccount {
  return {
    ref: text(row.key, 'key'),
    product: word(products, row.prod, 'prod'),
    currency: currency(row.ccy, 'ccy'),
    description: optionalText(row.label, 'label'),
    permitted: word(permittedStates, row.status, 'status'),
    holder: word(holders, row.segment, 'segment'),
    sortCode: matching(/^\d{6}$/, row.sort, 'sort'),
    accountNumber: matching(/^\d{8}$/, row.num, 'num'),
    iban: matching(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, row.iban, 'iban'),
    // The ledger keeps the whole card number; no more than its end is ever held here.
    cardLastFour: matching(/^\d{13,19}$/, row.card, 'card')?.slice(-4),
  };
}

/**
 * The ledger counts what is owed on a card as positive, and lets a current account spend its arranged overdraft; the
 * port counts what is owed as negative and leaves the overdraft out.
 */
export function toBalance(row: Row, account: CoreAccount): CoreBalance {
  const kind = word(figureKinds, row.fig, 'fig');
  const minorUnits = whole(row.amt, 'amt');
  const arranged = optionalWhole(row.arranged, 'arranged');
  const owed = account.product === 'CreditCard' && kind === 'booked';
  return {
    kind,
    amount: money(owed ? -minorUnits : minorUnits - (arranged ?? 0n), account.currency),
    at: time(row.at, 'at'),
    overdraftLimit: arranged === undefined ? undefined : money(notNegative(arranged, 'arranged'), account.currency),
  };
}
const figureKinds: Readonly<Record<string, CoreBalance['kind']>> = { LEDGER: 'booked', SPEND: 'available' };

const entryStates: Readonly<Record<string, CoreTransaction['status']>> = { POSTED: 'booked', HELD: 'pending' };
const sides: Readonly<Record<string, 'CR' | 'DR'>> = { CR: 'CR', DR: 'DR' };

export function toTransaction(row: Row, account: CoreAccount): CoreTransaction {
  const status = word(entryStates, row.state, 'state');
  const booked = status === 'booked';
  const side = word(sides, row.side, 'side');
  const minorUnits = notNegative(whole(row.amt, 'amt'), 'amt');
  const balance = optionalWhole(row.bal, 'bal');
  return {
    id: text(row.key, 'key'),
    status,
    at: booked ? time(row.booked, 'booked') : time(row.made, 'made'),
    madeAt: optionalTime(row.made, 'made'),
    expectedBookingAt: booked ? undefined : optionalTime(row.due, 'due'),
    valueAt: optionalTime(row.value, 'value'),
    amount: money(side === 'DR' ? -minorUnits : minorUnits, account.currency),
    description: optionalText(row.text, 'text'),
    runningBalance:
      balance === undefined
        ? undefined
        : money(account.product === 'CreditCard' ? -balance : balance, account.currency),
    exchange: row.fx === '' ? undefined : toExchange(row.fx),
  };
}

function toExchange(value: unknown): CoreTransaction['exchange'] {
  if (!isRow(value)) throw new RowFault('fx', 'not a record');
  return {
    sourceCurrency: currency(value.ccy, 'fx.ccy'),
    rate: matching(/^\d{1,9}(\.\d{1,9})?$/, value.rate, 'fx.rate'),
  };
}

export function toParty(row: Row): CoreParty {
  return { ref: text(row.key, 'key'), name: optionalText(row.name, 'name') };
}

export function toOffer(row: Row, account: CoreAccount): CoreOffer {
  const minTransfer = optionalWhole(row.least, 'least');
  const minFee = optionalWhole(row.leastFee, 'leastFee');
  return {
    endMonth: optionalMonth(row.until, 'until'),
    feePercentage: optionalPercentage(row.feeBp, 'feeBp'),
    maxTransferPercentage: optionalPercentage(row.capBp, 'capBp'),
    minTransferAmount: minTransfer === undefined ? undefined : money(minTransfer, account.currency),
    minFeeAmount: minFee === undefined ? undefined : money(minFee, account.currency),
    annualRatePercentage: optionalPercentage(row.annBp, 'annBp'),
    takeUpEndDate: row.by === '' ? undefined : day(row.by, 'by'),
  };
}

const reaches: Readonly<Record<string, boolean>> = { DOM: true, INT: false };

/** Domestic scheduled payments and standing orders only (section 4, rule 5): the others never become a record. */
export function isDomestic(row: Row): boolean {
  return word(reaches, row.reach, 'reach');
}

const dueTypes: Readonly<Record<string, CoreScheduledPayment['type']>> = { OUT: 'execution', ARR: 'arrival' };

export function toScheduledPayment(row: Row): CoreScheduledPayment {
  return {
    id: text(row.key, 'key'),
    dueAt: time(row.on, 'on'),
    type: word(dueTypes, row.how, 'how'),
    reference: optionalText(row.ref, 'ref'),
    amount: money(notNegative(whole(row.amt, 'amt'), 'amt'), currency(row.ccy, 'ccy')),
    creditor: toIdentification(row.payee),
  };
}

const payeeKinds: Readonly<Record<string, BeneficiaryKind>> = {
  TP: 'third-party',
  NOM: 'nominated',
  XB: 'international',
  OWN: 'internal',
};

export function toBeneficiary(row: Row): CoreBeneficiary {
  return { id: text(row.key, 'key'), kind: word(payeeKinds, row.sort, 'sort'), creditor: toIdentification(row.payee) };
}

const cycleTypes: Readonly<Record<string, CoreStatement['type']>> = {
  REG: 'regular',
  YEAR: 'annual',
  MID: 'interim',
  FIRST: 'opening',
  LAST: 'closing',
};

/** When a cycle ended, on which the choice of the latest rests. Milliseconds since 1970. */
export function cycleEndMs(row: Row): number {
  const end = time(row.closed, 'closed');
  return end instanceof Date ? end.getTime() : Date.parse(end.date);
}

export function toStatement(row: Row, account: CoreAccount): CoreStatement {
  const least = optionalWhole(row.least, 'least');
  return {
    startAt: time(row.opened, 'opened'),
    endAt: time(row.closed, 'closed'),
    createdAt: time(row.made, 'made'),
    type: word(cycleTypes, row.kind, 'kind'),
    closingBalance: money(-whole(row.owed, 'owed'), account.currency),
    minimumPayment: least === undefined ? undefined : money(notNegative(least, 'least'), account.currency),
    paymentDueAt: optionalTime(row.payby, 'payby'),
  };
}

const mandateStates: Readonly<Record<string, boolean>> = { LIVE: true, LAPSED: false };

export function toDirectDebit(row: Row): CoreDirectDebit {
  return {
    id: text(row.key, 'key'),
    mandate: text(row.mandate, 'mandate'),
    active: word(mandateStates, row.status, 'status'),
    name: text(row.taker, 'taker'),
  };
}

const orderStates: Readonly<Record<string, boolean>> = { ON: true, OFF: false };

export function toStandingOrder(row: Row): CoreStandingOrder {
  const next = optionalWhole(row.amt, 'amt');
  return {
    id: text(row.key, 'key'),
    frequency: frequency(text(row.rule, 'rule')),
    reference: optionalText(row.ref, 'ref'),
    firstPaymentAt: optionalTime(row.first, 'first'),
    nextPaymentAt: optionalTime(row.next, 'next'),
    finalPaymentAt: optionalTime(row.last, 'last'),
    active: word(orderStates, row.status, 'status'),
    nextPaymentAmount: next === undefined ? undefined : money(notNegative(next, 'amt'), currency(row.ccy, 'ccy')),
    creditor: toIdentification(row.payee),
  };
}

const families: Readonly<Record<string, CoreProductDetail['type']>> = {
  PCA: 'personal-current-account',
  BCA: 'business-current-account',
  OTH: 'other',
};

export function toProductDetail(row: Row): CoreProductDetail {
  return {
    code: optionalText(row.code, 'code'),
    name: optionalText(row.title, 'title'),
    type: word(families, row.family, 'family'),
  };
}

const forms: Readonly<Record<string, CoreAccountIdentification['scheme']>> = {
  UKACC: 'sort-code',
  IBAN: 'iban',
  BBAN: 'bban',
};

/** The ledger writes identifications as people type them, with blanks and dashes. */
function toIdentification(value: unknown): CoreAccountIdentification {
  if (!isRow(value)) throw new RowFault('payee', 'not a record');
  const scheme = word(forms, value.form, 'payee.form');
  const identification = text(value.id, 'payee.id').replace(/[\s-]/g, '').toUpperCase();
  if (!(scheme === 'sort-code' ? /^\d{14}$/ : /^[A-Z0-9]{1,34}$/).test(identification)) {
    throw new RowFault('payee.id', 'not of its form');
  }
  return { scheme, identification, name: optionalText(value.name, 'payee.name') };
}

/** `D<n>`, `WD`, `W<n>/<weekday>`, `M<n>/<day>`, `MW<week>/<weekday>`, `Q/E|S|R`; the ledger has more, all told as other. */
function frequency(rule: string): CoreFrequency {
  const parts = /^(D|WD|W|MW|M|Q)(-?\d{1,3})?(?:\/(-?\d{1,2}|[ESR]))?$/.exec(rule);
  const [, every, first, second] = parts ?? [];
  const count = Number(first);
  const place = Number(second);
  if (every === 'WD' && first === undefined && second === undefined) return { every: 'working-day' };
  if (every === 'D' && count > 0 && second === undefined) return { every: 'day', interval: count };
  if (every === 'W' && count > 0 && isWeekday(place)) return { every: 'week', interval: count, weekday: place };
  if (every === 'M' && count > 0 && isMonthDay(place)) return { every: 'month', interval: count, day: place };
  if (every === 'MW' && count > 0 && isWeekday(place)) return { every: 'month', weekOfMonth: count, weekday: place };
  const quarterDays = every === 'Q' && first === undefined ? quarters[second ?? ''] : undefined;
  return quarterDays === undefined ? { every: 'other' } : { every: 'quarter', days: quarterDays };
}
const quarters: Readonly<Record<string, 'english' | 'scottish' | 'received'>> = {
  E: 'english',
  S: 'scottish',
  R: 'received',
};
const isWeekday = (place: number): boolean => place >= 1 && place <= 7;
const isMonthDay = (place: number): boolean => (place >= 1 && place <= 31) || (place >= -31 && place <= -1);

function money(minorUnits: bigint, inCurrency: string): CoreMoney {
  return { minorUnits, currency: inCurrency };
}

/** Meaning of a code word of the ledger. */
function word<T>(meanings: Readonly<Record<string, T>>, value: unknown, field: string): T {
  if (typeof value !== 'string' || !Object.hasOwn(meanings, value)) throw new RowFault(field, 'not a known word');
  return meanings[value] as T;
}

/** The ledger pads with blanks and writes an absent value as the empty string. */
function optionalText(value: unknown, field: string): string | undefined {
  if (typeof value !== 'string') throw new RowFault(field, 'not a text');
  const trimmed = value.trim();
  return trimmed === '' ? undefined : trimmed;
}

function text(value: unknown, field: string): string {
  const read = optionalText(value, field);
  if (read === undefined) throw new RowFault(field, 'missing');
  return read;
}

function matching(form: RegExp, value: unknown, field: string): string | undefined {
  if (value === '') return undefined;
  if (typeof value !== 'string' || !form.test(value)) throw new RowFault(field, 'not of its form');
  return value;
}

function currency(value: unknown, field: string): string {
  if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(value)) throw new RowFault(field, 'not a currency code');
  return value;
}

function whole(value: unknown, field: string): bigint {
  if (!Number.isSafeInteger(value)) throw new RowFault(field, 'not a whole number');
  return BigInt(value as number);
}

function optionalWhole(value: unknown, field: string): bigint | undefined {
  return value === '' ? undefined : whole(value, field);
}

function notNegative(value: bigint, field: string): bigint {
  if (value < 0n) throw new RowFault(field, 'negative');
  return value;
}

/** Hundredths of a percent as a decimal: 299 is `2.99`. */
function optionalPercentage(value: unknown, field: string): string | undefined {
  const hundredths = optionalWhole(value, field);
  if (hundredths === undefined) return undefined;
  const digits = notNegative(hundredths, field).toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `202706` as `2027-06`. */
function optionalMonth(value: unknown, field: string): string | undefined {
  if (value === '') return undefined;
  if (typeof value !== 'string' || !/^\d{4}(0[1-9]|1[0-2])$/.test(value)) throw new RowFault(field, 'not a month');
  return `${value.slice(0, 4)}-${value.slice(4)}`;
}

function day(value: unknown, field: string): CalendarDate {
  const read = time(value, field);
  if (read instanceof Date) throw new RowFault(field, 'not a day');
  return read;
}

function optionalTime(value: unknown, field: string): CoreTime | undefined {
  return value === '' ? undefined : time(value, field);
}

/**
 * `20261120T231500.123Z`, always UTC, or `20261120`. Read digit by digit: a page of 1000 entries holds 3000 of them, and
 * patterns or `Date.parse` cost several times as much.
 */
function time(value: unknown, field: string): CoreTime {
  if (typeof value !== 'string') throw new RowFault(field, 'not a time');
  const year = digits(value, 0, 4);
  const month = digits(value, 4, 2);
  const dayOfMonth = digits(value, 6, 2);
  if (!(year >= 1000 && month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= daysIn(year, month))) {
    throw new RowFault(field, 'not a time');
  }
  if (value.length === 8) return { date: `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}` };
  const hour = digits(value, 9, 2);
  const minute = digits(value, 11, 2);
  const second = digits(value, 13, 2);
  const millisecond = digits(value, 16, 3);
  const whole = hour <= 23 && minute <= 59 && second <= 59 && millisecond >= 0;
  if (value.length !== 20 || value[8] !== 'T' || value[15] !== '.' || value[19] !== 'Z' || !whole) {
    throw new RowFault(field, 'not a time');
  }
  return new Date(Date.UTC(year, month - 1, dayOfMonth, hour, minute, second, millisecond));
}

/** The number written in `count` digits from `start`; NaN where one is not a digit, so that every comparison fails. */
function digits(value: string, start: number, count: number): number {
  let number = 0;
  for (let index = start; index < start + count; index++) {
    const digit = value.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
