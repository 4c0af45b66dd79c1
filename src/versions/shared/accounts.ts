import { Type } from 'typebox';
import type { AccountFields } from '../../resources/accounts/account.mapper.js';
import { AccountIdSchema, CurrencySchema } from '../../open-banking/schemas.js';
import type { Holder } from '../../endpoint/bank-product.js';

/** The words for the holder of an account. */
export const holderWords: Readonly<Record<Holder, string>> = { personal: 'Personal', business: 'Business' };

/** A member of `Account`. */
export const accountNumberMembers = {
  SchemeName: Type.String({ examples: ['UK.OBIE.SortCodeAccountNumber', 'UK.OBIE.IBAN', 'UK.OBIE.PAN'] }),
  Identification: Type.String({ minLength: 1, maxLength: 256, examples: ['04000410010117'] }),
};

/** The members of an account in every version: docs/specification.md, "Accounts". Only ReadAccountsDetail releases `Account`. */
export const accountMembers = {
  AccountId: AccountIdSchema,
  Currency: CurrencySchema,
  Description: Type.Optional(Type.String({ minLength: 1, maxLength: 35, examples: ['Everyday Current Account'] })),
  Account: Type.Optional(Type.Array(Type.Object(accountNumberMembers))),
};

export function accountWords({ accountId, currency, description, numbers }: AccountFields) {
  return { AccountId: accountId, Currency: currency, Description: description, Account: numbers };
}
