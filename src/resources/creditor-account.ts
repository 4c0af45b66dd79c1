import { payeeNumber } from '../../packages/core-adapter/account-numbers.js';
import { RowFault } from '../../packages/core-adapter/core-rows.js';
import { freeText, maskedCard } from '../open-banking/free-text.js';

export interface CreditorAccount {
  SchemeName: string;
  Identification: string;
  Name?: string;
}

const schemes = {
  'sort-code': 'UK.OBIE.SortCodeAccountNumber',
  iban: 'UK.OBIE.IBAN',
  bban: 'UK.OBIE.BBAN',
  card: 'UK.OBIE.PAN',
} as const;

/**
 * A payee's account, as scheduled payments, beneficiaries and standing orders show it. A card's number is masked; that of an
 * account has its own field and is not.
 *
 * @throws RowFault where the number is not of its scheme: the standard wants one, and another number names another account
 */
export function creditorAccount(payee: {
  readonly scheme: keyof typeof schemes;
  readonly identification: string;
  readonly name?: string;
}): CreditorAccount {
  const number = payeeNumber(payee.scheme, payee.identification);
  if (number === undefined) throw new RowFault('creditor.identification', 'not a number of its scheme');
  return {
    SchemeName: schemes[payee.scheme],
    Identification: payee.scheme === 'card' ? maskedCard(number) : number,
    Name: payee.name === undefined ? undefined : freeText(payee.name, 350) || undefined,
  };
}
