import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CoreItems } from '../../packages/core-adapter/core.adapter.js';
import type { CoreBalance } from '../../packages/core-adapter/core.records.js';
import { helpUrl } from '../support/error-shape.js';
import { Stack, type Answer, type Json } from '../support/stack.js';
import { withReads } from '../support/wrapped-adapter.js';

type Line = [indicator: string, type: string, amount: string];
type CreditLine = [included: boolean, type: string, amount: string];

/** The balances of one account, in short. */
async function balances(stack: Stack, persona: string, ref: string): Promise<(Line | [...Line, CreditLine[]])[]> {
  const customer = await stack.consent({ persona });
  const { status, json } = await stack.ask(`/accounts/${customer.accountId(ref)}/balances`, { token: customer.token });
  expect(status).toBe(200);
  return json.Data.Balance.map((balance: Json) => [
    balance.CreditDebitIndicator,
    balance.Type,
    balance.Amount.Amount,
    ...('CreditLine' in balance
      ? [balance.CreditLine.map((line: Json) => [line.Included, line.Type, line.Amount.Amount])]
      : []),
  ]);
}

describe('balances', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());

  it('are complete records with the account’s id, and a CreditLine on a current account with an overdraft', async () => {
    const customer = await stack.consent({ persona: 'complete' });
    const AccountId = customer.accountId('CurrentAccount');
    const { json } = await stack.ask(`/accounts/${AccountId}/balances`, { token: customer.token });
    const DateTime = '2026-06-15T12:00:00+00:00';
    const gbp = (amount: string): unknown => ({ Amount: amount, Currency: 'GBP' });
    expect(json).toEqual({
      Data: {
        Balance: [
          { AccountId, CreditDebitIndicator: 'Credit', Type: 'InterimBooked', DateTime, Amount: gbp('1843.27') },
          {
            AccountId,
            CreditDebitIndicator: 'Credit',
            Type: 'InterimAvailable',
            DateTime,
            Amount: gbp('1696.47'),
            CreditLine: [
              { Included: false, Type: 'Pre-Agreed', Amount: gbp('500.00') },
              { Included: false, Type: 'Available', Amount: gbp('500.00') },
            ],
          },
        ],
      },
      Links: { Self: `https://gateway.example/open-banking/v3.1/aisp/accounts/${AccountId}/balances` },
      Meta: {},
    });
  });

  it('show an overdraft in use with its limit and the part that is left', async () => {
    expect(await balances(stack, 'overdrawn', 'A100201')).toEqual([
      ['Debit', 'InterimBooked', '150.33'],
      [
        'Debit',
        'InterimAvailable',
        '169.23',
        [
          [false, 'Pre-Agreed', '500.00'],
          [false, 'Available', '330.77'],
        ],
      ],
    ]);
  });

  it('show zero left of an overdraft beyond its limit, never a negative amount', async () => {
    expect(await balances(stack, 'overdrawn', 'A100202')).toEqual([
      ['Debit', 'InterimBooked', '512.00'],
      [
        'Debit',
        'InterimAvailable',
        '512.00',
        [
          [false, 'Pre-Agreed', '500.00'],
          [false, 'Available', '0.00'],
        ],
      ],
    ]);
  });

  it('have no CreditLine on an overdrawn account without an overdraft, nor on other products', async () => {
    expect(await balances(stack, 'overdrawn', 'A100203')).toEqual([
      ['Debit', 'InterimBooked', '1.05'],
      ['Debit', 'InterimAvailable', '1.05'],
    ]);
    for (const [ref, booked, available] of [
      ['A100102', '12500.00', '12425.00'],
      ['A100104', '96.40', '93.20'],
      ['A100105', '37.16', '37.16'],
    ])
      expect(await balances(stack, 'complete', String(ref))).toEqual([
        ['Credit', 'InterimBooked', booked],
        ['Credit', 'InterimAvailable', available],
      ]);
  });

  it('of a credit card are the debt, as Debit, and the credit left', async () => {
    expect(await balances(stack, 'cards', 'A100302')).toEqual([
      ['Debit', 'ClosingBooked', '1290.66'],
      ['Credit', 'InterimAvailable', '1430.89', [[true, 'Available', '1430.89']]],
    ]);
  });

  it('of a credit card in credit are Credit, with more to spend than the limit', async () => {
    expect(await balances(stack, 'cards', 'A100301')).toEqual([
      ['Credit', 'ClosingBooked', '25.10'],
      ['Credit', 'InterimAvailable', '1225.10', [[true, 'Available', '1225.10']]],
    ]);
  });

  it('of a credit card over its limit are Debit on both, with no credit left', async () => {
    expect(await balances(stack, 'cards', 'A100303')).toEqual([
      ['Debit', 'ClosingBooked', '512.34'],
      ['Debit', 'InterimAvailable', '12.34', [[true, 'Available', '0.00']]],
    ]);
  });

  it('of zero are Credit, on a card too', async () => {
    expect(await balances(stack, 'newcomer', 'A101001')).toEqual([
      ['Credit', 'InterimBooked', '0.00'],
      ['Credit', 'InterimAvailable', '0.00'],
    ]);
    expect(await balances(stack, 'newcomer', 'A101002')).toEqual([
      ['Credit', 'ClosingBooked', '0.00'],
      ['Credit', 'InterimAvailable', '1000.00', [[true, 'Available', '1000.00']]],
    ]);
  });

  it('keep the third digit of a three-digit currency, and pad one without minor units', async () => {
    expect(await balances(stack, 'traveller', 'A101403')).toEqual([
      ['Credit', 'InterimBooked', '1234.567'],
      ['Credit', 'InterimAvailable', '1234.567'],
    ]);
    expect(await balances(stack, 'traveller', 'A101402')).toEqual([
      ['Credit', 'InterimBooked', '150000.00'],
      ['Credit', 'InterimAvailable', '150000.00'],
    ]);
  });
});

