import type { AdapterUnderTest } from '../../../packages/adapter-kit/adapter-under-test.js';
import { makeIssuerKeys } from '../../../sandbox/bank/issuer.js';
import { startSandboxBank } from '../../../sandbox/bank/sandbox-bank.js';
import { createAdapter } from '../../../src/core-banking/adapters/ledger/ledger.adapter.js';
import { changing, knowing } from '../changing-people.js';
import { given, ledgerPeople, personasOf } from './ledger.people.js';

const nowMs = Date.parse('2026-11-20T14:30:17.250Z');
const issuerKeys = makeIssuerKeys();

/** The sandbox bank in this process, with the people of the kit. */
export const kit: AdapterUnderTest = {
  core: async () => {
    const bank = await startSandboxBank({
      port: 0,
      credential: 'staff',
      issuerKeys: await issuerKeys,
      clock: { nowMs: () => nowMs },
      makePersonas: () => personasOf(ledgerPeople),
    });
    return {
      url: bank.coreUrl,
      ...changing(ledgerPeople, (people) => Promise.resolve(bank.fill(personasOf(people)))),
      fill: (customers) => Promise.resolve(bank.fill(personasOf(given(customers)))),
      close: () => bank.close(),
    };
  },
  create: createAdapter,
  ...knowing(ledgerPeople),
  codes: {
    accounts: { permitted: 'status', product: 'prod', holder: 'segment' },
    balances: { kind: 'fig', sign: [] },
    transactions: { status: 'state', sign: 'side' },
    scheduledPayments: { type: 'how', 'creditor.scheme': 'payee.form', shown: 'reach' },
    beneficiaries: { kind: 'sort', 'creditor.scheme': 'payee.form' },
    statements: { type: 'kind', sign: [] },
    directDebits: { status: 'status' },
    standingOrders: { status: 'status', frequency: 'rule', 'creditor.scheme': 'payee.form', shown: 'reach' },
    product: { type: 'family' },
  },
  without: {
    'CORE-01': 'the ledger has no settings: CORE_URL and CORE_CONNECTIONS are the gateway’s',
    'CORE-82': 'the ledger sends no error under status 200',
  },
};
