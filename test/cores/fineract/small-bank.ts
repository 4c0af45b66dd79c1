import type { DataTable, FineractModel, SavingsRow, TransactionRow } from './fineract.model.js';

/** The settings that fit {@link smallBank} and the stub as it starts. */
export const smallBankVariables = {
  CORE_TENANT: 'bank',
  CORE_TENANT_TIME_ZONE: 'Europe/London',
  CORE_USERNAME: 'gateway',
  CORE_PASSWORD: 'core-password',
  CORE_PRODUCTS: '1=CurrentAccount,2=Savings,3=hidden',
  CORE_IDENTIFIERS_TABLE: 'ob_identifiers',
  CORE_BENEFICIARIES_TABLE: 'ob_beneficiary',
} as const;

export function savings(over: Partial<SavingsRow> & Pick<SavingsRow, 'id' | 'clientId'>): SavingsRow {
  return { productId: 1, currency: 'GBP', balance: '100.000000', transactions: [], ...over };
}

export function transaction(over: Partial<TransactionRow> & Pick<TransactionRow, 'id'>): TransactionRow {
  return { type: 1, date: '2026-06-01', submittedOnDate: '2026-06-01', amount: '10.000000', ...over };
}

export const products = [
  { id: 1, name: 'Everyday Account', shortName: 'EVRY' },
  { id: 2, name: 'Rainy Day', shortName: 'RAIN' },
  { id: 3, name: 'Staff Account', shortName: 'STAF' },
] as const;

/** Two clients: 7 is a person with a current account, an empty savings account and two that are not offered; 8 is a firm. */
export function smallBank(): FineractModel {
  return {
    clients: [
      { id: 7, displayName: 'Zoë Ó Briain', legalForm: 1 },
      { id: 8, displayName: 'Kiln Ltd', legalForm: 2 },
    ],
    products: [...products],
    accounts: [
      savings({ id: 101, clientId: 7, allowOverdraft: true, overdraftLimit: '500.000000', balance: '1234.560000' }),
      savings({ id: 102, clientId: 7, productId: 2, balance: '0.000000' }),
      savings({ id: 103, clientId: 7, productId: 3 }),
      savings({ id: 104, clientId: 7, productId: 2, depositType: 200 }),
      savings({ id: 201, clientId: 8, onHold: '30.250000' }),
    ],
    instructions: [],
    tables: tablesOf(
      new Map([
        [101, [[101, '040004', '12345678', null]]],
        [201, [[201, '040004', '87654321', 'GB33BUKB20201555555555']]],
      ]),
      new Map([
        [
          101,
          [
            [1, 101, 'third-party', 'Bärbel "Babs" \\ Müller', '112233', '44556677', null],
            [2, 101, 'international', 'Marta', null, null, 'DE89370400440532013000'],
          ],
        ],
      ]),
    ),
  };
}

type Rows = DataTable['rows'];

/** The data tables by their names, with these rows of each account. */
export const tablesOf = (identifiers: Rows, beneficiaries: Rows): FineractModel['tables'] =>
  new Map([
    ['ob_identifiers', { columns: ['savings_account_id', 'sort_code', 'account_number', 'iban'], rows: identifiers }],
    [
      'ob_beneficiary',
      {
        columns: ['id', 'savings_account_id', 'kind', 'name', 'sort_code', 'account_number', 'iban'],
        rows: beneficiaries,
      },
    ],
  ]);
