import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { offers } from '../../resources/offers/offers.endpoint.js';
import { AccountIdSchema, AmountSchema } from '../../open-banking/schemas.js';

const Percentage = Type.String({
  pattern: '^-?\\d{1,3}(\\.\\d{1,4})?$',
  description: 'Per cent, a decimal.',
  examples: ['2.99'],
});

/** docs/specification.md, "Offers". */
const OfferSchema = Type.Object({
  AccountId: AccountIdSchema,
  endMonthYear: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}$',
      description: 'The statement month in which standard pricing applies again.',
      examples: ['2027-03'],
    }),
  ),
  feePercentage: Type.Optional(Percentage),
  maxTransferPercentage: Type.Optional(Percentage),
  minTransferAmount: Type.Optional(AmountSchema),
  minFeeAmount: Type.Optional(AmountSchema),
  rateAnnualPercentage: Type.Optional(Percentage),
  takeUpEndDate: Type.Optional(Type.String({ format: 'date', description: 'The last day to ask for a transfer.' })),
});

export const offersForm = declareForm(offers, {
  path: '/accounts/:AccountId/offers',
  collection: 'Offer',
  schema: OfferSchema,
  words: ({ accountId, endMonth, annualRatePercentage, ...same }) => ({
    AccountId: accountId,
    endMonthYear: endMonth,
    rateAnnualPercentage: annualRatePercentage,
    ...same,
  }),
});
