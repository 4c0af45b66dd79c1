import { Type, type Static } from 'typebox';
import { accountSubTypes, accountTypes } from '../../open-banking/account-types.js';
import { AccountIdSchema, CurrencySchema } from '../../open-banking/schemas.js';

/** docs/specification.md, "Accounts". Only ReadAccountsDetail releases `Account`. */
export const AccountSchema = Type.Object({
  AccountId: AccountIdSchema,
  Currency: CurrencySchema,
  AccountType: Type.String({ enum: [...accountTypes] }),
  AccountSubType: Type.String({ enum: [...accountSubTypes] }),
  Description: Type.Optional(Type.String({ minLength: 1, maxLength: 35, examples: ['Everyday Current Account'] })),
  Account: Type.Optional(
    Type.Array(
      Type.Object({
        SchemeName: Type.String({ examples: ['UK.OBIE.SortCodeAccountNumber', 'UK.OBIE.IBAN', 'UK.OBIE.PAN'] }),
        Identification: Type.String({ minLength: 1, maxLength: 256, examples: ['04000410010117'] }),
      }),
    ),
  ),
});
export type Account = Static<typeof AccountSchema>;
