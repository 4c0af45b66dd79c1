/** The types of a booked balance that a bank may choose for a product, of OBBalanceType1Code. */
export const bookedBalanceTypes = ['InterimBooked', 'ClosingBooked'] as const;
export type BookedBalanceType = (typeof bookedBalanceTypes)[number];

/** The types of an agreed limit, of OBExternalLimitType1Code. Its other type, `Available`, is the rest of a limit. */
export const creditLimitTypes = ['Pre-Agreed', 'Credit', 'Emergency', 'Temporary'] as const;
export type CreditLimitType = (typeof creditLimitTypes)[number];
