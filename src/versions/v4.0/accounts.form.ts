import { Type } from 'typebox';
import type { ProductKind } from '../../endpoint/bank-product.js';
import { declareForm } from '../../endpoint/endpoint-form.js';
import type { AccountFields } from '../../resources/accounts/account.mapper.js';
import { accounts, singleAccount } from '../../resources/accounts/accounts.endpoint.js';
import { accountMembers, accountNumberMembers, accountWords, holderWords } from '../shared/accounts.js';
import { LeiSchema } from './parties.js';

/**
 * OBExternalCashAccountType1Code, which has one code for every card. CHAR is not a charge card: it is an account for charges.
 */
const kinds: Readonly<Record<ProductKind, string>> = {
  'charge-card': 'CARD',
  'credit-card': 'CARD',
  'current-account': 'CACC',
  'e-money': 'WALT',
  loan: 'LOAN',
  mortgage: 'MORT',
  'prepaid-card': 'CARD',
  savings: 'SVGS',
};

const { AccountId, Currency, ...optional } = accountMembers;

const form = {
  collection: 'Account',
  schema: Type.Object({
    AccountId,
    Currency,
    AccountCategory: Type.String({ enum: Object.values(holderWords) }),
    AccountTypeCode: Type.String({ enum: [...new Set(Object.values(kinds))] }),
    ...optional,
    Account: Type.Optional(Type.Array(Type.Object({ ...accountNumberMembers, LEI: Type.Optional(LeiSchema) }))),
  }),
  words: (account: AccountFields) => ({
    ...accountWords(account),
    Account: account.numbers?.map((number) => ({ ...number, LEI: account.lei })),
    AccountCategory: holderWords[account.holder],
    AccountTypeCode: kinds[account.kind],
  }),
};

export const accountsForm = declareForm(accounts, { ...form, path: '/accounts' });
export const singleAccountForm = declareForm(singleAccount, { ...form, path: '/accounts/:AccountId' });
