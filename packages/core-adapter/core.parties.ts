/** A Legal Entity Identifier of ISO 17442: 18 letters and digits, and 2 check digits. */
export type Lei = string;

/**
 * How a payee's account is identified. The gateway checks its number as it checks those of the customer's accounts: it
 * removes blanks and dashes, and writes capitals. A record with a number of another form is bad.
 */
export interface CoreAccountIdentification {
  /**
   * `sort-code`: six digits of sort code and eight of account number, joined. `card`: only the last four digits leave
   * the gateway.
   */
  readonly scheme: 'sort-code' | 'iban' | 'bban' | 'card';
  readonly identification: string;
  readonly name?: string;
  /** An alias that a payer may use in place of the number. */
  readonly proxy?: { readonly code: ProxyCode; readonly identification: string };
}

/** `ExternalProxyAccountType1Code` of ISO 20022, e.g. `TELE` for a telephone number, `EMAL` for an email address. */
// prettier-ignore
export const proxyCodes = [
  'TELE', 'EMAL', 'DNAM', 'CINC', 'COTX', 'COID', 'CUST', 'DRLC', 'EIDN', 'EWAL', 'PVTX',
  'LEIC', 'MBNO', 'NIDN', 'CCPT', 'SHID', 'SOSE', 'TOKN', 'UBIL', 'VIPN', 'BIID',
] as const;
export type ProxyCode = (typeof proxyCodes)[number];

/** The institution that keeps an account. Only TPPs with the Detail permission see it. */
export interface CoreAgent {
  /** A code of ISO 9362: 8 or 11 characters. */
  readonly bic: string;
  readonly name?: string;
  readonly lei?: Lei;
  readonly address?: CorePostalAddress;
}

export interface CorePostalAddress {
  readonly townName: string;
  /** A code of ISO 3166: two capital letters. */
  readonly country: string;
  readonly buildingName?: string;
  readonly buildingNumber?: string;
  readonly streetName?: string;
  readonly postCode?: string;
}

/** A party of a payment besides those whose accounts it moves. */
export interface CoreUltimateParty {
  readonly name: string;
  readonly lei?: Lei;
}
