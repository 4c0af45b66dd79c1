import { Type, type Static } from 'typebox';
import { AccountIdSchema } from '../../open-banking/schemas.js';

/** Section 2.2. `Account` is released by ReadAccountsDetail only. */
export const AccountSchema = Type.Object({
  AccountId: AccountIdSchema,
  Currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  AccountType: Type.String({ examples: ['Personal'] }),
  AccountSubType: Type.String({ examples: ['CreditCard', 'CurrentAccount', 'Savings', 'PrePaidCard'] }),
  Description: Type.Optional(Type.String({ maxLength: 35 })),
  Account: Type.Optional(
    Type.Array(
      Type.Object({
        SchemeName: Type.String({ examples: ['UK.OBIE.SortCodeAccountNumber', 'UK.OBIE.IBAN', 'UK.OBIE.PAN'] }),
        Identification: Type.String({ maxLength: 256 }),
      }),
    ),
  ),
});
export type Account = Static<typeof AccountSchema>;
