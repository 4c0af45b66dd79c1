import { Type, type Static } from 'typebox';
import { AccountIdSchema, AmountSchema } from '../../open-banking/schemas.js';

const Percentage = Type.String({
  pattern: '^-?\\d{1,3}(\\.\\d{1,4})?$',
  description: 'Per cent, a decimal.',
  examples: ['2.99'],
});

/** docs/specification.md, "Offers". */
export const OfferSchema = Type.Object({
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
export type Offer = Static<typeof OfferSchema>;
