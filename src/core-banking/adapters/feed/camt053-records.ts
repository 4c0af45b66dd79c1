import { wordOf } from '../../../../packages/core-adapter/code-words.js';
import { RowFault } from '../../../../packages/core-adapter/core-rows.js';
import type {
  CoreBalance,
  CoreMoney,
  CoreTime,
  CoreTransaction,
} from '../../../../packages/core-adapter/core.records.js';
import { minorUnitsOf, moneyOf, notNegative } from '../../../../packages/core-adapter/minor-units.js';
import { timeOf } from '../../record-mapping/times.js';
import { child, childText, type XmlElement } from './xml-elements.js';

// The records of a statement of ISO 20022, camt.053. Faults name the element.

const signs = { CRDT: 1n, DBIT: -1n } as const;

export interface StatedBalance {
  readonly code: string;
  readonly amount: CoreMoney;
  /** Absent for a balance that only serves to check the statement. */
  readonly balance?: CoreBalance;
}

const kinds: Readonly<Record<string, CoreBalance['kind']>> = {
  CLBD: 'booked',
  ITBD: 'booked',
  CLAV: 'available',
  ITAV: 'available',
};

export function balanceOf(bal: XmlElement, timeZone: string | undefined): StatedBalance {
  const code = need(childText(bal, 'Tp', 'CdOrPrtry', 'Cd') ?? childText(bal, 'Tp', 'CdOrPrtry', 'Prtry'), 'Bal.Tp');
  const amount = signedOf(bal, 'Bal');
  const kind = Object.hasOwn(kinds, code) ? kinds[code] : undefined;
  if (kind === undefined) return { code, amount };
  const at = need(dateOf(bal, 'Dt', timeZone, 'Bal.Dt'), 'Bal.Dt');
  return { code, amount, balance: { kind, at, ...withoutOverdraft(bal, kind, amount) } };
}

/** The port's available amount has no overdraft in it; a statement's says whether it has. */
function withoutOverdraft(
  bal: XmlElement,
  kind: CoreBalance['kind'],
  amount: CoreMoney,
): Pick<CoreBalance, 'amount' | 'creditLimit'> {
  const lines = bal.children.filter(({ name }) => name === 'CdtLine');
  if (kind === 'booked' || lines.length === 0) return { amount };
  const [line] = lines;
  if (line === undefined || lines.length > 1) throw new RowFault('Bal.CdtLine', 'more than one');
  const included = wordOf({ Incl: childText(line, 'Incl') }, 'Incl', { true: true, false: false, 1: true, 0: false });
  const limit = child(line, 'Amt');
  if (limit === undefined) {
    if (included) throw new RowFault('Bal.CdtLine.Amt', 'missing');
    return { amount };
  }
  const creditLimit = magnitudeOf(limit, 'Bal.CdtLine.Amt');
  if (creditLimit.currency !== amount.currency) throw new RowFault('Bal.CdtLine.Amt', 'in another currency');
  const minorUnits = included ? amount.minorUnits - creditLimit.minorUnits : amount.minorUnits;
  return { amount: { ...amount, minorUnits }, creditLimit };
}

const statuses = { BOOK: 'booked', PDNG: 'pending', INFO: 'information', FUTR: 'information' } as const;

