import type { CoreMoney, CoreOffer } from '../../core-banking/core.records.js';
import { amount, type Amount } from '../../open-banking/money.js';
import type { Offer } from './offer.dto.js';

export function toOffer(offer: CoreOffer, accountId: string): Offer {
  return {
    AccountId: accountId,
    endMonthYear: offer.endMonth,
    feePercentage: offer.feePercentage,
    maxTransferPercentage: offer.maxTransferPercentage,
    minTransferAmount: money(offer.minTransferAmount),
    minFeeAmount: money(offer.minFeeAmount),
    rateAnnualPercentage: offer.annualRatePercentage,
    takeUpEndDate: offer.takeUpEndDate?.date,
  };
}

function money(value: CoreMoney | undefined): Amount | undefined {
  return value && amount(value.minorUnits, value.currency);
}
