import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { oneError } from '../support/error-shape.js';
import { dayMs, minuteMs, noon, Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';

const always = ['party', 'offers', 'scheduled-payments', 'beneficiaries'];
const guarded = {
  'profile-1': [...always, 'statements'],
  'profile-2': [...always, 'direct-debits', 'standing-orders', 'product'],
};
const reauthentication = oneError({ Code: '403 Reauthentication', ErrorCode: 'UK.OBIE.Reauthenticate' });
const hourMs = 60 * minuteMs;

describe.each(['profile-1', 'profile-2'] as const)('the authentication window in %s', (profile) => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  const at = async (sinceAuthenticationMs: number, path: string): Promise<Answer> => {
    stack.clock.set(noon + sinceAuthenticationMs);
    return stack.ask(path, { token: customer.token });
  };
  const account = (rest: string): string => `/accounts/${customer.accountId('CreditCard')}/${rest}`;

  beforeAll(async () => {
    stack = await Stack.start({ profile });
    customer = await stack.consent({ persona: 'complete' });
    customer = {
      ...customer,
      token: await stack.bank.mintToken({ clientId: 'tpp-one', consentId: customer.consentId, expiresInSeconds: 1e7 }),
    };
  });
  afterAll(() => stack.close());
  afterEach(() => stack.clock.set(noon));

  it.each(guarded[profile])('%s answers at 4:59.999 and is refused at 5:00.000', async (endpoint) => {
    expect((await at(5 * minuteMs - 1, account(endpoint))).status).toBe(200);
    const refused = await at(5 * minuteMs, account(endpoint));
    expect([refused.status, refused.json]).toEqual([403, reauthentication]);
  });

  it.each(guarded[profile])(
    '%s is refused on every product, also where the answer would be empty',
    async (endpoint) => {
      for (const { AccountId } of customer.accounts)
        expect((await at(5 * minuteMs, `/accounts/${AccountId}/${endpoint}`)).json).toEqual(reauthentication);
    },
  );

  it('accounts and balances answer on every later day', async () => {
    for (const path of ['/accounts', `/accounts/${customer.accountId('CreditCard')}`, account('balances')])
      expect((await at(30 * dayMs, path)).status).toBe(200);
  });
});

describe('transactions and the authentication window', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  const iso = (ms: number): string => new Date(ms).toISOString().replace('Z', '');
  const ask = (query: string, who = customer): Promise<Answer> =>
    stack.ask(`/accounts/${who.accountId('CurrentAccount')}/transactions${query}`, { token: who.token });
  const from = (ms: number): string => `?fromBookingDateTime=${iso(ms)}`;

  beforeAll(async () => {
    stack = await Stack.start();
    customer = await stack.consent({ persona: 'complete', authenticatedAgoMs: 5 * minuteMs });
  });
  afterAll(() => stack.close());
  afterEach(() => stack.clock.set(noon));

  it('need no filter at 4:59.999 and are refused without one at 5:00.000', async () => {
    stack.clock.set(noon - 1);
    expect((await ask('')).status).toBe(200);
    stack.clock.set(noon);
    expect((await ask('')).json).toEqual(reauthentication);
  });

  it.each([
    ['an upper edge alone', '?toBookingDateTime=2026-06-14', 403],
    ['from one millisecond less than 90 days ago', from(noon - 90 * dayMs + 1), 200],
    ['from exactly 90 days ago', from(noon - 90 * dayMs), 403],
    ['from 89 days and 23:59 ago', from(noon - 90 * dayMs + minuteMs), 200],
    ['from the future', from(noon + hourMs), 200],
    ['from a day that began 90 days ago or earlier', '?fromBookingDateTime=2026-03-17', 403],
    ['from a day that began later', '?fromBookingDateTime=2026-03-18', 200],
    ['a long-past range with both edges', '?fromBookingDateTime=2026-01-01&toBookingDateTime=2026-01-31', 403],
    ['a young from with an unknown parameter', `${from(noon - dayMs)}&pg=2`, 200],
  ])('%s', async (_name, query, status) => {
    const answer = await ask(query);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.json).toEqual(reauthentication);
  });

  it('are refused with an old fromBookingDateTime, also where the consented history is younger', async () => {
    const young = await stack.consent({
      persona: 'complete',
      authenticatedAgoMs: dayMs,
      data: { TransactionFromDateTime: '2026-06-01T00:00:00+00:00' },
    });
    expect((await ask('?fromBookingDateTime=2026-01-01', young)).json).toEqual(reauthentication);
    expect((await ask('?fromBookingDateTime=2026-05-01', young)).status).toBe(200);
  });

  it('have a refusal that names the limit and a fromBookingDateTime that succeeds without changes', async () => {
    for (const query of ['', '?fromBookingDateTime=2026-01-01']) {
      const { Errors } = (await ask(query)).json;
      expect(Errors[0].Message).toContain('5-minute authentication window closed at 2026-06-15T12:00:00+00:00');
      expect(Errors[0].Message).toContain('younger than 90 days');
      const earliest = /\((\S+) or later\)/.exec(Errors[0].Message)?.[1] ?? '';
      expect((await ask(`?fromBookingDateTime=${earliest}`)).status).toBe(200);
      // A minute to read the message and to act.
      stack.clock.advance(minuteMs);
      expect((await ask(`?fromBookingDateTime=${earliest}`)).status).toBe(200);
      stack.clock.set(noon);
    }
  });

  it('open again for five minutes after a new authentication', async () => {
    const stale = await stack.consent({ persona: 'complete', authenticatedAgoMs: dayMs });
    const offers = `/accounts/${stale.accountId('CreditCard')}/offers`;
    expect((await stack.ask(offers, { token: stale.token })).json).toEqual(reauthentication);
    const reported = await stack.report(`/consents/${stale.consentId}/reauthentications`, {
      customerRef: stale.customerRef,
      authenticatedAt: new Date(noon - minuteMs).toISOString(),
    });
    expect(reported.status).toBe(200);
    expect((await stack.ask(offers, { token: stale.token })).status).toBe(200);
    stack.clock.set(noon + 4 * minuteMs - 1);
    expect((await stack.ask(offers, { token: stale.token })).status).toBe(200);
    stack.clock.set(noon + 4 * minuteMs);
    expect((await stack.ask(offers, { token: stale.token })).json).toEqual(reauthentication);
  });
});

