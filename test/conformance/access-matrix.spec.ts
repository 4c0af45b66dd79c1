import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpointNames } from '../../src/resources/endpoints.js';
import { versions } from '../../src/versions/versions.js';
import { allPermissions, Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';

/**
 * The table of docs/specification.md, "Endpoints and products": `data` is at least one item, `empty` is 200 with the empty
 * collection, `404` is an endpoint that the profile lacks. `party` is one object, not a collection.
 */
const matrix = {
  'profile-1': `
    | endpoint           | CurrentAccount | Savings | CreditCard | RewardsPayPlus | RoundUp |
    | accounts           | empty          | data    | data       | data           | data    |
    | balances           | empty          | data    | data       | data           | data    |
    | transactions       | empty          | data    | data       | data           | data    |
    | party              | data           | data    | data       | data           | data    |
    | offers             | empty          | empty   | data       | empty          | empty   |
    | scheduled-payments | empty          | data    | empty      | data           | empty   |
    | beneficiaries      | empty          | data    | empty      | data           | empty   |
    | statements         | empty          | empty   | data       | empty          | empty   |
    | direct-debits      | 404            | 404     | 404        | 404            | 404     |
    | standing-orders    | 404            | 404     | 404        | 404            | 404     |
    | product            | 404            | 404     | 404        | 404            | 404     |`,
  'profile-2': `
    | endpoint           | CurrentAccount | Savings | CreditCard | RewardsPayPlus | RoundUp |
    | accounts           | data           | data    | data       | data           | data    |
    | balances           | data           | data    | data       | data           | data    |
    | transactions       | data           | data    | data       | data           | data    |
    | party              | data           | data    | data       | data           | data    |
    | offers             | empty          | empty   | data       | empty          | empty   |
    | scheduled-payments | data           | data    | empty      | empty          | empty   |
    | beneficiaries      | data           | data    | empty      | empty          | empty   |
    | statements         | 404            | 404     | 404        | 404            | 404     |
    | direct-debits      | data           | empty   | empty      | empty          | empty   |
    | standing-orders    | data           | empty   | empty      | empty          | empty   |
    | product            | data           | empty   | empty      | empty          | empty   |`,
} as const;

/** The one key of `Data` in docs/specification.md. */
const collections: Readonly<Record<string, string>> = {
  accounts: 'Account',
  balances: 'Balance',
  transactions: 'Transaction',
  party: 'Party',
  offers: 'Offer',
  'scheduled-payments': 'ScheduledPayment',
  beneficiaries: 'Beneficiary',
  statements: 'Statement',
  'direct-debits': 'DirectDebit',
  'standing-orders': 'StandingOrder',
  product: 'Product',
};

/** Each set of codes that is enough for an endpoint: the standard's "Permissions" table, written by hand. */
const opening: Readonly<Record<string, readonly string[]>> = {
  balances: ['ReadBalances'],
  transactions: [
    'ReadTransactionsBasic ReadTransactionsCredits',
    'ReadTransactionsBasic ReadTransactionsDebits',
    'ReadTransactionsDetail ReadTransactionsCredits',
    'ReadTransactionsDetail ReadTransactionsDebits',
  ],
  party: ['ReadParty'],
  offers: ['ReadOffers'],
  'scheduled-payments': ['ReadScheduledPaymentsBasic', 'ReadScheduledPaymentsDetail'],
  beneficiaries: ['ReadBeneficiariesBasic', 'ReadBeneficiariesDetail'],
  statements: ['ReadStatementsBasic', 'ReadStatementsDetail'],
  'direct-debits': ['ReadDirectDebits'],
  'standing-orders': ['ReadStandingOrdersBasic', 'ReadStandingOrdersDetail'],
  product: ['ReadProducts'],
};

interface Cell {
  readonly endpoint: string;
  readonly product: string;
  readonly answer: string;
}

function cells(table: string): Cell[] {
  const [products = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.flatMap(([endpoint = '', ...answers]) =>
    answers.map((answer, column) => ({ endpoint, product: products[column + 1] ?? '', answer })),
  );
}

const pathOf = (endpoint: string, accountId: string): string =>
  endpoint === 'accounts' ? `/accounts/${accountId}` : `/accounts/${accountId}/${endpoint}`;

/** The form of the tables. */
function outcome(endpoint: string, { status, json }: Answer): string {
  if (status !== 200) return String(status);
  const collection = collections[endpoint] ?? '';
  expect(Object.keys(json.Data)).toEqual([collection]);
  const content: unknown = json.Data[collection];
  if (endpoint === 'party') return typeof (content as { PartyId?: unknown }).PartyId === 'string' ? 'data' : 'empty';
  expect(content).toBeInstanceOf(Array);
  return (content as unknown[]).length > 0 ? 'data' : 'empty';
}

describe.each(Object.entries(matrix))('the access matrix of %s', (profile, table) => {
  const rows = cells(table);
  const served = Object.keys(opening).filter((name) => rows.some((c) => c.endpoint === name && c.answer === 'data'));
  let stack: Stack;
  let everything: ConsentedCustomer;
  beforeAll(async () => {
    stack = await Stack.start({ profile });
    everything = await stack.consent({ persona: 'complete' });
  });
  afterAll(() => stack.close());
  /** The answers of all versions. One token of the oldest opens all. */
  const answers = async (path: string, token: string): Promise<Answer[]> =>
    Promise.all(versions.map(({ basePath }) => stack.ask(`${basePath}${path}`, { token })));
  const outcomes = async (endpoint: string, path: string, token: string): Promise<string[]> =>
    (await answers(path, token)).map((answer) => outcome(endpoint, answer));

  it('has eleven endpoints and five products', () => {
    expect(rows.length).toBe(11 * 5);
    expect([...endpointNames].sort()).toEqual([...new Set(rows.map(({ endpoint }) => endpoint))].sort());
  });

  it.each(rows)('answers $endpoint of $product: $answer', async ({ endpoint, product, answer }) => {
    const path = pathOf(endpoint, everything.accountId(product));
    expect(await outcomes(endpoint, path, everything.token)).toEqual([answer, answer]);
  });

  it('lists in /accounts those products whose own account has data', async () => {
    const listed = rows.filter(({ endpoint, answer }) => endpoint === 'accounts' && answer === 'data');
    for (const { json } of await answers('/accounts', everything.token))
      expect(json.Data.Account.map(({ AccountId }: { AccountId: string }) => AccountId)).toEqual(
        listed.map(({ product }) => everything.accountId(product)),
      );
  });

  it.each(served)('refuses %s without its permission, and names the missing codes', async (endpoint) => {
    const own = new Set(opening[endpoint]?.flatMap((set) => set.split(' ')));
    const { token, accountId } = await stack.consent({
      persona: 'complete',
      permissions: allPermissions(profile).filter((code) => !own.has(code)),
    });
    for (const { product } of rows.filter((cell) => cell.endpoint === endpoint)) {
      const refused = await answers(pathOf(endpoint, accountId(product)), token);
      expect(refused.map(({ status, json }) => [status, json.Code, json.Errors[0].ErrorCode])).toEqual([
        [403, '403 Forbidden', 'UK.AIG.Consent.PermissionMissing'],
        [403, undefined, 'AG08'],
      ]);
      for (const { json } of refused) expect(new Set(json.Message.match(/\bRead\w+/g))).toEqual(own);
    }
  });

  it.each(served.flatMap((endpoint) => (opening[endpoint] ?? []).map((set) => [endpoint, set] as const)))(
    'opens %s to %s',
    async (endpoint, set) => {
      const { token, accountId } = await stack.consent({
        persona: 'complete',
        permissions: ['ReadAccountsBasic', ...set.split(' ')],
      });
      const full = rows.filter((cell) => cell.endpoint === endpoint && cell.answer === 'data');
      // The persona's credit card has credits and debits.
      const { product } = full.find((cell) => cell.product === 'CreditCard') ?? full[0] ?? { product: '' };
      expect(await outcomes(endpoint, pathOf(endpoint, accountId(product)), token)).toEqual(['data', 'data']);
    },
  );

  it.each(['ReadAccountsBasic', 'ReadAccountsDetail'])('opens accounts to %s', async (code) => {
    const { token, accountId } = await stack.consent({ persona: 'complete', permissions: [code] });
    for (const path of ['/accounts', `/accounts/${accountId('Savings')}`])
      expect(await outcomes('accounts', path, token)).toEqual(['data', 'data']);
  });
});
