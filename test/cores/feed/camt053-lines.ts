import type { CoreBalance, CoreMoney, CoreTime, CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { decimalOf } from '../../support/expressed-records.js';

// Written apart from the adapter's reader, from ISO 20022's definition of camt.053.001.08.

export const beginOfDocument =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">' +
  '<BkToCstmrStmt><GrpHdr><MsgId>KIT</MsgId><CreDtTm>2026-11-20T23:00:00Z</CreDtTm></GrpHdr>';
export const endOfDocument = '</BkToCstmrStmt></Document>';

/** A statement of one balance or entry, on its line. */
export function statementLine(account: string, element: string): string {
  return `<Stmt><Id>S</Id><Acct><Id>${account}</Id></Acct>${element}</Stmt>`;
}

/** @param amount its elements, where they are not those of the balance */
export function balanceElement(balance: CoreBalance, amount = statedAmount(balance)): string {
  const { kind, at, creditLimit } = balance;
  return inside('Bal', [
    inside('Tp', [inside('CdOrPrtry', [inside('Cd', [kind === 'booked' ? 'CLBD' : 'CLAV'])])]),
    kind === 'available' && creditLimit && inside('CdtLine', ['<Incl>true</Incl>', amountElement(creditLimit)]),
    amount,
    inside('Dt', [timeElement(at)]),
  ]);
}

/** A bank's available amount has the overdraft in it. */
function statedAmount({ kind, amount, creditLimit }: CoreBalance): string {
  const overdraft = kind === 'available' ? (creditLimit?.minorUnits ?? 0n) : 0n;
  return signedElements({ ...amount, minorUnits: amount.minorUnits + overdraft });
}

export function entryElement(row: CoreTransaction): string {
  const { id, status, at, madeAt, expectedBookingAt, valueAt, amount, description, exchange } = row;
  const bookedAt = madeAt === undefined || status === 'booked' ? at : (expectedBookingAt ?? at);
  return inside('Ntry', [
    signedElements(amount),
    inside('Sts', [inside('Cd', [status === 'booked' ? 'BOOK' : 'PDNG'])]),
    inside('BookgDt', [timeElement(bookedAt)]),
    valueAt && inside('ValDt', [timeElement(valueAt)]),
    inside('AcctSvcrRef', [escaped(id)]),
    inside('NtryDtls', [
      inside('TxDtls', [
        exchange && inside('AmtDtls', [inside('InstdAmt', [exchangeElement(exchange)])]),
        description && inside('RmtInf', [inside('Ustrd', [escaped(description)])]),
        madeAt &&
          inside('RltdDts', [
            madeAt instanceof Date ? inside('TxDtTm', [madeAt.toISOString()]) : inside('TradDt', [madeAt.date]),
          ]),
      ]),
    ]),
  ]);
}

/** The part of a record that a statement can express. */
export function statedBalance({ creditLimit, ...balance }: CoreBalance): CoreBalance {
  return balance.kind === 'available' && creditLimit !== undefined ? { ...balance, creditLimit } : balance;
}

export function statedTransaction({
  expectedBookingAt: _,
  runningBalance: __,
  ...row
}: CoreTransaction): CoreTransaction {
  return row;
}

function exchangeElement({ sourceCurrency, rate }: NonNullable<CoreTransaction['exchange']>): string {
  return (
    amountElement({ minorUnits: 100n, currency: sourceCurrency }) +
    inside('CcyXchg', [inside('SrcCcy', [sourceCurrency]), rate && inside('XchgRate', [rate])])
  );
}

function signedElements({ minorUnits, currency }: CoreMoney): string {
  const amount = { minorUnits: minorUnits < 0n ? -minorUnits : minorUnits, currency };
  return amountElement(amount) + inside('CdtDbtInd', [minorUnits < 0n ? 'DBIT' : 'CRDT']);
}

function amountElement({ minorUnits, currency }: CoreMoney): string {
  return `<Amt Ccy="${currency}">${decimalOf(minorUnits, currency)}</Amt>`;
}

function timeElement(time: CoreTime): string {
  return time instanceof Date ? inside('DtTm', [time.toISOString()]) : inside('Dt', [time.date]);
}

function inside(name: string, parts: readonly (string | undefined | false)[]): string {
  return `<${name}>${parts.filter(Boolean).join('')}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