describe('in profile 1 with the setting amounts: "signed",', () => {
  let stack: Stack;
  /** The answer of the core, where a test sets one. */
  let found: CoreItems<CoreBalance> | undefined;
  beforeAll(async () => {
    stack = await Stack.start({
      profile: 'profile-1',
      profileSettings: { amounts: 'signed' },
      adapter: (ledger) =>
        withReads(ledger, {
          balances: async (ref, context) =>
            found === undefined
              ? ledger.balances(ref, context)
              : { account: await ledger.account(ref, context), ...found },
        }),
    });
  });
  afterEach(() => {
    found = undefined;
  });
  afterAll(() => stack.close());

  const ask = async (product: string): Promise<Answer> => {
    const customer = await stack.consent({ persona: 'complete' });
    return stack.ask(`/accounts/${customer.accountId(product)}/balances`, { token: customer.token });
  };
  const booked: CoreBalance = { kind: 'booked', amount: { minorUnits: 1n, currency: 'GBP' }, at: new Date(0) };

  it('one bad balance is omitted', async () => {
    found = { items: [booked], bad: [{ where: 'figures[1]', fault: 'amt: missing' }] };
    expect((await ask('Savings')).json.Data.Balance).toHaveLength(1);
    found = { items: [{ ...booked, amount: { minorUnits: 1n, currency: 'ZZZ' } }, booked], bad: [] };
    expect((await ask('Savings')).json.Data.Balance).toHaveLength(1);
  });

  it('an answer without a good balance is an unexpected error and never an empty list', async () => {
    for (const none of [
      { items: [], bad: [{ where: 'figures[0]', fault: 'amt: missing' }] },
      { items: [{ ...booked, amount: { minorUnits: 1n, currency: 'ZZZ' } }], bad: [] },
      { items: [], bad: [] },
    ]) {
      found = none;
      const answer = await ask('Savings');
      expect([answer.status, answer.json.Errors]).toEqual([
        500,
        [{ ErrorCode: 'UK.OBIE.UnexpectedError', Message: expect.any(String), Url: helpUrl }],
      ]);
    }
  });

  it('the list of balances is empty only for a product that is not listed', async () => {
    found = { items: [], bad: [] };
    const answer = await ask('CurrentAccount');
    expect([answer.status, answer.json.Data]).toEqual([200, { Balance: [] }]);
  });

  it('the minus sign stands on balances below zero only, and never on credit lines', async () => {
    expect(await balances(stack, 'cards', 'A100303')).toEqual([
      ['Debit', 'ClosingBooked', '-512.34'],
      ['Debit', 'InterimAvailable', '-12.34', [[true, 'Available', '0.00']]],
    ]);
    expect(await balances(stack, 'cards', 'A100301')).toEqual([
      ['Credit', 'ClosingBooked', '25.10'],
      ['Credit', 'InterimAvailable', '1225.10', [[true, 'Available', '1225.10']]],
    ]);
  });

  it('the minus sign stands on a statement’s closing balance and not on its minimum payment', async () => {
    const customer = await stack.consent({ persona: 'cards' });
    const amounts = async (ref: string): Promise<string[]> => {
      const { json } = await stack.ask(`/accounts/${customer.accountId(ref)}/statements`, { token: customer.token });
      return json.Data.Statement[0].StatementAmount.map(({ Amount }: Json) => Amount.Amount);
    };
    expect(await amounts('A100302')).toEqual(['-1011.00', '50.55']);
    expect(await amounts('A100301')).toEqual(['25.10']);
  });

  it('the minus sign stands on the balance after a transaction and never on the transaction', async () => {
    const customer = await stack.consent({ persona: 'cards' });
    const { json } = await stack.ask(`/accounts/${customer.accountId('A100303')}/transactions`, {
      token: customer.token,
    });
    const [newest] = json.Data.Transaction;
    expect(newest.CreditDebitIndicator).toBe('Debit');
    expect(newest.Amount.Amount).toMatch(/^\d+\.\d\d$/);
    expect(newest.Balance).toEqual({
      CreditDebitIndicator: 'Debit',
      Type: 'ClosingBooked',
      Amount: { Amount: '-512.34', Currency: 'GBP' },
    });
    for (const { Amount } of json.Data.Transaction) expect(Amount.Amount).not.toMatch(/^-/);
  });
});
