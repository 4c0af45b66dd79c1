import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { helpUrl } from '../support/error-shape.js';
import { InMemoryHistory } from '../support/in-memory-history.js';
import { Stack, type Answer, type ConsentedCustomer, type Json } from '../support/stack.js';

const moments = [
  '2026-05-04T23:59:59.999Z',
  '2026-05-05T00:00:00.000Z',
  '2026-05-05T09:30:00.000Z',
  '2026-05-05T09:30:59.999Z',
  '2026-05-05T09:31:00.000Z',
  '2026-05-05T23:59:59.999Z',
  '2026-05-06T00:00:00.000Z',
];
const [dayBefore, midnight, half, halfEnd, minuteAfter, dayEnd, dayAfter] = moments;

/** Tuesday 5 May 2026 in each form of ISO 8601: calendar, ordinal and week date, extended and basic. */
const extendedDays = ['2026-05-05', '2026-125', '2026-W19-2'];
const basicDays = ['20260505', '2026125', '2026W192'];
const days = [...extendedDays, ...basicDays];
const withTimes = (extended: string[], basic: string[]): string[] => [
  ...extendedDays.flatMap((day) => extended.map((time) => `${day}T${time}`)),
  ...basicDays.flatMap((day) => basic.map((time) => `${day}T${time}`)),
];
/** A query's zone is ignored, whatever it is. Its plus may have been left unescaped. */
const zones = ['', 'Z', '%2B01:00', '+01:00', '+01', '%2B0100', '-05:00', '+00:00'];
const zoned = (forms: string[]): string[] => forms.flatMap((form) => zones.map((zone) => form + zone));

const minutes = zoned(withTimes(['09:30'], ['0930']));
const seconds = zoned(withTimes(['09:30:00'], ['093000']));
const fractions = zoned(withTimes(['09:30:59.999', '09:30:59,999', '09:30:59.9990000'], ['093059.999', '093059,999']));

