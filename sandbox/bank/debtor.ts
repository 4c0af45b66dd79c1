/** The words in which a TPP names an account for confirmation of funds, with the account's currency. */
export interface Debtor {
  readonly SchemeName: string;
  readonly Identification: string;
  readonly Currency: string;
}

interface Numbers {
  readonly currency: string;
  readonly sortCode?: string;
  readonly accountNumber?: string;
  readonly iban?: string;
}

/** `undefined` for an account without a number by which the bank finds it. */
export function debtorOf({ currency, sortCode, accountNumber, iban }: Numbers): Debtor | undefined {
  if (sortCode && accountNumber)
    return {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: sortCode + accountNumber,
      Currency: currency,
    };
  return iban ? { SchemeName: 'UK.OBIE.IBAN', Identification: iban, Currency: currency } : undefined;
}
