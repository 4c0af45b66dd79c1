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
