import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../support/fake-clock.js';
import type { Json } from '../../support/stack.js';
import { FineractStub } from './fineract-stub.js';
import { savings, smallBank, transaction } from './small-bank.js';

// Each quirk of Apache Fineract that the adapter has to live with, as its source has it. Should the stub lose one, the
// adapter's tests would prove nothing.

const now = Date.parse('2026-06-15T12:00:00Z');

describe('Fineract', () => {
  let stub: FineractStub;
  beforeAll(async () => {
    stub = await FineractStub.start({ model: smallBank(), clock: new FakeClock(now) });
    stub.model.accounts.push(
      savings({
        id: 500,
        clientId: 7,
        transactions: [
          transaction({ id: 1, submittedOnDate: '2026-06-01', date: '2026-05-20', amount: '1.500000' }),
          transaction({ id: 2, submittedOnDate: '2026-06-02', date: '2026-06-02', notes: ['first', 'second'] }),
          transaction({ id: 3, submittedOnDate: '2026-06-03', date: '2026-01-05', reversed: true }),
          transaction({ id: 4, submittedOnDate: '2026-06-03', date: '2026-06-03', isReversal: true }),
          transaction({ id: 5, submittedOnDate: '2026-06-04', date: '2026-06-04', type: 20 }),
          transaction({ id: 6, submittedOnDate: '2026-06-05', date: '2026-06-05', type: 20, releaseTransactionId: 7 }),
          transaction({ id: 7, submittedOnDate: '2026-06-05', date: '2026-06-05', type: 21 }),
        ],
      }),
      savings({
        id: 501,
        clientId: 7,
        transactions: Array.from({ length: 60 }, (_, index) => transaction({ id: 100 + index })),
      }),
    );
  });
  afterEach(() => {
    stub.model.instructions.length = 0;
  });
  afterAll(() => stub.close());

  const credentials = `Basic ${Buffer.from('gateway:core-password').toString('base64')}`;
  async function ask(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string; json: Json }> {
    const answer = await fetch(`${stub.url}${path}`, {
      headers: { 'Fineract-Platform-TenantId': 'bank', authorization: credentials, ...headers },
    });
    const text = await answer.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: answer.status, text, json };
  }
  const search = async (query: string, account = 500) =>
    (await ask(`/v1/savingsaccounts/${account}/transactions/search?${query}`)).json;
  const ids = (page: { content: { id: number }[] }): number[] => page.content.map(({ id }) => id);

  it('refuses an unknown tenant before it looks at the user, and takes it from the query, too', async () => {
    expect((await ask('/v1/clients/7', { 'Fineract-Platform-TenantId': 'other', authorization: '' })).status).toBe(400);
    expect((await ask('/v1/clients/7?tenantIdentifier=bank')).status).toBe(200);
  });

  it('answers 401, 403 and 404 in one form, and names the missing record only in the list of errors', async () => {
    expect((await ask('/v1/clients/7', { authorization: 'Basic eA==' })).status).toBe(401);
    const { status, json } = await ask('/v1/savingsaccounts/999');
    expect([status, json.httpStatusCode, json.userMessageGlobalisationCode]).toEqual([
      404,
      '404',
      'error.msg.resource.not.found',
    ]);
    expect(json.errors[0].userMessageGlobalisationCode).toBe('error.msg.saving.account.id.invalid');
    const denied = await FineractStub.start({ model: smallBank(), clock: new FakeClock(now), denied: ['READ_CLIENT'] });
    const answer = await fetch(`${denied.url}/v1/clients/7`, {
      headers: { 'Fineract-Platform-TenantId': 'bank', authorization: credentials },
    });
    await denied.close();
    expect(answer.status).toBe(403);
  });

  it('sends days as arrays and money as numbers with six decimals', async () => {
    const { text, json } = await ask('/v1/savingsaccounts/101');
    expect(text).toContain('"accountBalance":1234.560000');
    expect(json.timeline.submittedOnDate).toEqual([2020, 1, 6]);
    expect((await search('limit=1&orderBy=id&sortOrder=ASC')).content[0].submittedOnDate).toEqual([2026, 6, 1]);
  });

  it('leaves a zero balance out of a client’s list, and shows it on the single account', async () => {
    const { json } = await ask('/v1/clients/7/accounts');
    expect(json.savingsAccounts.map((row: object) => 'accountBalance' in row).slice(0, 2)).toEqual([true, false]);
    expect((await ask('/v1/savingsaccounts/102')).text).toContain('"accountBalance":0.000000');
  });

  it('omits null members, such as an overdraft limit or an empty list of accounts', async () => {
    expect((await ask('/v1/savingsaccounts/102')).json).not.toHaveProperty('overdraftLimit');
    stub.model.clients.push({ id: 9, displayName: 'Without Accounts' });
    expect((await ask('/v1/clients/9/accounts')).json).toEqual({});
    expect((await ask('/v1/clients/9')).json).not.toHaveProperty('legalForm');
    stub.model.clients.pop();
  });

  it('lists deposits of other kinds with a client’s accounts, and does not know them alone', async () => {
    const { json } = await ask('/v1/clients/7/accounts');
    expect(json.savingsAccounts.find(({ id }: { id: number }) => id === 104).depositType.id).toBe(200);
    expect((await ask('/v1/savingsaccounts/104')).status).toBe(404);
  });

  describe('in its search of transactions', () => {
    it('takes offset for a page’s number, and puts 50 rows on a page by default', async () => {
      expect(ids(await search('limit=10&offset=2&orderBy=id&sortOrder=ASC', 501))[0]).toBe(120);
      expect((await search('orderBy=id&sortOrder=ASC', 501)).content).toHaveLength(50);
    });

    it('sends a transaction with two notes twice, counts it twice, and cuts pages through it', async () => {
      const page = await search('limit=2&orderBy=id&sortOrder=ASC');
      expect([ids(page), page.total]).toEqual([[1, 2], 7]);
      expect(ids(await search('limit=2&offset=1&orderBy=id&sortOrder=ASC'))).toEqual([2, 3]);
    });

    it('keeps a reversed transaction, and leaves the reversal out', async () => {
      const page = await search('orderBy=id&sortOrder=ASC');
      expect(ids(page)).toContain(3);
      expect(ids(page)).not.toContain(4);
    });

    it('keeps a released hold with the id of its release, and writes 0 for no release', async () => {
      const { content } = await search('types=20&orderBy=id&sortOrder=ASC');
      expect(content.map((row: Json) => [row.id, row.releaseTransactionId])).toEqual([
        [5, 0],
        [6, 7],
      ]);
    });

    it('fails on an order without a direction, and refuses a column that it does not have', async () => {
      const path = '/v1/savingsaccounts/500/transactions/search';
      expect((await ask(`${path}?orderBy=id`)).status).toBe(500);
      expect((await ask(`${path}?orderBy=name&sortOrder=ASC`)).status).toBe(400);
    });

    it('has days inclusive on both sides, and refuses them in another format than the one that is named', async () => {
      const days = 'fromSubmittedDate=2026-06-02&toSubmittedDate=2026-06-04';
      expect(ids(await search(`${days}&dateFormat=yyyy-MM-dd&locale=en&orderBy=id&sortOrder=ASC`))).toEqual([
        2, 2, 3, 5,
      ]);
      expect((await ask(`/v1/savingsaccounts/500/transactions/search?${days}&orderBy=id&sortOrder=ASC`)).status).toBe(
        400,
      );
    });

    it('answers with no rows, not an error, for an account that does not exist', async () => {
      expect(await search('orderBy=id&sortOrder=ASC', 999)).toMatchObject({ content: [], total: 0 });
    });

    it('names the user who entered a transaction', async () => {
      expect((await search('orderBy=id&sortOrder=ASC')).content[0].submittedByUsername).toBe('teller7');
    });
  });

  describe('in its standing instructions', () => {
    const instruction = { fromAccountId: 101, toAccountId: 201, name: 'RENT', validFrom: '2026-01-01' };
    const weekly = { recurrenceFrequency: 1, recurrenceInterval: 1 };

    it('fails when it is asked for an account without its client', async () => {
      expect((await ask('/v1/standinginstructions?fromAccountId=101&fromAccountType=2')).status).toBe(500);
      expect((await ask('/v1/standinginstructions?clientId=7&fromAccountId=101&fromAccountType=2')).status).toBe(200);
    });

    it('lists deleted ones, too, omits an amount of zero, and counts rows in offset', async () => {
      stub.model.instructions.push(
        { id: 1, ...instruction, ...weekly, amount: '5.000000' },
        { id: 2, ...instruction, ...weekly, amount: '0.000000', status: 3 },
      );
      const { json } = await ask('/v1/standinginstructions?clientId=7&orderBy=id&sortOrder=ASC&limit=1&offset=1');
      expect(json.totalFilteredRecords).toBe(2);
      expect(json.pageItems.map((row: Json) => [row.id, row.status.id, row.amount])).toEqual([[2, 3, undefined]]);
    });

    it('promises no order of the pages, unless it is asked for one', async () => {
      for (const id of [2, 1, 3]) stub.model.instructions.push({ id, ...instruction, ...weekly });
      const pages = async (query: string): Promise<unknown[]> => {
        const page = async (offset: number): Promise<Json> =>
          (await ask(`/v1/standinginstructions?clientId=7&limit=2&offset=${offset}${query}`)).json.pageItems;
        return [...(await page(0)), ...(await page(2))].map(({ id }: Json) => id);
      };
      expect(await pages('')).toEqual([1, 2, 1]);
      expect(await pages('&orderBy=id&sortOrder=ASC')).toEqual([1, 2, 3]);
    });

    it('shows only the number and product of the account that is paid', async () => {
      stub.model.instructions.push({ id: 1, ...instruction, ...weekly });
      const [row] = (await ask('/v1/standinginstructions?clientId=7')).json.pageItems;
      expect(Object.keys(row.toAccount)).toEqual(['id', 'accountNo', 'productId', 'productName']);
    });
  });

  describe('in a data table', () => {
    it('has a generic result set, whose JSON is right at a backslash', async () => {
      const { json } = await ask('/v1/datatables/ob_beneficiary/101?genericResultSet=true');
      expect(json.data[0].row[3]).toBe('Bärbel "Babs" \\ Müller');
    });

    it('has null for an absent value, an empty list without rows, and 404 without the table', async () => {
      expect((await ask('/v1/datatables/ob_identifiers/101?genericResultSet=true')).json.data[0].row[3]).toBeNull();
      expect((await ask('/v1/datatables/ob_identifiers/102?genericResultSet=true')).json.data).toEqual([]);
      expect((await ask('/v1/datatables/other/101?genericResultSet=true')).status).toBe(404);
    });

    it('is searched by the value of one column', async () => {
      const search = (value: string, columns = 'savings_account_id,sort_code') =>
        ask(
          `/v1/datatables/ob_identifiers/query?columnFilter=account_number&valueFilter=${value}&resultColumns=${columns}`,
        );
      expect((await search('12345678')).json).toEqual([{ savings_account_id: 101, sort_code: '040004' }]);
      expect((await search('1234567')).json).toEqual([]);
      expect((await search('12345678', 'no_such_column')).status).toBe(400);
    });
  });
});
