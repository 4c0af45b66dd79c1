import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { helpUrl } from '../support/error-shape.js';
import { allPermissions, Stack, type Answer, type ConsentOptions, type Json } from '../support/stack.js';

/**
 * The latest cycle of `cards`'s Voyager Card ended 20 days before 15 June 2026, and the list has three older ones around
 * it.
 */
const voyager = 'A100302';

describe('statements', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ profile: 'profile-1' });
  });
  afterAll(() => stack.close());

  const ask = async (ref = voyager, query = '', options: Partial<ConsentOptions> = {}): Promise<Answer> => {
    const customer = await stack.consent({ persona: 'cards', ...options });
    return stack.ask(`/accounts/${customer.accountId(ref)}/statements${query}`, { token: customer.token });
  };
  const ends = async (query: string, options: Partial<ConsentOptions> = {}): Promise<string[]> => {
    const { status, json } = await ask(voyager, query, options);
    expect([query, status]).toEqual([query, 200]);
    return json.Data.Statement.map(({ EndDateTime }: Json) => EndDateTime);
  };
  const latest = ['2026-05-26T00:00:00+00:00'];
  const period = (from?: string, to?: string): Partial<ConsentOptions> => ({
    data: { ...(from && { TransactionFromDateTime: from }), ...(to && { TransactionToDateTime: to }) },
  });

  it('are the latest cycle only, with the type names of the specification', async () => {
    const { json } = await ask();
    expect(json.Data.Statement).toEqual([
      {
        AccountId: expect.stringMatching(/^[0-9a-f]{32}$/),
        Type: 'RegularPeriodic',
        StartDateTime: '2026-04-27T00:00:00+00:00',
        EndDateTime: '2026-05-26T00:00:00+00:00',
        CreationDateTime: '2026-05-27T03:00:00+00:00',
        StatementAmount: [
          { Amount: { Amount: '1011.00', Currency: 'GBP' }, CreditDebitIndicator: 'Debit', Type: 'ClosingBalance' },
          {
            Amount: { Amount: '50.55', Currency: 'GBP' },
            CreditDebitIndicator: 'Debit',
            Type: 'UK.OBIE.MinimumPaymentDue',
          },
        ],
        StatementDateTime: [{ DateTime: '2026-06-20T00:00:00+00:00', Type: 'UK.OBIE.PaymentDue' }],
      },
    ]);
  });

  it('of a card in credit name no payment: neither its minimum amount nor its date', async () => {
    const [statement] = (await ask('A100301')).json.Data.Statement;
    expect(statement.StatementAmount).toEqual([
      { Amount: { Amount: '25.10', Currency: 'GBP' }, CreditDebitIndicator: 'Credit', Type: 'ClosingBalance' },
    ]);
    expect(statement).not.toHaveProperty('StatementDateTime');
  });

  it('have amounts only with the Detail code', async () => {
    const basic = allPermissions('profile-1').filter((code) => code !== 'ReadStatementsDetail');
    const [statement] = (await ask(voyager, '', { permissions: basic })).json.Data.Statement;
    expect(Object.keys(statement).sort()).toEqual(
      ['AccountId', 'CreationDateTime', 'EndDateTime', 'StartDateTime', 'StatementDateTime', 'Type'].sort(),
    );
  });

  it('lie completely inside the consented period: an older cycle never replaces the latest', async () => {
    expect(await ends('', period('2026-04-27T00:00:00+00:00', '2026-05-26T00:00:00+00:00'))).toEqual(latest);
    expect(await ends('', period('2026-04-27T00:00:00.001+00:00'))).toEqual([]);
    expect(await ends('', period(undefined, '2026-05-25T23:59:59.999+00:00'))).toEqual([]);
    expect(await ends('', period('2026-03-01T00:00:00+00:00', '2026-05-20T00:00:00+00:00'))).toEqual([]);
  });

  it('lie completely inside the requested dates, each alone or both, to the end of the unit', async () => {
    for (const query of [
      '?fromStatementDateTime=2026-04-27',
      '?fromStatementDateTime=2026117T0000',
      '?toStatementDateTime=2026-05-26',
      '?toStatementDateTime=2026-W22-2',
      '?toStatementDateTime=2026-05-26T00:00+01:00',
      '?fromStatementDateTime=2026-04&toStatementDateTime=2026-05',
      '?fromBookingDateTime=nonsense&page=1',
    ])
      expect([query, await ends(query)]).toEqual([query, latest]);
    for (const query of [
      '?fromStatementDateTime=2026-04-27T00:00:01',
      '?toStatementDateTime=2026-05-25',
      '?fromStatementDateTime=2026-05-01&toStatementDateTime=2026-06-01',
      '?fromStatementDateTime=2999-01-01',
      '?toStatementDateTime=0001-01-01',
    ])
      expect([query, await ends(query)]).toEqual([query, []]);
    expect(await ends('?fromStatementDateTime=2026-01-01', period('2026-05-01T00:00:00+00:00'))).toEqual([]);
  });

  it.each(['fromStatementDateTime', 'toStatementDateTime'])(
    'are refused for nonsense in %s, by its name',
    async (name) => {
      for (const query of [`?${name}=`, `?${name}=soon`, `?${name}=2026-05-01&${name}=2026-05-01`]) {
        const { status, json } = await ask(voyager, query);
        expect([query, status, json.Errors]).toEqual([
          query,
          400,
          [
            {
              ErrorCode: 'UK.OBIE.Field.InvalidDate',
              Message: expect.stringContaining(name),
              Path: name,
              Url: helpUrl,
            },
          ],
        ]);
      }
    },
  );

  it('are refused for a lower edge after the upper edge', async () => {
    const { status, json } = await ask(voyager, '?fromStatementDateTime=2026-05-02&toStatementDateTime=2026-05-01');
    expect([status, json.Errors[0].Path]).toEqual([400, 'fromStatementDateTime']);
  });

  it('are an empty list for a card without a cycle', async () => {
    const customer = await stack.consent({ persona: 'newcomer' });
    const { json } = await stack.ask(`/accounts/${customer.accountId('CreditCard')}/statements`, {
      token: customer.token,
    });
    expect(json.Data).toEqual({ Statement: [] });
  });
});
