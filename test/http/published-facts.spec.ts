import { afterEach, describe, expect, it } from '@jest/globals';
import { Stack, type Json } from '../support/stack.js';
import { withReads } from '../support/wrapped-adapter.js';

describe('the published facts of the gateway', () => {
  let stack: Stack;
  afterEach(() => stack.close());
  const facts = async (): Promise<Json> => {
    const { statusCode, headers, body } = await stack.gateway.server.inject('/.well-known/account-information');
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers['x-fapi-interaction-id']).toEqual(expect.any(String));
    return JSON.parse(body);
  };

  it('contain, without a token, every product’s endpoints, the window, the pages and the core’s history', async () => {
    stack = await Stack.start({ profile: 'profile-1' });
    const common = ['accounts', 'balances', 'transactions', 'party'];
    const endpoints = [...common, 'offers', 'scheduled-payments', 'beneficiaries', 'statements'];
    expect(await facts()).toEqual({
      Status: 'OK',
      StatusSinceDateTime: '2026-06-15T12:00:00+00:00',
      PlannedOutages: [],
      Versions: [
        {
          Name: 'v3.1',
          Release: '3.1.11',
          BaseUrl: 'https://gateway.example/open-banking/v3.1/aisp',
          FundsBaseUrl: 'https://gateway.example/open-banking/v3.1/cbpii',
          Document: 'https://gateway.example/openapi.json',
          Endpoints: endpoints,
        },
        {
          Name: 'v4.0',
          Release: '4.0.1',
          BaseUrl: 'https://gateway.example/open-banking/v4.0/aisp',
          FundsBaseUrl: 'https://gateway.example/open-banking/v4.0/cbpii',
          Document: 'https://gateway.example/openapi-v4.0.json',
          Endpoints: endpoints,
        },
      ],
      Profile: 'profile-1',
      Products: {
        CurrentAccount: ['party'],
        Savings: [...common, 'scheduled-payments', 'beneficiaries'],
        CreditCard: [...common, 'offers', 'statements'],
        RewardsPayPlus: [...common, 'scheduled-payments', 'beneficiaries'],
        RoundUp: common,
      },
      RefusedPermissions: ['ReadPAN'],
      ConsentHistory: { DatesInFuture: 'Refused', AbsentDates: 'OpenEnded' },
      AuthenticationWindow: {
        Seconds: 300,
        ExemptEndpoints: ['accounts', 'balances'],
        ExemptInRecentHistory: ['transactions'],
        RecentHistoryDays: 90,
      },
      Transactions: { PageSize: 1_000, Pending: true, PendingKeepsTransactionId: true },
      RateLimits: {
        CountedBy: 'EachProcess',
        Requests: { PerSecond: 1_000_000, Burst: 1_000_000 },
        Consents: { PerSecond: 1_000_000, Burst: 1_000_000 },
      },
      Events: {
        Issuer: 'https://gateway.example',
        KeysUrl: 'https://gateway.example/.well-known/account-information/keys',
        MaxEvents: 100,
        LongPollSeconds: 20,
        WaitingPolls: { CountedBy: 'EachProcess', Limit: 5 },
        RetentionDays: 90,
      },
      UnattendedAccess: { CountedBy: 'AllProcesses', Mode: 'observe', Limit: 4, PeriodHours: 24 },
      FundsConfirmation: {
        Overdraft: 'DoesNotCount',
        AccountName: 'MustBeTheSame',
        SchemeNames: ['UK.OBIE.SortCodeAccountNumber', 'UK.OBIE.IBAN'],
      },
    });
  });

  it('say nothing of confirmation of funds where the bank does not offer it', async () => {
    stack = await Stack.start({ rules: {} });
    const { FundsConfirmation, Versions } = await facts();
    expect([FundsConfirmation, ...Versions.map((version: object) => 'FundsBaseUrl' in version)]).toEqual([
      undefined,
      false,
      false,
    ]);
  });

  it('follow the profile and the declaration of the core’s adapter', async () => {
    stack = await Stack.start({
      rules: { authenticationWindowSeconds: 60, exemptHistoryDays: 30, pageSize: 25, versions: ['v4.0'] },
      adapter: (ledger) => withReads(ledger, { pending: 'none', maxTransactionHistory: 'P7Y' }),
    });
    expect(await facts()).toMatchObject({
      Versions: [{ Name: 'v4.0' }],
      Profile: 'profile-2',
      AuthenticationWindow: { Seconds: 60, RecentHistoryDays: 30 },
      Transactions: { PageSize: 25, MaxTransactionHistory: 'P7Y', Pending: false },
    });
    expect((await facts()).Transactions).not.toHaveProperty('PendingKeepsTransactionId');
  });
});
