import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { kitServices } from '../../../../packages/adapter-kit/kit-services.js';
import { FineractStub } from '../../../../test/cores/fineract/fineract-stub.js';
import type { StandingInstructionRow } from '../../../../test/cores/fineract/fineract.model.js';
import { savings, smallBank, smallBankVariables } from '../../../../test/cores/fineract/small-bank.js';
import { faultOf } from '../../../../test/support/core-fault.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type { CoreContext, CoreRead } from '../../../../packages/core-adapter/core.adapter.js';
import type { CoreStandingOrder } from '../../../../packages/core-adapter/core.records.js';
import { createAdapter, type FineractAdapter } from './fineract.adapter.js';

const clock = new FakeClock(0);

describe('the Fineract adapter', () => {
  let stub: FineractStub;
  let core: FineractAdapter;
  const person: CoreContext = {
    interactionId: 'i',
    customerRef: '7',
    customerPresent: true,
    signal: new AbortController().signal,
  };

  beforeAll(async () => {
    stub = await FineractStub.start({ model: smallBank(), clock });
    core = createAdapter({ url: stub.url, connections: 4, variables: smallBankVariables }, kitServices);
  });
  afterEach(() => {
    stub.model.instructions.length = 0;
    stub.calls.length = 0;
  });
  afterAll(async () => {
    await core.close();
    await stub.close();
  });

  const monthly: StandingInstructionRow = {
    id: 1,
    fromAccountId: 101,
    toAccountId: 201,
    name: 'Rent',
    amount: '750.000000',
    validFrom: '2026-01-10',
    recurrenceFrequency: 2,
    recurrenceInterval: 1,
    recurrenceOnMonthDay: [1, 15],
  };
  async function orders(
    rows: Partial<StandingInstructionRow>[],
    now = '2026-06-15T12:00:00Z',
  ): Promise<CoreRead<CoreStandingOrder>> {
    clock.set(Date.parse(now));
    stub.model.instructions.splice(0, Infinity, ...rows.map((row, index) => ({ ...monthly, id: index + 1, ...row })));
    return (core as Required<FineractAdapter>).standingOrders('101', person);
  }
  const order = async (row: Partial<StandingInstructionRow>, now?: string): Promise<CoreStandingOrder | undefined> =>
    (await orders([row], now)).items[0];

  describe('a standing order', () => {
    it('is the instruction, with the payee’s account from the data table and its days computed', async () => {
      expect(await order({ validTill: '2026-12-15' })).toEqual({
        id: '1',
        frequency: { every: 'month', interval: 1, day: 15 },
        reference: 'Rent',
        status: 'active',
        firstPaymentAt: { date: '2026-01-15' },
        nextPaymentAt: { date: '2026-06-15' },
        finalPaymentAt: { date: '2026-11-15' },
        nextPaymentAmount: { minorUnits: 75000n, currency: 'GBP' },
        creditor: { scheme: 'sort-code', identification: '04000487654321', name: 'Kiln Ltd' },
      });
    });

    it.each<[Partial<StandingInstructionRow>, CoreStandingOrder['frequency']]>([
      [
        { recurrenceFrequency: 0, recurrenceInterval: 3 },
        { every: 'day', interval: 3 },
      ],
      [
        { recurrenceFrequency: 1, recurrenceInterval: 2 },
        { every: 'week', interval: 2, weekday: 6 },
      ],
      [
        { recurrenceFrequency: 1, validFrom: '2026-01-11' },
        { every: 'week', interval: 1, weekday: 7 },
      ],
      [
        { recurrenceInterval: 3, recurrenceOnMonthDay: [1, 31] },
        { every: 'month', interval: 3, day: 31 },
      ],
      [
        { recurrenceFrequency: 3, recurrenceOnMonthDay: [4, 6] },
        { every: 'month', interval: 12, day: 6 },
      ],
      [{ recurrenceOnMonthDay: [4, 31], validFrom: '2026-04-01' }, { every: 'other' }],
    ])('of %j is paid %j', async (row, frequency) => {
      expect((await order(row))?.frequency).toEqual(frequency);
    });

    it('counts days in the tenant’s zone, on both days on which the clocks change', async () => {
      const daily = { recurrenceFrequency: 0 };
      expect((await order(daily, '2026-03-29T00:59:59Z'))?.nextPaymentAt).toEqual({ date: '2026-03-29' });
      expect((await order(daily, '2026-06-14T23:00:00Z'))?.nextPaymentAt).toEqual({ date: '2026-06-15' });
      expect((await order(daily, '2026-10-24T22:59:59Z'))?.nextPaymentAt).toEqual({ date: '2026-10-24' });
      expect((await order(daily, '2026-10-24T23:00:00Z'))?.nextPaymentAt).toEqual({ date: '2026-10-25' });
      expect((await order(daily, '2026-10-25T23:59:59Z'))?.nextPaymentAt).toEqual({ date: '2026-10-25' });
    });

    it('is suspended when it is disabled and expired after its end, without a next payment', async () => {
      for (const [row, status] of [
        [{ status: 2 }, 'suspended'],
        [{ validTill: '2026-06-15' }, 'expired'],
        [{ status: 2, validTill: '2026-01-01' }, 'expired'],
      ] as const)
        expect(await order(row)).toMatchObject({ status, nextPaymentAt: undefined });
      expect((await order({ validTill: '2026-06-16' }))?.status).toBe('active');
    });

    it('has no amount when it pays the amount due, or nothing', async () => {
      expect(await order({ instructionType: 2 })).toHaveProperty('nextPaymentAmount', undefined);
      expect(await order({ amount: '0.000000' })).toHaveProperty('nextPaymentAmount', undefined);
    });

    it('is omitted when it was deleted, repays a loan, or belongs to another account or client', async () => {
      stub.model.accounts.push(savings({ id: 105, clientId: 7 }));
      const rows = [
        { status: 3 },
        { recurrenceType: 2 },
        { transferType: 2 },
        { fromAccountId: 105 },
        { fromAccountId: 201 },
      ];
      expect(await orders(rows)).toMatchObject({ items: [], bad: [] });
      stub.model.accounts.pop();
    });

    it('is a bad record without the payee’s account, or with an invalid interval or day', async () => {
      const { items, bad } = await orders([
        { id: 5, toAccountId: 102 },
        { id: 6 },
        { id: 7, recurrenceInterval: 0 },
        { id: 8, recurrenceOnMonthDay: [13, 1] },
      ]);
      expect(items.map(({ id }) => id)).toEqual(['6']);
      expect(bad).toEqual([
        { where: 'standinginstructions[0]', fault: 'toAccount: without a sort code or an IBAN in the data table' },
        { where: 'standinginstructions[2]', fault: 'recurrenceInterval: not from 1 to 10000' },
        { where: 'standinginstructions[3]', fault: 'recurrenceOnMonthDay: not a month and a day' },
      ]);
    });

    it('is requested with the client, in pages that count rows, and each payee is read once', async () => {
      const { items } = await orders(Array.from({ length: 501 }, () => ({})));
      expect(items.map(({ id }) => Number(id))).toEqual(Array.from({ length: 501 }, (_, index) => index + 1));
      const calls = stub.calls.filter(({ path }) => path === '/v1/standinginstructions');
      // The last row of a page is read again as the first of the next one.
      expect(calls.map(({ query }) => [query.get('clientId'), query.get('offset')])).toEqual([
        ['7', '0'],
        ['7', '499'],
      ]);
      expect(stub.calls.filter(({ path }) => path.endsWith('/201'))).toHaveLength(1);
    });
  });

  describe('the standing orders of an account', () => {
    /** Changes the list when Fineract is asked for the second page. */
    const changedBefore = (rows: number, change: () => void): Promise<CoreRead<CoreStandingOrder>> => {
      let calls = 0;
      stub.intercept = (_, __, { pathname }) => {
        if (pathname.endsWith('/standinginstructions') && ++calls === 2) change();
        return 'not handled';
      };
      return orders(Array.from({ length: rows }, () => ({})));
    };
    afterEach(() => {
      delete stub.intercept;
    });
    const ids = ({ items }: CoreRead<CoreStandingOrder>): number[] => items.map(({ id }) => Number(id));
    const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

    it.each([1, 499, 500, 501, 999, 1_000, 1_500])('are all there, once each, where there are %i', async (count) => {
      const read = await orders(Array.from({ length: count }, () => ({})));
      expect(ids(read)).toEqual(upTo(count));
      expect(read.bad).toEqual([]);
    });

    it('are those of the time of the read where one is added meanwhile', async () => {
      const read = await changedBefore(501, () => stub.model.instructions.push({ ...monthly, id: 502 }));
      expect(ids(read)).toEqual(upTo(502));
    });

    it('are refused where one disappears between two pages, because the next would be lost', async () => {
      const fault = await faultOf(changedBefore(501, () => stub.model.instructions.splice(0, 1)));
      expect([fault.kind, fault.detail]).toEqual(['unavailable', expect.stringContaining('changed')]);
      expect((await faultOf(changedBefore(500, () => stub.model.instructions.splice(0, 1)))).kind).toBe('unavailable');
    });

    it('are refused where Fineract does not keep the order that it was asked for', async () => {
      stub.intercept = (_, __, url) => {
        url.searchParams.delete('orderBy');
        return 'not handled';
      };
      const fault = await faultOf(orders(Array.from({ length: 501 }, () => ({}))));
      expect(fault.kind).toBe('unavailable');
    });

    it('are refused beyond 10,000, so that no core can fill the memory', async () => {
      expect(ids(await orders(Array.from({ length: 9_980 }, () => ({}))))).toHaveLength(9_980);
      const fault = await faultOf(orders(Array.from({ length: 10_001 }, () => ({}))));
      expect([fault.kind, fault.detail]).toEqual(['bad-record', expect.stringContaining('10000')]);
    });

    it('are bad records where the paid account is not a savings account, and no savings account is read for it', async () => {
      const { items, bad } = await orders([{ toAccountType: 1 }, {}]);
      expect(items.map(({ id }) => id)).toEqual(['2']);
      expect(bad).toEqual([
        { where: 'standinginstructions[0]', fault: 'toAccountType.id: not that of a savings account' },
      ]);
      stub.calls.length = 0;
      await orders([{ toAccountType: 1 }]);
      expect(stub.calls.filter(({ path }) => path.endsWith('/ob_identifiers/201'))).toEqual([]);
    });
  });

  describe('beneficiaries', () => {
    const beneficiaries = (ref: string) => (core as Required<FineractAdapter>).beneficiaries(ref, person);

    it('are the rows of the data table, with any characters in their names', async () => {
      expect((await beneficiaries('101')).items).toEqual([
        {
          id: '1',
          kind: 'third-party',
          creditor: { scheme: 'sort-code', identification: '11223344556677', name: 'Bärbel "Babs" \\ Müller' },
        },
        {
          id: '2',
          kind: 'international',
          creditor: { scheme: 'iban', identification: 'DE89370400440532013000', name: 'Marta' },
        },
      ]);
      expect((await beneficiaries('102')).items).toEqual([]);
    });

    it('that cannot be read are named', async () => {
      const table = stub.model.tables.get('ob_beneficiary');
      table?.rows.set(102, [
        [3, 102, 'friend', 'A', '112233', '44556677', null],
        [4, 102, 'third-party', 'A', '112233', null, null],
        [5, 102, 'third-party', 'A', null, null, null],
        [6, 102, 'third-party', 'A', '1122334', '4556677', null],
      ]);
      const { items, bad } = await beneficiaries('102');
      table?.rows.delete(102);
      expect(items).toEqual([]);
      expect(bad.map(({ fault }) => fault)).toEqual([
        'kind: not a known word',
        'sort_code: not a sort code that fits its account_number',
        'sort_code: neither it nor iban is there',
        'sort_code: not a sort code that fits its account_number',
      ]);
    });
  });

  describe('a read that Fineract cannot serve', () => {
    it('is reported missing with its reason; a read that needs a data table is missing only without that table', async () => {
      const always = ['directDebits', 'offers', 'scheduledPayments', 'statements'];
      expect(Object.keys(core.missing).sort()).toEqual(always);
      const { CORE_BENEFICIARIES_TABLE: _, CORE_IDENTIFIERS_TABLE: __, ...variables } = smallBankVariables;
      const bare = createAdapter({ url: stub.url, connections: 1, variables }, kitServices);
      expect(Object.keys(bare.missing).sort()).toEqual(
        [...always, 'beneficiaries', 'findPaymentAccount', 'standingOrders'].sort(),
      );
      for (const [read, reason] of Object.entries(bare.missing)) {
        expect([read, bare[read as keyof FineractAdapter]]).toEqual([read, undefined]);
        expect(reason.length).toBeGreaterThan(10);
      }
      await bare.close();
    });
  });
});
