import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import { isCurrency } from '../../../packages/core-adapter/currencies.js';
import { freeText, maskedCard } from '../../open-banking/free-text.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import type { Account } from './account.schema.js';

export type AccountView = Pick<ResourceView, 'accountId' | 'detail'> & {
  readonly settings: Pick<ResourceView['settings'], 'accountSubTypes'>;
};

const descriptionLength = 35;

export function toAccount(account: CoreAccount, view: AccountView): Account {
  if (!isCurrency(account.currency)) throw new RangeError('the account has no ISO 4217 currency');
  const identifications = view.detail ? identificationsOf(account) : [];
  return {
    AccountId: view.accountId,
    Currency: account.currency,
    AccountType: account.holder === 'business' ? 'Business' : 'Personal',
    AccountSubType: view.settings.accountSubTypes[account.product],
    Description: freeText(account.description ?? '', descriptionLength) || undefined,
    Account: identifications.length > 0 ? identifications : undefined,
  };
}

/** docs/specification.md, "Accounts": a card shows its last four digits, every other product its account number and IBAN. */
function identificationsOf(account: CoreAccount): NonNullable<Account['Account']> {
  if (account.product === 'CreditCard')
    return account.cardLastFour === undefined
      ? []
      : [{ SchemeName: 'UK.OBIE.PAN', Identification: maskedCard(account.cardLastFour) }];
  const { sortCode, accountNumber, iban } = account;
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
