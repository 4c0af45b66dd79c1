import { Type } from 'typebox';
import type { Holder, ProductKind } from '../../endpoint/bank-product.js';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { accounts, singleAccount } from '../../resources/accounts/accounts.endpoint.js';
import type { AccountFields } from '../../resources/accounts/account.mapper.js';
import { AccountIdSchema, CurrencySchema } from '../../open-banking/schemas.js';

/** OBExternalAccountType1Code. */
const accountTypes: Readonly<Record<Holder, string>> = { personal: 'Personal', business: 'Business' };

/** OBExternalAccountSubType1Code. */
const accountSubTypes: Readonly<Record<ProductKind, string>> = {
  'charge-card': 'ChargeCard',
  'credit-card': 'CreditCard',
  'current-account': 'CurrentAccount',
  'e-money': 'EMoney',
  loan: 'Loan',
  mortgage: 'Mortgage',
  'prepaid-card': 'PrePaidCard',
  savings: 'Savings',
};

/** docs/specification.md, "Accounts". Only ReadAccountsDetail releases `Account`. */
const AccountSchema = Type.Object({
  AccountId: AccountIdSchema,
  Currency: CurrencySchema,
  AccountType: Type.String({ enum: Object.values(accountTypes) }),
  AccountSubType: Type.String({ enum: Object.values(accountSubTypes) }),
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

const form = {
  collection: 'Account',
  schema: AccountSchema,
  words: ({ accountId, currency, holder, kind, description, numbers }: AccountFields) => ({
    AccountId: accountId,
    Currency: currency,
    AccountType: accountTypes[holder],
    AccountSubType: accountSubTypes[kind],
    Description: description,
    Account: numbers,
  }),
};

export const accountsForm = declareForm(accounts, { ...form, path: '/accounts' });
export const singleAccountForm = declareForm(singleAccount, { ...form, path: '/accounts/:AccountId' });