/** `undefined` for an entry that is only information. */
export function transactionOf(entry: XmlElement, timeZone: string | undefined): CoreTransaction | undefined {
  const status = wordOf({ Sts: childText(entry, 'Sts', 'Cd') ?? childText(entry, 'Sts') }, 'Sts', statuses);
  if (status === 'information') return undefined;
  const details = entry.children.filter(({ name }) => name === 'NtryDtls').flatMap(({ children }) => children);
  // The details of several payments that were booked as one say nothing about the one entry.
  const [single] =
    details.filter(({ name }) => name === 'TxDtls').length === 1 ? details.filter(({ name }) => name === 'TxDtls') : [];
  const madeAt = single && timeOfDetails(single, timeZone);
  const bookedAt = dateOf(entry, 'BookgDt', timeZone, 'Ntry.BookgDt');
  const valueAt = dateOf(entry, 'ValDt', timeZone, 'Ntry.ValDt');
  const description = descriptionOf(entry, single);
  return {
    id: need(
      childText(entry, 'AcctSvcrRef') ??
        childText(entry, 'NtryRef') ??
        (single && childText(single, 'Refs', 'AcctSvcrRef')),
      'Ntry.AcctSvcrRef',
    ),
    status,
    at: need(status === 'booked' ? bookedAt : (madeAt ?? bookedAt), 'Ntry.BookgDt'),
    amount: signedOf(entry, 'Ntry'),
    ...(madeAt !== undefined && { madeAt }),
    ...(valueAt !== undefined && { valueAt }),
    ...(description !== undefined && { description }),
    ...exchangeOf(single ?? entry),
  };
}

function timeOfDetails(details: XmlElement, timeZone: string | undefined): CoreTime | undefined {
  const dates = child(details, 'RltdDts');
  if (dates === undefined) return undefined;
  const field = 'RltdDts';
  const [made, accepted, traded] = [
    childText(dates, 'TxDtTm'),
    childText(dates, 'AccptncDtTm'),
    childText(dates, 'TradDt'),
  ];
  const text = made ?? accepted ?? traded;
  return text === undefined ? undefined : timeOf(text, 'iso', timeZone, field);
}

function descriptionOf(entry: XmlElement, single: XmlElement | undefined): string | undefined {
  const remittance = (single && child(single, 'RmtInf')?.children) ?? [];
  const unstructured = remittance.filter(({ name }) => name === 'Ustrd').map(({ text }) => text.trim());
  return unstructured.join(' ') || (single && childText(single, 'AddtlTxInf')) || childText(entry, 'AddtlNtryInf');
}

function exchangeOf(of: XmlElement): Pick<CoreTransaction, 'exchange'> {
  const exchange =
    child(of, 'AmtDtls', 'InstdAmt', 'CcyXchg') ??
    child(of, 'AmtDtls', 'TxAmt', 'CcyXchg') ??
    child(of, 'AmtDtls', 'CntrValAmt', 'CcyXchg');
  if (exchange === undefined) return {};
  const sourceCurrency = need(childText(exchange, 'SrcCcy'), 'CcyXchg.SrcCcy');
  minorUnitsOf('0', sourceCurrency, 'CcyXchg.SrcCcy');
  const rate = childText(exchange, 'XchgRate');
  if (rate !== undefined && !/^\d{1,11}(\.\d{1,10})?$/.test(rate))
    throw new RowFault('CcyXchg.XchgRate', 'not a decimal');
  return { exchange: { sourceCurrency, ...(rate !== undefined && { rate }) } };
}

/** The amount and its direction; a reversal has the direction in which the reversal itself moves the money. */
export function signedOf(of: XmlElement, name: string): CoreMoney {
  const { minorUnits, currency } = magnitudeOf(need(child(of, 'Amt'), `${name}.Amt`), `${name}.Amt`);
  const field = 'CdtDbtInd';
  return { minorUnits: minorUnits * wordOf({ [field]: childText(of, field) }, field, signs), currency };
}

function magnitudeOf({ text, attributes }: XmlElement, field: string): CoreMoney {
  const money = moneyOf(text.trim(), attributes.Ccy ?? '', field);
  notNegative(money.minorUnits, field);
  return money;
}

function dateOf(of: XmlElement, name: string, timeZone: string | undefined, field: string): CoreTime | undefined {
  const choice = child(of, name);
  if (choice === undefined) return undefined;
  return timeOf(need(childText(choice, 'DtTm') ?? childText(choice, 'Dt'), field), 'iso', timeZone, field);
}

function need<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new RowFault(field, 'missing');
  return value;
}
