import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccountTruth, AdapterUnderTest, Spoiling, TestCore } from '../../packages/adapter-kit/adapter-kit.js';
import { select } from '../../packages/adapter-kit/history-model.js';
import { spoilt } from '../../packages/adapter-kit/spoil.js';
import type { AccountRead, CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { CoreSettings } from '../../packages/core-adapter/core-settings.js';
import type {
  CoreAccount,
  CoreBalance,
  CoreTransaction,
  TransactionQuery,
} from '../../packages/core-adapter/core.records.js';
import { filled, opened, people, type People } from './tiny-people.js';

/** The adapter's secret. */
// The secret equals a folder name, to prove that a stack trace with our file names counts as no leak.
export const token = 'adapter-kit';

/** A core with two customers, as small as the kit lets one be: JSON over HTTP, times in its own zone. */
export async function startTinyCore({
  timeZone = 'Etc/UTC',
  secret = token,
  hasLogins = false,
}: {
  readonly timeZone?: string;
  readonly secret?: string;
  /** Whether the secret only signs in, at `/login`, and every other call needs the token that comes from there. */
  readonly hasLogins?: boolean;
}): Promise<TestCore> {
  let logins = 1;
  const added = new Map<string, CoreTransaction[]>();
  const settled = new Set<string>();
  const changed = { access: new Set<string>(), balance: new Set<string>() };
  const spoilings = new Map<string, Spoiling>();
  let known = people;
  const sent = (read: string, rows: readonly object[]): unknown[] =>
    spoiltBy(
      spoilings.get(read),
      rows.map((row) => written(row, timeZone)),
    );
  const historyOf = (accountRef: string, { transactions = [] }: AccountTruth): readonly CoreTransaction[] => {
    const more = added.get(accountRef) ?? [];
    if (more.length === 0 && settled.size === 0) return transactions;
    return [...transactions, ...more].map((row) =>
      settled.has(row.id) ? { ...row, status: 'booked', at: bookedLater(0), expectedBookingAt: undefined } : row,
    );
  };
  const accountNow = ({ account }: AccountTruth): CoreAccount => ({
    ...account,
    permitted: account.permitted && !changed.access.has(account.ref),
  });
  const server = createServer((request, answer) => {
    const [path = '', search = ''] = (request.url ?? '/').split('?');
    const [customerRef = '', accountRef = '', read = ''] = path.slice(1).split('/').map(decodeURIComponent);
    const login = hasLogins && path !== '/login' ? `login-${logins}` : secret;
    if (request.headers.authorization !== `Bearer ${login}`) return send(answer, 401, { error: 'token' });
    if (path === '/login') return send(answer, 200, { login: `login-${logins}` });
    if (path === '/up') return send(answer, 200, { up: true });
    if (customerRef === 'find')
      return send(answer, 200, {
        found: foundBy(known, accountRef, read, (truth) => written(accountNow(truth), timeZone)),
      });
    const accounts = known.get(customerRef) ?? new Map<string, AccountTruth>();
    if (accountRef === 'accounts' && read === '')
      return send(answer, 200, { accounts: sent('accounts', [...accounts.values()].map(accountNow)) });
    const truth = accounts.get(accountRef);
    if (truth === undefined) return send(answer, 404, { error: 'account' });
    const account = written(accountNow(truth), timeZone);
    if (read === 'account') return send(answer, 200, { account });
    if (read === 'funds')
      return send(answer, 200, { account, available: isAvailable(accountNow(truth), truth, search) });
    if (read === 'transactions') {
      const query = JSON.parse(new URLSearchParams(search).get('q') ?? '{}', datesOfQuery) as TransactionQuery & {
        skip?: number;
      };
      const { items, more } = select(historyOf(accountRef, truth), query);
      return send(answer, 200, { account, more, records: sent(read, items) });
    }
    const rows = read === 'balances' && changed.balance.has(accountRef) ? spent(truth) : truth[read as AccountRead];
    const records = [...(rows ?? []), ...besides(read, truth)];
    return send(answer, 200, { account, records: sent(read, records) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    variables: { CORE_TOKEN: secret },
    book: async (_, accountRef) => {
      const rows = added.get(accountRef) ?? [];
      const id = `new-${rows.length}`;
      const amount = { minorUnits: 5n, currency: 'GBP' };
      added.set(accountRef, [...rows, { id, status: 'booked', at: bookedLater(rows.length + 1), amount }]);
    },
    ...(hasLogins && { endLogins: async () => void logins++ }),
    change: async (what, _, accountRef) => void changed[what].add(accountRef),
    open: async (customerRef, count) => void (known = opened(known, customerRef, count)),
    settle: async (_, __, id) => void settled.add(id),
    spoil: async (spoiling, read) => {
      spoilings.set(read, spoiling);
      return async () => void spoilings.delete(read);
    },
    fill: async (customers) => void (known = filled(customers)),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The accounts with this number, each with the names of its holders. */
function foundBy(people: People, scheme: string, number: string, account: (truth: AccountTruth) => unknown): object[] {
  const found = new Map<string, object>();
  for (const truth of [...people.values()].flatMap((accounts) => [...accounts.values()])) {
    const { ref, sortCode = '', accountNumber = '', iban } = truth.account;
    if ((scheme === 'iban' ? iban : sortCode + accountNumber) === number)
      found.set(ref, { account: account(truth), holders: truth.holderNames });
  }
  return [...found.values()];
}

function isAvailable({ permitted, currency }: CoreAccount, { funds }: AccountTruth, search: string): boolean {
  const asked = new URLSearchParams(search);
  const counted = asked.get('overdraft') === 'true' ? (funds?.overdraft?.minorUnits ?? 0n) : 0n;
  const most = (funds?.spendable.minorUnits ?? 0n) + counted;
  return permitted && asked.get('currency') === currency && BigInt(asked.get('units') ?? '') <= most;
}

function spoiltBy(spoiling: Spoiling | undefined, rows: unknown[]): unknown[] {
  if (spoiling === 'all') return rows.map(spoilt);
  if (spoiling === 'one') return rows.with(1, spoilt(rows[1]));
  return spoiling === 'undated' ? rows.with(1, { ...(rows[1] as object), at: undefined }) : rows;
}

/** The balances after a purchase. */
function spent({ balances = [] }: AccountTruth): CoreBalance[] {
  return balances.map((row) => ({ ...row, amount: { ...row.amount, minorUnits: row.amount.minorUnits - 1n } }));
}

const bookedLater = (count: number): Date => new Date(Date.parse('2026-12-01T09:00:00Z') + count * 1000);

/** The core's data outside the truth, which no read may show. */
function besides(read: string, { international = [], earlierStatements = [], ...truth }: AccountTruth): object[] {
  if (read === 'statements')
    return earlierStatements.map((endAt) => ({ ...truth.statements?.[0], endAt, createdAt: endAt }));
  if (read !== 'scheduledPayments' && read !== 'standingOrders') return [];
  return international.map((id) => ({ ...truth[read]?.[0], id, abroad: true }));
}

function datesOfQuery(name: string, value: unknown): unknown {
  return name === 'from' || name === 'to' ? new Date(value as number) : value;
}

/** Amounts as `{units, currency}`, times with the offset of the core's zone, the whole number of a card. */
function written(record: object, timeZone: string): unknown {
  const value = (one: unknown): unknown => {
    if (typeof one === 'bigint') return Number(one);
    if (one instanceof Date) return localTime(one, timeZone);
    if (typeof one !== 'object' || one === null) return one;
    if ('date' in one) return one.date;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, value(inner)]));
  };
  const row = value(record) as Record<string, unknown>;
  if (typeof row.permitted === 'boolean') row.permitted = row.permitted ? 'open' : 'blocked';
  return typeof row.cardLastFour === 'string' ? { ...row, cardLastFour: `492900000000${row.cardLastFour}` } : row;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function localTime(time: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  const offset = /GMT([+-]\d\d:\d\d)?/.exec(format.format(time))?.[1] ?? '+00:00';
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  const aheadMs = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  return new Date(time.getTime() + aheadMs).toISOString().replace('Z', offset);
}

function send(answer: ServerResponse, status: number, body: unknown): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function tinyKit(create: (settings: CoreSettings) => CoreAdapter): AdapterUnderTest {
  return {
    core: startTinyCore,
    create,
    personas: () => [...people].map(([customerRef, accounts]) => ({ customerRef, accountRefs: [...accounts.keys()] })),
    truth: (customerRef, accountRef) => people.get(customerRef)?.get(accountRef) as AccountTruth,
    codes: {
      accounts: { permitted: 'permitted', product: 'product', holder: 'holder' },
      balances: { kind: 'kind', sign: [] },
      transactions: { status: 'status', sign: [] },
      scheduledPayments: { type: 'type', 'creditor.scheme': 'creditor.scheme' },
      beneficiaries: { kind: 'kind', 'creditor.scheme': 'creditor.scheme' },
      statements: { type: 'type', sign: [] },
      directDebits: { status: 'status' },
      standingOrders: { status: 'status', frequency: 'frequency.every', 'creditor.scheme': 'creditor.scheme' },
      product: { type: 'type' },
    },
    faults: {
      answers: [
        { body: '{"error":"down"}', kind: 'unavailable' },
        { body: '{"error":"busy","wait":9}', kind: 'rate-limited', retryAfterSeconds: 9 },
      ],
    },
    badSettings: { CORE_TOKEN: [undefined, '', 'has blanks'] },
  };
}
