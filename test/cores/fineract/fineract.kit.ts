import { FineractStub } from './fineract-stub.js';
import type { FineractModel } from './fineract.model.js';
import { kitBank, kitProducts } from './kit-bank.js';
import { savings, smallBankVariables } from './small-bank.js';
import type { AdapterUnderTest } from '../../../packages/adapter-kit/adapter-under-test.js';
import { isRow } from '../../../packages/core-adapter/core-rows.js';
import { createAdapter } from '../../../src/core-banking/adapters/fineract/fineract.adapter.js';
import { truthOf } from './fineract.truth.js';

const nowMs = Date.parse('2026-11-20T14:30:17.000Z');
let model: FineractModel;

/** Fineract's stub in this process, with the bank of kit-bank.ts. */
export const kit: AdapterUnderTest = {
  core: async () => {
    model = kitBank(nowMs);
    const stub = await FineractStub.start({ model, clock: { nowMs: () => nowMs } });
    let booked = 0;
    return {
      url: stub.url,
      variables: { ...smallBankVariables, CORE_PRODUCTS: kitProducts },
      change: (what, _, accountRef) => {
        const account = model.accounts.find(({ id }) => `${id}` === accountRef);
        if (account && what === 'access') account.subStatus = 400;
        if (account && what === 'balance') account.balance = '1.000000';
        return Promise.resolve();
      },
      book: (_, accountRef) => {
        const account = model.accounts.find(({ id }) => `${id}` === accountRef);
        const today = new Date(nowMs).toISOString().slice(0, 10);
        account?.transactions.push({
          id: 9_000_000 + ++booked,
          type: 1,
          date: '2020-01-01',
          submittedOnDate: today,
          amount: '1.000000',
          notes: ['BOOKED', 'MEANWHILE'],
        });
        return Promise.resolve();
      },
      open: (customerRef, count) => {
        for (let index = 0; index < count; index++)
          model.accounts.push(savings({ id: 5000 + index, clientId: Number(customerRef) }));
        return Promise.resolve();
      },
      close: () => stub.close(),
    };
  },
  create: createAdapter,
  personas: () =>
    model.clients.map(({ id: clientId }) => ({
      customerRef: `${clientId}`,
      accountRefs: model.accounts
        .filter((account) => account.clientId === clientId && account.productId !== 3)
        .map(({ id }) => `${id}`),
    })),
  truth: (_, accountRef) => {
    const account = model.accounts.find(({ id }) => `${id}` === accountRef);
    if (account === undefined) throw new Error(`there is no account ${accountRef}`);
    return truthOf({ model, products: kitProducts, now: new Date(nowMs) }, account);
  },
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
