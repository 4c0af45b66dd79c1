import type { CoreAccount, CoreOffer } from '../../../../packages/core-adapter/core.records.js';
import { RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { notNegative } from '../../../../packages/core-adapter/minor-units.js';
import { optionalWholeOf } from '../../../../packages/core-adapter/row-fields.js';
import { day, money } from './ledger.fields.js';

export function toOffer(row: Row, account: CoreAccount): CoreOffer {
  const minTransfer = optionalWholeOf(row, 'least');
  const minFee = optionalWholeOf(row, 'leastFee');
  return {
    endMonth: optionalMonth(row.until, 'until'),
    feePercentage: optionalPercentage(row, 'feeBp'),
    maxTransferPercentage: optionalPercentage(row, 'capBp'),
    minTransferAmount: minTransfer === undefined ? undefined : money(minTransfer, account.currency),
    minFeeAmount: minFee === undefined ? undefined : money(minFee, account.currency),
    annualRatePercentage: optionalPercentage(row, 'annBp'),
    takeUpEndDate: row.by === '' ? undefined : day(row.by, 'by'),
  };
}

/** Hundredths of a percent as a decimal: 299 is `2.99`. */
function optionalPercentage(row: Row, field: string): string | undefined {
  const hundredths = optionalWholeOf(row, field);
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
