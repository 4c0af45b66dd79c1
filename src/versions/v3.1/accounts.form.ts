import { Type } from 'typebox';
import type { ProductKind } from '../../endpoint/bank-product.js';
import { declareForm } from '../../endpoint/endpoint-form.js';
import type { AccountFields } from '../../resources/accounts/account.mapper.js';
import { accounts, singleAccount } from '../../resources/accounts/accounts.endpoint.js';
import { accountMembers, accountWords, holderWords } from '../shared/accounts.js';

/** OBExternalAccountSubType1Code. */
const kinds: Readonly<Record<ProductKind, string>> = {
  'charge-card': 'ChargeCard',
  'credit-card': 'CreditCard',
  'current-account': 'CurrentAccount',
  'e-money': 'EMoney',
  loan: 'Loan',
  mortgage: 'Mortgage',
  'prepaid-card': 'PrePaidCard',
  savings: 'Savings',
};

const { AccountId, Currency, ...optional } = accountMembers;

const form = {
  collection: 'Account',
  schema: Type.Object({
    AccountId,
    Currency,
    AccountType: Type.String({ enum: Object.values(holderWords) }),
    AccountSubType: Type.String({ enum: [...new Set(Object.values(kinds))] }),
    ...optional,
  }),
  words: (account: AccountFields) => ({
    ...accountWords(account),
    AccountType: holderWords[account.holder],
    AccountSubType: kinds[account.kind],
  }),
};

export const accountsForm = declareForm(accounts, { ...form, path: '/accounts' });
export const singleAccountForm = declareForm(singleAccount, { ...form, path: '/accounts/:AccountId' });
