/** The reasons of an operator's withdrawal: a closed list. */
export const ofWithdrawals = {
  'customer-request': {
    meaning: 'The customer asked the bank to end the access.',
    remedy: 'Nothing: it is the customer’s decision.',
  },
  fraud: {
    meaning: 'The bank suspects fraud.',
    remedy: 'The bank’s fraud desk decides whether a new consent is safe.',
  },
  'account-closed': { meaning: 'The account was closed.', remedy: 'The customer gives access to another account.' },
  death: { meaning: 'The customer has died.', remedy: 'Nothing: the access has ended for good.' },
  'court-order': { meaning: 'A court ordered the end of the access.', remedy: 'The bank’s lawyers know the order.' },
  'tpp-misconduct': {
    meaning: 'The TPP broke the rules of its access.',
    remedy: 'The TPP settles the matter with the bank.',
  },
  error: {
    meaning: 'The access had been given in error.',
    remedy: 'The customer gives the access again, if it was meant.',
  },
  other: { meaning: 'Another reason of the bank.', remedy: 'The timeline of the consent has the operator’s words.' },
} as const;

export type WithdrawalReason = keyof typeof ofWithdrawals;
export const withdrawalReasons = Object.keys(ofWithdrawals) as readonly WithdrawalReason[];
