import type { PermissionCluster } from './customer-pages.js';
import type { Permission } from '../../open-banking/permissions.js';

/** What the customer calls each cluster: the words of the Customer Experience Guidelines, "Permissions & Data Clusters". */
const titles: Readonly<Record<PermissionCluster['name'], string>> = {
  'account-details': 'Your account details',
  'regular-payments': 'Your regular payments',
  transactions: 'Your account transactions',
  statements: 'Your statements',
  'features-and-benefits': 'Your account features and benefits',
  'contact-details': 'Your contact details',
};

/**
 * What each code lets the TPP see. Where a code has a Basic and a Detail form the difference is said: it is the fields
 * that only Detail releases (standard, "Detail Permissions").
 */
const words: Readonly<Record<Exclude<Permission, TransactionPermission>, string>> = {
  ReadAccountsBasic: 'The type, currency and description of each account, without its number',
  ReadAccountsDetail:
    'The type, currency and description of each account, with its sort code, account number and IBAN, or the last digits of a card',
  ReadBalances: 'Your balances, with any arranged overdraft or credit limit',
  ReadPAN: 'Your full card number',
  ReadBeneficiariesBasic: 'The references of your saved payees, without their names and account numbers',
  ReadBeneficiariesDetail: 'Your saved payees, with their names, account numbers and references',
  ReadStandingOrdersBasic: 'Your standing orders: amounts, dates and references, without who is paid',
  ReadStandingOrdersDetail: 'Your standing orders: amounts, dates, references, and the name and account of who is paid',
  ReadDirectDebits: 'Your Direct Debits: who collects them, and the last payment of each',
  ReadScheduledPaymentsBasic: 'Payments you have set up for a later date: amounts and dates, without who is paid',
  ReadScheduledPaymentsDetail:
    'Payments you have set up for a later date: amounts, dates, and the name and account of who is paid',
  ReadStatementsBasic: 'The dates and kinds of your statements, without amounts',
  ReadStatementsDetail: 'Your statements, with the amounts in them, such as balances, fees and interest',
  ReadProducts: 'Your account’s fees, charges, interest and rewards',
  ReadOffers: 'Offers that we make you on your account',
  ReadParty: 'The account holder’s full name, and the address, phone numbers and email address that we hold',
  ReadPartyPSU: 'Your own full name, and the address, phone numbers and email address that we hold',
};

const transactionPermissions = [
  'ReadTransactionsBasic',
  'ReadTransactionsDetail',
  'ReadTransactionsCredits',
  'ReadTransactionsDebits',
] as const;
type TransactionPermission = (typeof transactionPermissions)[number];

export function clusterTitle(cluster: PermissionCluster): string {
  return titles[cluster.name];
}

/** One line for each thing that is asked for, in the order of the cluster. */
export function clusterLines({ permissions }: PermissionCluster): string[] {
  const others = permissions.filter((code) => !isTransactionPermission(code));
  return [...others.map((code) => words[code]), ...transactionLines(permissions)];
}

/** Level (Basic or Detail) and direction (Credits, Debits) mean something only together. */
function transactionLines(permissions: readonly Permission[]): string[] {
  if (!permissions.some(isTransactionPermission)) return [];
  const [incoming, outgoing] = [
    permissions.includes('ReadTransactionsCredits'),
    permissions.includes('ReadTransactionsDebits'),
  ];
  const direction =
    incoming && outgoing
      ? 'Money paid into and out of your accounts'
      : incoming
        ? 'Money paid into your accounts, but not money paid out'
        : 'Money paid out of your accounts, but not money paid in';
  return [
    permissions.includes('ReadTransactionsDetail')
      ? `${direction}: dates, amounts, descriptions, who it came from or went to, and your balance after it`
      : `${direction}: dates and amounts, without descriptions or who it came from or went to`,
  ];
}

function isTransactionPermission(code: Permission): code is TransactionPermission {
  return (transactionPermissions as readonly Permission[]).includes(code);
}
