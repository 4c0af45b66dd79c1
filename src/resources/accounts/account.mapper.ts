import { iban, sortCodeAccountNumber } from '../../../packages/core-adapter/account-numbers.js';
import { optionalCode, optionalField, RowFault } from '../../../packages/core-adapter/core-rows.js';
import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import { lei } from '../../../packages/core-adapter/identifiers.js';
import { isCurrency } from '../../../packages/core-adapter/currencies.js';
import { freeText, maskedCard } from '../../open-banking/free-text.js';
import type { ResourceView } from '../../endpoint/presentation.js';

export type AccountView = Pick<ResourceView, 'accountId' | 'detail'> & {
  readonly product: Pick<ResourceView['product'], 'kind' | 'holder' | 'identifiedBy'>;
};

/** `SchemeName` is the same word in every version. */
export interface AccountNumber {
  readonly SchemeName: string;
  readonly Identification: string;
}

const descriptionLength = 35;

export type AccountFields = Readonly<ReturnType<typeof accountFields>>;

export function accountFields(account: CoreAccount, view: AccountView) {
  if (!isCurrency(account.currency)) throw new RangeError('the account has no ISO 4217 currency');
  const { kind, holder = account.holder, identifiedBy } = view.product;
  const numbers = !view.detail ? [] : identifiedBy === 'card' ? cardOf(account) : numbersOf(account);
  return {
    accountId: view.accountId,
    currency: account.currency,
    kind,
    holder,
    description: freeText(account.description ?? '', descriptionLength) || undefined,
    /** Only with Detail. */
    numbers: numbers.length > 0 ? numbers : undefined,
    /** The holder's; only with Detail. */
    lei: view.detail ? optionalCode('lei', account.lei, lei) : undefined,
  };
}

function cardOf({ cardLastFour }: CoreAccount): AccountNumber[] {
  if (cardLastFour === undefined) return [];
  const number = optionalField('cardLastFour', () => maskedCard(cardLastFour));
  return number === undefined ? [] : [{ SchemeName: 'UK.OBIE.PAN', Identification: number }];
}

function numbersOf(account: CoreAccount): AccountNumber[] {
  const sortCode = optionalField('sortCode', () => sortCodeOf(account));
  const iban = optionalField('iban', () => ibanOf(account));
  return [
    ...(sortCode === undefined ? [] : [{ SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: sortCode }]),
    ...(iban === undefined ? [] : [{ SchemeName: 'UK.OBIE.IBAN', Identification: iban }]),
  ];
}

function sortCodeOf({ sortCode, accountNumber }: CoreAccount): string | undefined {
  if (sortCode === undefined && accountNumber === undefined) return undefined;
  const number = sortCodeAccountNumber(sortCode ?? '', accountNumber ?? '');
  if (number === undefined) throw new RowFault('sortCode', 'not a sort code that fits its accountNumber');
  return number;
}

function ibanOf({ iban: text }: CoreAccount): string | undefined {
  if (text === undefined) return undefined;
  const number = iban(text);
  if (number === undefined) throw new RowFault('iban', 'not an IBAN');
  return number;
}
