import { Type, type Static } from 'typebox';
import { AmountSchema } from '../../open-banking/schemas.js';
import type { CreditLine } from '../../resources/balances/balance.mapper.js';

/** OBExternalLimitType1Code. */
const types: Readonly<Record<CreditLine['kind'], string>> = {
  rest: 'Available',
  'pre-agreed': 'Pre-Agreed',
  credit: 'Credit',
  emergency: 'Emergency',
  temporary: 'Temporary',
};

export const CreditLineSchema = Type.Object({
  Included: Type.Boolean(),
  Type: Type.String({ enum: Object.values(types) }),
  Amount: AmountSchema,
});

export function creditLine({ included, kind, amount }: CreditLine): Static<typeof CreditLineSchema> {
  return { Included: included, Type: types[kind], Amount: amount };
}
