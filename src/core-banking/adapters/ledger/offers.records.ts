import type { CoreAccount, CoreOffer } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { notNegative, optionalIntegerOf } from '../../../../packages/core-adapter/row-fields.js';
import { day, optionalMoney } from './ledger.fields.js';

export function toOffer(row: Row, account: CoreAccount): CoreOffer {
  return {
    endMonth: optionalField('endMonth', () => optionalMonth(row.until, 'until')),
    feePercentage: optionalField('feePercentage', () => optionalPercentage(row, 'feeBp')),
    maxTransferPercentage: optionalField('maxTransferPercentage', () => optionalPercentage(row, 'capBp')),
    minTransferAmount: optionalField('minTransferAmount', () => optionalMoney(row, 'least', account.currency)),
    minFeeAmount: optionalField('minFeeAmount', () => optionalMoney(row, 'leastFee', account.currency)),
    annualRatePercentage: optionalField('annualRatePercentage', () => optionalPercentage(row, 'annBp')),
    takeUpEndDate: optionalField('takeUpEndDate', () => (row.by === '' ? undefined : day(row.by, 'by'))),
  };
}

/** Hundredths of a percent as a decimal: 299 is `2.99`. */
function optionalPercentage(row: Row, field: string): string | undefined {
  const hundredths = optionalIntegerOf(row, field);
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
