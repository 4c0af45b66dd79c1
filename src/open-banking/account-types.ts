/** The account types of the standard (OBExternalAccountType1Code). */
export const accountTypes = ['Personal', 'Business'] as const;
export type AccountType = (typeof accountTypes)[number];

/** The account sub-types of the standard (OBExternalAccountSubType1Code). */
export const accountSubTypes = [
  'ChargeCard',
  'CreditCard',
  'CurrentAccount',
  'EMoney',
  'Loan',
  'Mortgage',
  'PrePaidCard',
  'Savings',
] as const;
export type AccountSubType = (typeof accountSubTypes)[number];
