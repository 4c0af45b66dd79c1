import { creditTypes, debitTypes, holdType } from '../../src/core-banking/adapters/fineract/transactions.records.js';
import { productsSetting } from '../cores/fineract/load-personas.js';
import { smallBankVariables } from '../cores/fineract/small-bank.js';
import { histories, holders, largeBank, type LargeBankCustomer } from './large-bank.js';
import { day, ledgerSearch, windows, type Window } from './windows.js';

export const reads = ['balances', '100 transactions'] as const;
export type Read = (typeof reads)[number];

/** The adapter's requests for one read: the paths of a group at once, the groups one after the other. */
export type CoreCalls = readonly (readonly string[])[];

/** A core, the gateway's settings for it, and the requests of its adapter. */
export interface BenchCore {
  readonly adapter: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly settings: NodeJS.ProcessEnv;
  readonly calls: Readonly<Record<Read, readonly CoreCalls[]>>;
}

const history = histories[5_000];

export function ledgerCore(url: string): BenchCore {
  const base = ({ customer, account }: LargeBankCustomer): string => `/clients/${customer}/accts/${account}`;
  return {
    adapter: 'ledger',
    url,
    headers: {},
    settings: {},
    calls: {
      balances: holders.map((holder) => [[`${base(holder)}/figures`]]),
      '100 transactions': windows.map((window) => [[`${base(history)}/entries?${ledgerSearch(window)}`]]),
    },
  };
}

export function fineractCore(url: string): BenchCore {
  const { CORE_USERNAME: user, CORE_PASSWORD: password, CORE_TENANT: tenant } = smallBankVariables;
  const account = ({ customer, account: id }: LargeBankCustomer): CoreCalls => [
    [`/v1/savingsaccounts/${id}`, `/v1/clients/${customer}`],
    [`/v1/datatables/ob_identifiers/${id}?genericResultSet=true`],
  ];
  const search = (window: Window): string =>
    `/v1/savingsaccounts/${history.account}/transactions/search?${days(window)}`;
  return {
    adapter: 'fineract',
    url,
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      'fineract-platform-tenantid': tenant,
    },
    settings: {
      ...smallBankVariables,
      CORE: 'fineract',
      CORE_URL: url,
      CORE_PRODUCTS: productsSetting(largeBank(Date.now())),
      PROFILE: 'profile-fineract',
    },
    calls: {
      balances: holders.map(account),
      '100 transactions': windows.map((window) => [...account(history), [search(window)]]),
    },
  };
}

const days = ({ first, last }: Window): string =>
  `types=${[...creditTypes, ...debitTypes, holdType].join(',')}&fromSubmittedDate=${day(first)}&toSubmittedDate=${day(last)}` +
  '&dateFormat=yyyy-MM-dd&locale=en&orderBy=submittedOnDate,id&sortOrder=DESC&limit=1026&offset=0';
