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
  return cardLastFour === undefined ? [] : [{ SchemeName: 'UK.OBIE.PAN', Identification: maskedCard(cardLastFour) }];
}

function numbersOf({ sortCode, accountNumber, iban }: CoreAccount): Identifications {
  // The standard's forms, which no card number has.
  if (
    !/^(\d{6})?$/.test(sortCode ?? '') ||
    !/^(\d{8})?$/.test(accountNumber ?? '') ||
    !/^([A-Z]{2}\d{2}[A-Z0-9]{11,30})?$/.test(iban ?? '')
  )
    throw new RangeError('a sort code, account number or IBAN is not of its form');
  return [
    ...(sortCode !== undefined && accountNumber !== undefined
      ? [{ SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: sortCode + accountNumber }]
      : []),
    ...(iban === undefined ? [] : [{ SchemeName: 'UK.OBIE.IBAN', Identification: iban }]),
  ];
}
