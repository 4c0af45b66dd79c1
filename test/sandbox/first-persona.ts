import { expect } from '@jest/globals';

/** The account with this number at the sandbox bank, as a TPP names it. */
const debtor = (number: string) => ({
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: `089999${number}`,
  Currency: 'GBP',
});

/** The first persona, as the sandbox bank describes it to its staff. */
export const firstPersona = {
  name: 'complete',
  displayName: 'Amelia Hart',
  customerRef: 'C1001',
  loginName: 'complete',
  password: 'sandbox-complete',
  accounts: [
    { ref: 'A100101', product: 'CurrentAccount', debtor: debtor('10010010') },
    { ref: 'A100102', product: 'Savings', debtor: debtor('20020011') },
    { ref: 'A100103', product: 'CreditCard' },
    { ref: 'A100104', product: 'RewardsPayPlus', debtor: debtor('20020034') },
    { ref: 'A100105', product: 'RoundUp', debtor: debtor('20020042') },
  ],
  shows: expect.any(String),
};
