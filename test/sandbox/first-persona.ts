import { expect } from '@jest/globals';

/** The first persona, as the sandbox bank describes it to its staff. */
export const firstPersona = {
  name: 'complete',
  displayName: 'Amelia Hart',
  customerRef: 'C1001',
  loginName: 'complete',
  password: 'sandbox-complete',
  accounts: [
    { ref: 'A100101', product: 'CurrentAccount' },
    { ref: 'A100102', product: 'Savings' },
    { ref: 'A100103', product: 'CreditCard' },
    { ref: 'A100104', product: 'RewardsPayPlus' },
    { ref: 'A100105', product: 'RoundUp' },
  ],
  shows: expect.any(String),
};
