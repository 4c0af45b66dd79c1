import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { profile as profile2 } from '../../src/profiles/profile-2.js';
import { helpUrl } from '../support/error-shape.js';
import { allPermissions, Stack } from '../support/stack.js';
import { withEndpoint } from '../support/with-endpoint.js';

/** Each resource that has both: its name in codes and paths, an account with all its members, and these members. */
const resources = [
  {
    name: 'Accounts',
    path: '',
    product: 'CurrentAccount',
    collection: 'Account',
    basic: ['AccountId', 'Currency', 'AccountType', 'AccountSubType', 'Description'],
    detail: ['Account'],
  },
  {
    name: 'Transactions',
    path: '/transactions?fromBookingDateTime=2026-05-15&toBookingDateTime=2026-05-15',
    product: 'CurrentAccount',
    collection: 'Transaction',
    basic: [
      'AccountId',
      'TransactionId',
      'CreditDebitIndicator',
      'Status',
      'BookingDateTime',
      'Amount',
      'CurrencyExchange',
    ],
    detail: ['TransactionInformation', 'Balance'],
  },
  {
    name: 'Beneficiaries',
    path: '/beneficiaries',
    product: 'CurrentAccount',
    collection: 'Beneficiary',
    basic: ['AccountId', 'BeneficiaryId'],
    detail: ['CreditorAccount'],
  },
  {
    name: 'ScheduledPayments',
    path: '/scheduled-payments',
    product: 'CurrentAccount',
    collection: 'ScheduledPayment',
    basic: [
      'AccountId',
      'ScheduledPaymentId',
      'ScheduledPaymentDateTime',
      'ScheduledType',
      'Reference',
      'InstructedAmount',
    ],
    detail: ['CreditorAccount'],
  },
  {
    name: 'StandingOrders',
    path: '/standing-orders',
    product: 'CurrentAccount',
    collection: 'StandingOrder',
    basic: [
      'AccountId',
      'StandingOrderId',
      'Frequency',
      'Reference',
      'FirstPaymentDateTime',
      'NextPaymentDateTime',
      'FinalPaymentDateTime',
      'StandingOrderStatusCode',
      'NextPaymentAmount',
    ],
    detail: ['CreditorAccount'],
  },
  {
    name: 'Statements',
    path: '/statements',
    product: 'CreditCard',
    collection: 'Statement',
    basic: ['AccountId', 'Type', 'StartDateTime', 'EndDateTime', 'CreationDateTime', 'StatementDateTime'],
    detail: ['StatementAmount'],
  },
];

describe('Basic and Detail codes', () => {
  let stack: Stack;
  beforeAll(async () => {
    const products = withEndpoint(profile2, 'statements', ['CreditCard']);
    stack = await Stack.start({ profileSettings: { ...products, refusedPermissions: ['ReadPAN'] } });
  });
  afterAll(() => stack.close());

  describe.each(resources)('of $name', ({ name, path, product, collection, basic, detail }) => {
    const codes = [`Read${name}Basic`, `Read${name}Detail`];
    const members = async (...held: string[]): Promise<string[][]> => {
      const others = allPermissions('profile-1').filter((code) => !codes.includes(code));
      const customer = await stack.consent({ persona: 'complete', permissions: [...others, ...held] });
      const found: string[][] = [];
      const single = `/accounts/${customer.accountId(product)}${path}`;
      for (const asked of name === 'Accounts' ? [single, '/accounts'] : [single]) {
        const { status, json } = await stack.ask(asked, { token: customer.token });
        expect([asked, status]).toEqual([asked, 200]);
        expect(json.Data[collection].length).toBeGreaterThan(0);
        for (const item of json.Data[collection]) {
          found.push(Object.keys(item as object).sort());
        }
      }
      return found;
    };
    const all = [...basic, ...detail].sort();

    it('withhold with Basic alone exactly the members that only Detail releases', async () => {
      for (const keys of await members(`Read${name}Basic`)) expect(keys).toEqual([...basic].sort());
    });

    it('show all members with Detail alone', async () => {
      for (const keys of await members(`Read${name}Detail`)) expect(keys).toEqual(all);
    });

    it('show all members when the consent holds both', async () => {
      for (const keys of await members(`Read${name}Basic`, `Read${name}Detail`)) expect(keys).toEqual(all);
    });

    it('are named in the refusal when the consent holds neither', async () => {
      if (name === 'Accounts') return;
      const others = allPermissions('profile-1').filter((code) => !code.startsWith(`Read${name}`));
      const customer = await stack.consent({ persona: 'complete', permissions: others });
      const { status, json } = await stack.ask(`/accounts/${customer.accountId(product)}${path}`, {
        token: customer.token,
      });
      expect([status, json.Errors]).toEqual([
        403,
        [
          {
            ErrorCode: 'UK.AIG.Consent.PermissionMissing',
            Message: expect.stringContaining(codes.join(' or ')),
            Path: 'Data.Permissions',
            Url: helpUrl,
          },
        ],
      ]);
    });
  });
});