describe('fromBookingDateTime and toBookingDateTime', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let path: string;
  const history = new InMemoryHistory(
    moments.map((moment) => ({
      id: moment,
      status: 'booked' as const,
      at: new Date(moment),
      amount: { minorUnits: 1n, currency: 'GBP' },
    })),
  );
  beforeAll(async () => {
    stack = await Stack.start({ adapter: (ledger) => history.in(ledger) });
    customer = await stack.consent({ persona: 'complete' });
    path = `/accounts/${customer.accountId('CurrentAccount')}/transactions`;
  });
  afterAll(() => stack.close());

  const ask = (query: string): Promise<Answer> => stack.ask(`${path}?${query}`, { token: customer.token });
  /** The transactions of each query, oldest first, with the query as key: one comparison for all. */
  const shown = async (queries: string[]): Promise<Record<string, string[]>> => {
    const all: Record<string, string[]> = {};
    for (const query of queries) {
      const { status, json } = await ask(query);
      all[query] =
        status === 200
          ? json.Data.Transaction.map(({ BookingDateTime }: Json) => new Date(BookingDateTime).toISOString()).reverse()
          : [`${status}`];
    }
    return all;
  };
  const expectAll = async (queries: string[], expected: (string | undefined)[]): Promise<void> =>
    expect(await shown(queries)).toEqual(Object.fromEntries(queries.map((query) => [query, expected])));
  const from = (forms: string[]): string[] => forms.map((form) => `fromBookingDateTime=${form}`);
  const to = (forms: string[]): string[] => forms.map((form) => `toBookingDateTime=${form}`);

  it('begin with the unit that the lower edge names, in every form', async () => {
    const fromMidnight = [midnight, half, halfEnd, minuteAfter, dayEnd, dayAfter];
    await expectAll(from(days), fromMidnight);
    await expectAll(from([...minutes, ...seconds]), fromMidnight.slice(1));
    await expectAll(from(fractions), fromMidnight.slice(2));
  });

  it('end with the whole unit that the upper edge names, in every form', async () => {
    await expectAll(to(days), [dayBefore, midnight, half, halfEnd, minuteAfter, dayEnd]);
    await expectAll(to(minutes), [dayBefore, midnight, half, halfEnd]);
    await expectAll(to(seconds), [dayBefore, midnight, half]);
    await expectAll(to(fractions), [dayBefore, midnight, half, halfEnd]);
  });

  it('work together, also with the same unit for both', async () => {
    const both = (forms: string[]): string[] => forms.flatMap((form) => [`${from([form])[0]}&${to([form])[0]}`]);
    await expectAll(both(days), [midnight, half, halfEnd, minuteAfter, dayEnd]);
    await expectAll(both(minutes), [half, halfEnd]);
    await expectAll(both(seconds), [half]);
    await expectAll(both(fractions), [halfEnd]);
    await expectAll(['toBookingDateTime=2026-05-05T09:30&fromBookingDateTime=2026W192'], [midnight, half, halfEnd]);
  });

  it('treat months, weeks, years and hours as units', async () => {
    await expectAll(
      ['fromBookingDateTime=2026-05&toBookingDateTime=2026-W19', 'fromBookingDateTime=2026&toBookingDateTime=2026-05'],
      moments,
    );
    await expectAll(
      ['fromBookingDateTime=2026-05-05T09&toBookingDateTime=2026-05-05T09'],
      [half, halfEnd, minuteAfter],
    );
  });

  it('return an empty list and no error where no transaction can be: in the future, and out of any range', async () => {
    await expectAll(
      [
        ...from(['2026-06-15T12:00:00.001', '2026-06-16', '2999-12-31', '9999-12-31T23:59:59']),
        ...to(['2026-05-03', '0001-01-01', '1066-10-14']),
        'fromBookingDateTime=1900-01-01&toBookingDateTime=1900-12-31',
        'fromBookingDateTime=2026-05-07&toBookingDateTime=2030-01-01',
      ],
      [],
    );
    await expectAll([...from(['0001-01-01', '1066-10-14']), ...to(['9999-12-31', '2030-01-01'])], moments);
  });

  const refused = (name: string): unknown => ({
    Code: '400 BadRequest',
    Id: expect.any(String),
    Message: expect.stringContaining(name),
    Errors: [
      { ErrorCode: 'UK.OBIE.Field.InvalidDate', Message: expect.stringContaining(name), Path: name, Url: helpUrl },
    ],
  });

  it.each(['fromBookingDateTime', 'toBookingDateTime'])('refuse nonsense in %s by its name', async (name) => {
    const nonsense = [
      '',
      'yesterday',
      '2026-13-01',
      '2026-02-30',
      '2025-02-29',
      '2026-366',
      '2026-W54-1',
      '2026-W19-8',
      '05/05/2026',
      '2026-05-05T25:00',
      '2026-05-05T09:60',
      '2026-05-05 09:30',
      '1778000000',
      '-2026-05-05',
      '0000-01-01',
      '%00',
      '2026-05-05T09:30%2B25:00',
      '2026-05-05T09:30:00Europe/London',
      '2026-05-05T',
      'T09:30',
      '2026-05-05T9:30',
    ];
    for (const value of nonsense) {
      const answer = await ask(`${name}=${value}`);
      expect([value, answer.status, answer.json]).toEqual([value, 400, refused(name)]);
    }
    for (const twice of [`${name}=2026-05-05&${name}=2026-05-05`, `${name}=2026-05-05&${name}=`]) {
      const answer = await ask(twice);
      expect([twice, answer.status, answer.json]).toEqual([twice, 400, refused(name)]);
    }
  });

  it('refuse a lower edge after the upper edge', async () => {
    for (const query of [
      'fromBookingDateTime=2026-05-06&toBookingDateTime=2026-05-05',
      'fromBookingDateTime=2026-05-05T09:31&toBookingDateTime=2026-05-05T09:30',
      'fromBookingDateTime=2999-01-01&toBookingDateTime=2026-05-05',
    ]) {
      const answer = await ask(query);
      expect([query, answer.status, answer.json]).toEqual([query, 400, refused('fromBookingDateTime')]);
    }
  });

  it('ignore unknown parameters, even twice or in a different case', async () => {
    await expectAll(
      ['fromStatementDateTime=nonsense', 'frombookingdatetime=x&limit=2&limit=3', 'a[b]=c&=', '&&'],
      moments,
    );
  });

  it('are ignored by the endpoints that have no such parameters', async () => {
    for (const endpoint of ['', '/balances', '/party', '/offers', '/beneficiaries', '/standing-orders', '/product']) {
      const at = `/accounts/${customer.accountId('CurrentAccount')}${endpoint}?fromBookingDateTime=nonsense&page=1&page=2`;
      expect([at, (await stack.ask(at, { token: customer.token })).status]).toEqual([at, 200]);
    }
    expect((await stack.ask('/accounts?fromBookingDateTime=', { token: customer.token })).status).toBe(200);
  });
});
