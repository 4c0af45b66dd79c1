import { freeText } from './free-text.js';

export interface CreditorAccount {
  SchemeName: string;
  Identification: string;
  Name?: string;
}

const schemes = { 'sort-code': 'UK.OBIE.SortCodeAccountNumber', iban: 'UK.OBIE.IBAN', bban: 'UK.OBIE.BBAN' } as const;

/**
 * A payee's account, as scheduled payments, beneficiaries and standing orders show it. The number has its own field and is
 * not masked.
 */
export function creditorAccount(payee: {
  readonly scheme: keyof typeof schemes;
  readonly identification: string;
  readonly name?: string;
}): CreditorAccount {
  return {
    SchemeName: schemes[payee.scheme],
    Identification: payee.identification,
    Name: payee.name === undefined ? undefined : freeText(payee.name, 350) || undefined,
  };
}
