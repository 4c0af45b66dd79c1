import { FineractStub } from './fineract-stub.js';
import { bankOf, fineractPeople, now, truthOf } from './fineract.people.js';
import { smallBankVariables } from './small-bank.js';
import { changing, knowing } from '../changing-people.js';
import type { AdapterUnderTest } from '../../../packages/adapter-kit/adapter-under-test.js';
import { isRow } from '../../../packages/core-adapter/core-rows.js';
import { createAdapter } from '../../../src/core-banking/adapters/fineract/fineract.adapter.js';

/** Fineract's stub in this process, with the people of the kit. */
export const kit: AdapterUnderTest = {
  core: async () => {
    const model = bankOf(fineractPeople);
    const stub = await FineractStub.start({ model, clock: { nowMs: () => now.getTime() } });
    return {
      url: stub.url,
      variables: smallBankVariables,
      ...changing(fineractPeople, (people) => Promise.resolve(void Object.assign(model, bankOf(people)))),
      close: () => stub.close(),
    };
  },
  create: createAdapter,
  ...knowing(
    new Map([...fineractPeople].map(([ref, accounts]) => [ref, accounts.map((truth) => truthOf(ref, truth))])),
  ),
  badSettings: {
    CORE_TENANT: [undefined, '', 'two tenants'],
    CORE_TENANT_TIME_ZONE: [undefined, 'Asia/Colombo'],
    CORE_USERNAME: [undefined, 'user:name'],
    CORE_PASSWORD: [undefined],
    CORE_PRODUCTS: [undefined, '1=', '1=Savings,1=Savings'],
    CORE_DORMANT: ['perhaps'],
    CORE_CA_FILE: ['/nowhere/ca.pem'],
    CORE_CERT_FILE: ['/nowhere/gateway.pem'],
    CORE_KEY_FILE: ['/nowhere/gateway.key'],
    CORE_IDENTIFIERS_TABLE: ['../m_appuser'],
    CORE_BENEFICIARIES_TABLE: ['m_client;drop'],
  },
  codes: {
    accounts: { permitted: ['status.id', 'subStatus.id'], product: [], holder: 'legalForm.id' },
    balances: { kind: [], sign: [] },
    transactions: { status: [], sign: ['transactionType.id', 'entryType'] },
    beneficiaries: { kind: 'row.2', 'creditor.scheme': [] },
    standingOrders: { status: 'status.id', frequency: 'recurrenceFrequency.id', 'creditor.scheme': [] },
    product: { type: [] },
  },
  faults: {
    // A data table's answer lists its columns, too, and every account is followed by the table of its numbers.
    records: (read, answer) => {
      const list = !isRow(answer)
        ? undefined
        : {
            accounts: answer.savingsAccounts,
            transactions: answer.content,
            standingOrders: answer.pageItems,
            beneficiaries: answer.data,
          }[read as string];
      return Array.isArray(list) ? list : [];
    },
  },
  without: {
    'CORE-26': 'Fineract dates transactions by days, which have no hour that could be wrong',
    'CORE-28': 'a tenant in another zone than London is refused by CORE_TENANT_TIME_ZONE',
    'CORE-39': 'standing instructions pay accounts of the same Fineract, so all are domestic',
    'CORE-41': 'Fineract has no cards',
    'CORE-56': 'an account of Fineract has one client',
    'CORE-82': 'Fineract sends no error under status 200',
    'CORE-80': 'Fineract leaves a limit of zero out',
  },
};
