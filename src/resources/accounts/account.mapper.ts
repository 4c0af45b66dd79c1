import { iban, sortCodeAccountNumber } from '../../../packages/core-adapter/account-numbers.js';
import { optionalField, RowFault } from '../../../packages/core-adapter/core-rows.js';
import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import { isCurrency } from '../../../packages/core-adapter/currencies.js';
import { freeText, maskedCard } from '../../open-banking/free-text.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import type { Account } from './account.schema.js';

export type AccountView = Pick<ResourceView, 'accountId' | 'detail'> & {
  readonly product: Pick<ResourceView['product'], 'accountType' | 'accountSubType' | 'identifiedBy'>;
};

const descriptionLength = 35;

export function toAccount(account: CoreAccount, view: AccountView): Account {
  if (!isCurrency(account.currency)) throw new RangeError('the account has no ISO 4217 currency');
  const { accountType, accountSubType, identifiedBy } = view.product;
  const identifications = !view.detail ? [] : identifiedBy === 'card' ? cardOf(account) : numbersOf(account);
  return {
    AccountId: view.accountId,
    Currency: account.currency,
    AccountType: accountType ?? (account.holder === 'business' ? 'Business' : 'Personal'),
    AccountSubType: accountSubType,
    Description: freeText(account.description ?? '', descriptionLength) || undefined,
    Account: identifications.length > 0 ? identifications : undefined,
  };
}

type Identifications = NonNullable<Account['Account']>;

function cardOf({ cardLastFour }: CoreAccount): Identifications {
  if (cardLastFour === undefined) return [];
  const number = optionalField('cardLastFour', () => maskedCard(cardLastFour));
  return number === undefined ? [] : [{ SchemeName: 'UK.OBIE.PAN', Identification: number }];
}

function numbersOf(account: CoreAccount): Identifications {
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
  if (number === undefined) throw new RowFault('sortCode', 'not one with its accountNumber');
  return number;
}

function ibanOf({ iban: text }: CoreAccount): string | undefined {
  if (text === undefined) return undefined;
  const number = iban(text);
  if (number === undefined) throw new RowFault('iban', 'not one');
  return number;
}
