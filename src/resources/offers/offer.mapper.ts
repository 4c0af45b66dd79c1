import { optionalField } from '../../../packages/core-adapter/core-rows.js';
import type { CoreMoney, CoreOffer } from '../../../packages/core-adapter/core.records.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { amount, type Amount } from '../../open-banking/money.js';

export function offerFields(offer: CoreOffer, { accountId }: Pick<ResourceView, 'accountId'>) {
  return {
    accountId,
    endMonth: optionalField('endMonth', () => matching(month, offer.endMonth)),
    feePercentage: optionalField('feePercentage', () => matching(decimal, offer.feePercentage)),
    maxTransferPercentage: optionalField('maxTransferPercentage', () => matching(decimal, offer.maxTransferPercentage)),
    minTransferAmount: optionalField('minTransferAmount', () => money(offer.minTransferAmount)),
    minFeeAmount: optionalField('minFeeAmount', () => money(offer.minFeeAmount)),
    annualRatePercentage: optionalField('annualRatePercentage', () => matching(decimal, offer.annualRatePercentage)),
    takeUpEndDate: optionalField('takeUpEndDate', () => day(offer.takeUpEndDate)),
  };
}

/** The standard's `Rate`. */
const decimal = /^-?\d{1,3}(\.\d{1,4})?$/;
const month = /^\d{4}-(0[1-9]|1[0-2])$/;

function day(date: CoreOffer['takeUpEndDate']): string | undefined {
  return date && formatDateTime(date).slice(0, 10);
}

/** A text of a wrong form may contain anything, also a card number. */
function matching(form: RegExp, value: string | undefined): string | undefined {
  if (value !== undefined && !form.test(value)) throw new RangeError('a rate or month of the offer is not of its form');
  return value;
}

function money(value: CoreMoney | undefined): Amount | undefined {
  return value && amount(value.minorUnits, value.currency);
}