describe('later pages of an answer', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ rules: { pageSize: 25 } });
  });
  afterAll(() => stack.close());
  afterEach(() => stack.clock.set(noon));

  it('are checked by the age of fromBookingDateTime at the first page, for 15 minutes', async () => {
    const { token, accountId } = await stack.consent({ persona: 'history', authenticatedAgoMs: dayMs });
    const edge = new Date(noon - 90 * dayMs + 1).toISOString();
    const first = await stack.ask(`/accounts/${accountId('CurrentAccount')}/transactions?fromBookingDateTime=${edge}`, {
      token,
    });
    expect(first.status).toBe(200);
    const follow = (link: string): Promise<Answer> =>
      stack.ask(link.slice('https://gateway.example'.length), { token });
    const next = await follow(first.json.Links.Next);
    expect(next.status).toBe(200);

    stack.clock.set(noon + 15 * minuteMs - 1);
    const late = await follow(next.json.Links.Next);
    expect(late.status).toBe(200);
    stack.clock.set(noon + 15 * minuteMs + 1);
    // Also through a page that was itself requested in time: the first page counts.
    for (const link of [next.json.Links.Next, late.json.Links.Next, late.json.Links.Prev])
      expect((await follow(link)).json).toEqual(reauthentication);
  });

  it('pass every other guard again, such as the window where fromBookingDateTime is absent', async () => {
    const { token, accountId } = await stack.consent({ persona: 'history' });
    const first = await stack.ask(`/accounts/${accountId('CurrentAccount')}/transactions`, { token });
    stack.clock.advance(5 * minuteMs);
    const next = await stack.ask(first.json.Links.Next.slice('https://gateway.example'.length), { token });
    expect(next.json).toEqual(reauthentication);
  });
});

it('the length of the window and the depth of the exempt history are settings', async () => {
  const stack = await Stack.start({ rules: { authenticationWindowSeconds: 90, exemptHistoryDays: 30 } });
  try {
    const { token, accountId } = await stack.consent({ persona: 'complete' });
    const ask = (path: string): Promise<Answer> => stack.ask(`/accounts/${accountId('CreditCard')}/${path}`, { token });
    stack.clock.set(noon + 89_999);
    expect((await ask('offers')).status).toBe(200);
    stack.clock.set(noon + 90_000);
    const refused = await ask('offers');
    expect(refused.json).toEqual(reauthentication);
    expect(refused.json.Message).toContain('90-second authentication window');
    expect((await ask('transactions?fromBookingDateTime=2026-05-16T12:01:30')).json).toEqual(reauthentication);
    expect((await ask('transactions?fromBookingDateTime=2026-05-16T12:01:31')).status).toBe(200);
  } finally {
    await stack.close();
  }
});
