import type { CoreAccount } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { partOf, wordOf } from '../../../../packages/core-adapter/row-fields.js';
import { currencyCode, key, optionalEnumId, optionalRow, optionalText, integerOf } from './fineract.fields.js';
import { type FineractSettings, hidden } from './fineract.settings.js';
import { toIdentifiers } from './identifiers.records.js';

type AccountRules = Pick<FineractSettings, 'products' | 'dormantPermitted'>;
type Holder = CoreAccount['holder'];

/** `legalForm`: 1 is a person, 2 an entity. Fineract treats a client without it as a person. */
export function holderOf(client: Row): Holder {
  if (optionalRow(client.legalForm, 'legalForm') === undefined) return 'personal';
  return partOf(client, 'legalForm', (form) => wordOf(form, 'id', { 1: 'personal', 2: 'business' }));
}

/** Deposit accounts that are not savings accounts (fixed, recurring) stand in the same list but have other paths. */
const savingsDeposit = 100;

/** Whether an account of a client's list is one that the gateway offers; the list also has other kinds of deposit. */
export function offeredProduct(row: Row, productId: unknown, rules: AccountRules): string | undefined {
  if ((optionalEnumId(row.depositType, 'depositType') ?? savingsDeposit) !== savingsDeposit) return undefined;
  const offered = rules.products.get(integerOf(productId, 'productId'));
  if (offered === undefined) throw new RowFault('productId', 'not in CORE_PRODUCTS');
  return offered === hidden ? undefined : offered;
}

export interface AccountParts {
  readonly product: string;
  readonly holder: Holder;
  /** The account's row of the identifiers' data table, if it exists. */
  readonly identifiers?: Row | undefined;
  readonly rules: AccountRules;
}

/** An account of a client's list, or alone: the two name their product differently. */
export function toAccount(row: Row, { product, holder, identifiers, rules }: AccountParts): CoreAccount {
  return {
    ref: key(row.id, 'id'),
    product,
    currency: currencyCode(row),
    description: optionalField('description', () =>
      optionalText(row.productName ?? row.savingsProductName, 'productName'),
    ),
    permitted: isPermitted(row, rules.dormantPermitted),
    holder,
    ...toIdentifiers(identifiers),
  };
}

/** Whether an account in each state of `SavingsAccountStatusType` is open: an account that moves between branches is. */
const openStates: Readonly<Record<string, boolean>> = {
  100: false,
  200: false,
  300: true,
  303: true,
  304: true,
  400: false,
  500: false,
  600: false,
  700: false,
  800: false,
};

/** Whether each state of `SavingsAccountSubStatusEnum` permits: a block of credits or debits alone (500, 600) hides nothing. */
const openSubStates = { 0: true, 100: true, 200: 'dormant', 300: false, 400: false, 500: true, 600: true } as const;

function isPermitted(row: Row, dormantPermitted: boolean): boolean {
  const isOpen = partOf(row, 'status', (status) => wordOf(status, 'id', openStates));
  const sub =
    optionalRow(row.subStatus, 'subStatus') === undefined ||
    partOf(row, 'subStatus', (status) => wordOf(status, 'id', openSubStates));
  return isOpen && (sub === 'dormant' ? dormantPermitted : sub);
}
