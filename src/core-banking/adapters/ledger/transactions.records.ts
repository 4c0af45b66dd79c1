import type { CoreUltimateParty } from '../../../../packages/core-adapter/core.parties.js';
import type {
  CoreAccount,
  CoreTime,
  CoreTransaction,
  TransactionQuery,
} from '../../../../packages/core-adapter/core.records.js';
import { isoCode, lei } from '../../../../packages/core-adapter/identifiers.js';
import { optionalField, type Row, RowFault, type TimeAndId } from '../../../../packages/core-adapter/core-rows.js';
import {
  currencyOf,
  notNegative,
  optionalCodeOf,
  optionalTextOf,
  optionalIntegerOf,
  partOf,
  textOf,
  integerOf,
  wordOf,
} from '../../../../packages/core-adapter/row-fields.js';
import { money, time } from './ledger.fields.js';
import { toAgent, toIdentification } from './payees.records.js';

const entryStates: Readonly<Record<string, CoreTransaction['status']>> = {
  POSTED: 'booked',
  HELD: 'pending',
  REFUSED: 'rejected',
};
const sides: Readonly<Record<string, 'CR' | 'DR'>> = { CR: 'CR', DR: 'DR' };

export function timeAndIdOf(row: Row): TimeAndId {
  return { id: textOf(row, 'key'), at: timeOf(row, wordOf(row, 'state', entryStates)) };
}

/** The ledger writes the time of a refusal where it writes that of a booking. */
function timeOf(row: Row, status: CoreTransaction['status']): CoreTime {
  return status === 'pending' ? time(row.made, 'made') : time(row.booked, 'booked');
}

export function toTransaction(row: Row, account: CoreAccount): CoreTransaction {
  const status = wordOf(row, 'state', entryStates);
  const side = wordOf(row, 'side', sides);
  const minorUnits = notNegative(integerOf(row, 'amt'), 'amt');
  return {
    id: textOf(row, 'key'),
    at: timeOf(row, status),
    status,
    madeAt: row.made === '' ? undefined : optionalField('madeAt', () => time(row.made, 'made')),
    expectedBookingAt:
      status !== 'pending' || row.due === ''
        ? undefined
        : optionalField('expectedBookingAt', () => time(row.due, 'due')),
    valueAt: row.value === '' ? undefined : optionalField('valueAt', () => time(row.value, 'value')),
    amount: money(side === 'DR' ? -minorUnits : minorUnits, account.currency),
    description: optionalField('description', () => optionalTextOf(row, 'text')),
    runningBalance: optionalField('runningBalance', () => runningBalance(row, account)),
    exchange: row.fx === '' ? undefined : optionalField('exchange', () => partOf(row, 'fx', toExchange)),
    isoTransactionCode:
      row.iso === undefined ? undefined : optionalField('isoTransactionCode', () => partOf(row, 'iso', toIsoCodes)),
    bankTransactionCode:
      row.own === undefined ? undefined : optionalField('bankTransactionCode', () => partOf(row, 'own', toOwnCode)),
    categoryPurpose:
      row.cat === undefined ? undefined : optionalField('categoryPurpose', () => optionalCodeOf(row, 'cat', isoCode)),
    paymentPurpose:
      row.purp === undefined ? undefined : optionalField('paymentPurpose', () => optionalCodeOf(row, 'purp', isoCode)),
    creditor: row.payee === undefined ? undefined : optionalField('creditor', () => toIdentification(row)),
    creditorAgent: row.payee === undefined ? undefined : toAgent(row),
    ultimateCreditor:
      row.payeeFor === undefined
        ? undefined
        : optionalField('ultimateCreditor', () => toUltimateParty(row, 'payeeFor', 'ultimateCreditor')),
    debtor: row.payer === undefined ? undefined : optionalField('debtor', () => toIdentification(row, 'payer')),
    debtorAgent: row.payer === undefined ? undefined : toAgent(row, 'payer', 'debtorAgent'),
    ultimateDebtor:
      row.payerFor === undefined
        ? undefined
        : optionalField('ultimateDebtor', () => toUltimateParty(row, 'payerFor', 'ultimateDebtor')),
  };
}

function runningBalance(row: Row, { product, currency }: CoreAccount): CoreTransaction['runningBalance'] {
  const balance = optionalIntegerOf(row, 'bal');
  return balance === undefined ? undefined : money(product === 'CreditCard' ? -balance : balance, currency);
}

function toExchange(fx: Row): CoreTransaction['exchange'] {
  return { sourceCurrency: currencyOf(fx, 'ccy'), rate: optionalTextOf(fx, 'rate') };
}

function toIsoCodes(iso: Row): CoreTransaction['isoTransactionCode'] {
  const [family, subFamily] = [optionalCodeOf(iso, 'family', isoCode), optionalCodeOf(iso, 'sub', isoCode)];
  if (family === undefined || subFamily === undefined) throw new RowFault('sub', 'missing, or the family');
  return { family, subFamily };
}

function toOwnCode(own: Row): CoreTransaction['bankTransactionCode'] {
  return { code: textOf(own, 'code'), issuer: optionalTextOf(own, 'by') };
}

function toUltimateParty(row: Row, field: string, as: string): CoreUltimateParty {
  return partOf(row, field, (party) => ({
    name: textOf(party, 'name'),
    lei: optionalField(`${as}.lei`, () => optionalCodeOf(party, 'lei', lei)),
  }));
}

/** The query string of a read of an account's entries. */
export function entriesQuery(query: TransactionQuery): string {
  let sent = `take=${query.limit}&toward=${query.read === 'older' ? 'OLD' : 'NEW'}`;
  if (query.from !== undefined) sent += `&since=${stamp(query.from.getTime())}`;
  if (query.to !== undefined) sent += `&until=${stamp(query.to.getTime())}`;
  if (query.direction !== undefined) sent += `&side=${query.direction === 'credit' ? 'CR' : 'DR'}`;
  if (query.status !== undefined) sent += '&state=POSTED';
  if (query.position !== undefined) {
    sent += `&past=${stamp(query.position.atMs)}&pastKey=${encodeURIComponent(query.position.id)}`;
  }
  return sent;
}

const earliestMs = Date.UTC(1000, 0, 1);
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A time in the ledger's form, which has four digits for the year: a time outside them becomes the nearest possible one. */
function stamp(atMs: number): string {
  return new Date(Math.min(Math.max(atMs, earliestMs), latestMs)).toISOString().replace(/[-:]/g, '');
}
