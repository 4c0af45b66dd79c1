import { describe, expect, it } from '@jest/globals';
import type { CoreAccount } from '../../../../packages/core-adapter/core.records.js';
import {
  cycleEndMs,
  isDomestic,
  toAccount,
  toBalance,
  toBeneficiary,
  toDirectDebit,
  toOffer,
  toParty,
  toProductDetail,
  toScheduledPayment,
  toStandingOrder,
  toStatement,
  toTransaction,
} from './ledger.records.js';
import { translateRow, translateRows, type Row } from '../../../../packages/core-adapter/core-rows.js';

const acct: Row = {
  key: 'A1',
  prod: 'CUR100',
  ccy: 'GBP',
  label: 'Everyday   ',
  segment: 'P',
  status: 'OPEN',
  sort: '089999',
  num: '10010010',
  iban: 'GB54SBOX08999910010010',
  card: '',
};
const current: CoreAccount = {
  ref: 'A1',
  product: 'CurrentAccount',
  currency: 'GBP',
  permitted: true,
  holder: 'personal',
};
const card: CoreAccount = { ...current, product: 'CreditCard' };
const payee: Row = { form: 'UKACC', id: '08-99-99 10010010', name: 'Sam  ' };
const entry: Row = {
  key: 'E1',
  state: 'POSTED',
  booked: '20261103T093012.007Z',
  made: '20261103T092000.000Z',
  due: '',
  value: '20261104',
  amt: 1234,
  side: 'DR',
  text: 'SHOP   ',
  bal: 5000,
  fx: { ccy: 'USD', rate: '1.2624' },
};
const forward: Row = { key: 'S1', on: '20261201', how: 'OUT', ref: '', amt: 100, ccy: 'GBP', reach: 'DOM', payee };
const order: Row = {
  key: 'O1',
  rule: 'M1/1',
  ref: 'RENT ',
  first: '20250101',
  next: '20261201',
  last: '',
  status: 'ON',
  amt: 115000,
  ccy: 'GBP',
  reach: 'DOM',
  payee,
};
const cycle: Row = {
  opened: '20261003',
  closed: '20261101',
  made: '20261102T030000.000Z',
  kind: 'REG',
  owed: 54120,
  least: 2500,
  payby: '20261126',
};
const promo: Row = { until: '202706', feeBp: 299, capBp: 9500, least: 10000, leastFee: 300, annBp: 0, by: '20261231' };

const gbp = (minorUnits: bigint) => ({ minorUnits, currency: 'GBP' });

describe('a row of the ledger', () => {
  it('becomes an account, without blanks, without empty values', () => {
    expect(toAccount(acct)).toEqual({
      ref: 'A1',
      product: 'CurrentAccount',
      currency: 'GBP',
      description: 'Everyday',
      permitted: true,
      holder: 'personal',
      sortCode: '089999',
      accountNumber: '10010010',
      iban: 'GB54SBOX08999910010010',
    });
  });

  it.each([
    ['OPEN', true],
    ['DORM', true],
    ['BARRED', false],
    ['CLOSED', false],
  ])('in the state %s is permitted: %s', (status, permitted) => {
    expect(toAccount({ ...acct, status }).permitted).toBe(permitted);
  });

  it('keeps the last four digits of a card number and no more', () => {
    const account = toAccount({ ...acct, card: '4929421234567897' });
    expect(account.cardLastFour).toBe('7897');
    expect(JSON.stringify(account)).not.toContain('34567897');
  });

  it('becomes a balance in the customer’s favour: owed is negative, the arranged overdraft left out of what is available', () => {
    const at = '20261120T231500.123Z';
    expect(toBalance({ fig: 'LEDGER', amt: 61244, at, arranged: '' }, card).amount).toEqual(gbp(-61244n));
    expect(toBalance({ fig: 'SPEND', amt: 388756, at, arranged: '' }, card).amount).toEqual(gbp(388756n));
    expect(toBalance({ fig: 'LEDGER', amt: -15033, at, arranged: '' }, current).amount).toEqual(gbp(-15033n));
    expect(toBalance({ fig: 'SPEND', amt: 34967, at, arranged: 50000 }, current)).toEqual({
      kind: 'available',
      amount: gbp(-15033n),
      at: new Date('2026-11-20T23:15:00.123Z'),
      overdraftLimit: gbp(50000n),
    });
  });

  it('becomes a booked transaction', () => {
    expect(toTransaction(entry, current)).toEqual({
      id: 'E1',
      status: 'booked',
      at: new Date('2026-11-03T09:30:12.007Z'),
      madeAt: new Date('2026-11-03T09:20:00.000Z'),
      valueAt: { date: '2026-11-04' },
      amount: gbp(-1234n),
      description: 'SHOP',
      runningBalance: gbp(5000n),
      exchange: { sourceCurrency: 'USD', rate: '1.2624' },
    });
  });

  it('becomes a pending transaction at the time it was made, with what is expected', () => {
    const held = {
      ...entry,
      state: 'HELD',
      booked: '',
      due: '20261105T000000.000Z',
      value: '',
      bal: '',
      fx: '',
      side: 'CR',
    };
    expect(toTransaction(held, current)).toEqual({
      id: 'E1',
      status: 'pending',
      at: new Date('2026-11-03T09:20:00.000Z'),
      madeAt: new Date('2026-11-03T09:20:00.000Z'),
      expectedBookingAt: new Date('2026-11-05T00:00:00.000Z'),
      amount: gbp(1234n),
      description: 'SHOP',
    });
  });

  it('counts a card’s running balance as owed', () => {
    expect(toTransaction(entry, card).runningBalance).toEqual(gbp(-5000n));
  });

  it('keeps a day without a time as a day, on 29 February too', () => {
    expect(toTransaction({ ...entry, booked: '20240229' }, current).at).toEqual({ date: '2024-02-29' });
  });

  it('becomes each of the other records', () => {
    const creditor = { scheme: 'sort-code', identification: '08999910010010', name: 'Sam' };
    expect(toParty({ key: 'C1', name: ' Amelia  ' })).toEqual({ ref: 'C1', name: 'Amelia' });
    expect(toParty({ key: 'C1', name: '  ' })).toEqual({ ref: 'C1' });
    expect(toOffer(promo, card)).toEqual({
      endMonth: '2027-06',
      feePercentage: '2.99',
      maxTransferPercentage: '95.00',
      minTransferAmount: gbp(10000n),
      minFeeAmount: gbp(300n),
      annualRatePercentage: '0.00',
      takeUpEndDate: { date: '2026-12-31' },
    });
    expect(toOffer({ until: '', feeBp: '', capBp: '', least: '', leastFee: '', annBp: 5, by: '' }, card)).toEqual({
      annualRatePercentage: '0.05',
    });
    expect(toScheduledPayment({ ...forward, how: 'ARR' })).toEqual({
      id: 'S1',
      dueAt: { date: '2026-12-01' },
      type: 'arrival',
      amount: gbp(100n),
      creditor,
    });
    expect(
      toBeneficiary({ key: 'B1', sort: 'XB', payee: { form: 'IBAN', id: 'de89 3704 0044-0532', name: '' } }),
    ).toEqual({
      id: 'B1',
      kind: 'international',
      creditor: { scheme: 'iban', identification: 'DE89370400440532' },
    });
    expect(toDirectDebit({ key: 'M1', mandate: 'NLE 1 ', status: 'LAPSED', taker: 'NLE ' })).toEqual({
      id: 'M1',
      mandate: 'NLE 1',
      active: false,
      name: 'NLE',
    });
    expect(toStandingOrder(order)).toEqual({
      id: 'O1',
      frequency: { every: 'month', interval: 1, day: 1 },
      reference: 'RENT',
      firstPaymentAt: { date: '2025-01-01' },
      nextPaymentAt: { date: '2026-12-01' },
      active: true,
      nextPaymentAmount: gbp(115000n),
      creditor,
    });
    expect(toStatement(cycle, card)).toEqual({
      startAt: { date: '2026-10-03' },
      endAt: { date: '2026-11-01' },
      createdAt: new Date('2026-11-02T03:00:00.000Z'),
      type: 'regular',
      closingBalance: gbp(-54120n),
      minimumPayment: gbp(2500n),
      paymentDueAt: { date: '2026-11-26' },
    });
    expect(toProductDetail({ code: '', title: 'Basic ', family: 'BCA' })).toEqual({
      name: 'Basic',
      type: 'business-current-account',
    });
  });

  it.each([
    ['D1', { every: 'day', interval: 1 }],
    ['D10', { every: 'day', interval: 10 }],
    ['WD', { every: 'working-day' }],
    ['W2/5', { every: 'week', interval: 2, weekday: 5 }],
    ['M8/15', { every: 'month', interval: 8, day: 15 }],
    ['M1/-1', { every: 'month', interval: 1, day: -1 }],
    ['MW2/3', { every: 'month', weekOfMonth: 2, weekday: 3 }],
    ['Q/E', { every: 'quarter', days: 'english' }],
    ['Q/S', { every: 'quarter', days: 'scottish' }],
    ['Q/R', { every: 'quarter', days: 'received' }],
    ['EASTER', { every: 'other' }],
    ['W1/8', { every: 'other' }],
    ['M1/0', { every: 'other' }],
    ['M1/32', { every: 'other' }],
    ['M-1/5', { every: 'other' }],
    ['M1', { every: 'other' }],
    ['M1/', { every: 'other' }],
    ['D0', { every: 'other' }],
    ['D1/1', { every: 'other' }],
    ['WD/1', { every: 'other' }],
    ['WD2', { every: 'other' }],
    ['Q', { every: 'other' }],
    ['Q/X', { every: 'other' }],
    ['Q1/E', { every: 'other' }],
    ['W1/E', { every: 'other' }],
    ['constructor', { every: 'other' }],
  ])('with the rhythm %s has the frequency %j', (rule, frequency) => {
    expect(toStandingOrder({ ...order, rule }).frequency).toEqual(frequency);
  });
});

const secret = 'S3CRET';
const onCurrent = (translate: (row: Row, account: CoreAccount) => unknown) => (row: Row) => translate(row, current);

describe('a row that cannot be read', () => {
  it.each<[string, (row: Row) => unknown, Row, Row]>([
    ['key', toAccount, acct, { key: '' }],
    ['prod', toAccount, acct, { prod: secret }],
    ['prod', toAccount, acct, { prod: 'toString' }],
    ['ccy', toAccount, acct, { ccy: 'gbp' }],
    ['label', toAccount, acct, { label: 7 }],
    ['segment', toAccount, acct, { segment: secret }],
    ['status', toAccount, acct, { status: secret }],
    ['sort', toAccount, acct, { sort: secret }],
    ['num', toAccount, acct, { num: '123' }],
    ['iban', toAccount, acct, { iban: secret }],
    ['card', toAccount, acct, { card: secret }],
    ['fig', onCurrent(toBalance), { fig: secret, amt: 1, at: '20261120', arranged: '' }, {}],
    ['at', onCurrent(toBalance), { fig: 'SPEND', amt: 1, arranged: '' }, {}],
    ['arranged', onCurrent(toBalance), { fig: 'SPEND', amt: 1, at: '20261120', arranged: -1 }, {}],
    ['amt', onCurrent(toTransaction), entry, { amt: '12.34' }],
    ['amt', onCurrent(toTransaction), entry, { amt: 12.34 }],
    ['amt', onCurrent(toTransaction), entry, { amt: 2 ** 53 }],
    ['amt', onCurrent(toTransaction), entry, { amt: -1 }],
    ['amt', onCurrent(toTransaction), entry, { amt: undefined }],
    ['side', onCurrent(toTransaction), entry, { side: secret }],
    ['state', onCurrent(toTransaction), entry, { state: secret }],
    ['bal', onCurrent(toTransaction), entry, { bal: null }],
    ['text', onCurrent(toTransaction), entry, { text: null }],
    ['fx', onCurrent(toTransaction), entry, { fx: null }],
    ['fx.ccy', onCurrent(toTransaction), entry, { fx: { ccy: secret, rate: '' } }],
    ['fx.rate', onCurrent(toTransaction), entry, { fx: { ccy: 'USD', rate: secret } }],
    ['booked', onCurrent(toTransaction), entry, { booked: '' }],
    ['booked', onCurrent(toTransaction), entry, { booked: 20261103 }],
    ['booked', onCurrent(toTransaction), entry, { booked: undefined }],
    ['made', onCurrent(toTransaction), entry, { state: 'HELD', made: '' }],
    ['on', toScheduledPayment, forward, { on: secret }],
    ['how', toScheduledPayment, forward, { how: secret }],
    ['payee', toScheduledPayment, forward, { payee: [] }],
    ['payee.form', toScheduledPayment, forward, { payee: { ...payee, form: secret } }],
    ['payee.id', toScheduledPayment, forward, { payee: { ...payee, id: secret } }],
    ['payee.id', toScheduledPayment, forward, { payee: { ...payee, id: ' - ' } }],
    ['reach', isDomestic, forward, { reach: secret }],
    ['sort', toBeneficiary, { key: 'B1', sort: secret, payee }, {}],
    ['closed', cycleEndMs, cycle, { closed: secret }],
    ['owed', onCurrent(toStatement), cycle, { owed: secret }],
    ['least', onCurrent(toStatement), cycle, { least: -1 }],
    ['kind', onCurrent(toStatement), cycle, { kind: secret }],
    ['mandate', toDirectDebit, { key: 'M1', mandate: ' ', status: 'LIVE', taker: 'X' }, {}],
    ['status', toDirectDebit, { key: 'M1', mandate: 'X', status: secret, taker: 'X' }, {}],
    ['rule', toStandingOrder, order, { rule: { not: 'readable' } }],
    ['status', toStandingOrder, order, { status: secret }],
    ['family', toProductDetail, { code: '', title: '', family: secret }, {}],
    ['until', onCurrent(toOffer), promo, { until: '202713' }],
    ['annBp', onCurrent(toOffer), promo, { annBp: secret }],
    ['by', onCurrent(toOffer), promo, { by: '20261231T000000.000Z' }],
    ['key', toParty, { key: '', name: '' }, {}],
  ])('names its field %s and never the value', (field, translate, row, spoilt) => {
    const read = translateRow('rows[4]', { ...row, ...spoilt }, translate);
    expect(read).toEqual({ where: 'rows[4]', fault: expect.stringMatching(new RegExp(`^${field}: `)) });
    expect(JSON.stringify(read)).not.toContain(secret);
  });

  it.each([
    '20260230',
    '20261301',
    '20260001',
    '20260100',
    '20250229',
    '21000229',
    '2026-11-20',
    '20261120T',
    '20261120T240000.000Z',
    '20261120T236000.000Z',
    '20261120T235960.000Z',
    '20261120T231500.123',
    '20261120T231500Z',
    '20261120T231500.123+',
    '20261120t231500.123Z',
    '2026112 T231500.123Z',
    '20261120T231500.12xZ',
    '+0261120',
    ' 2026112',
  ])('has %s for a time', (booked) => {
    const read = translateRow('rows[0]', { ...entry, booked }, onCurrent(toTransaction));
    expect(read).toEqual({ where: 'rows[0]', fault: 'booked: not a time' });
  });

  it('is left out, and the others stay', () => {
    const rows = [entry, 7, { ...entry, key: 'E2', amt: secret }, null, [entry], { ...entry, key: 'E3' }];
    const { items, bad } = translateRows('entries', rows, (row) => toTransaction(row, current).id);
    expect(items).toEqual(['E1', 'E3']);
    expect(bad.map(({ where }) => where)).toEqual(['entries[1]', 'entries[2]', 'entries[3]', 'entries[4]']);
  });

  it('is no excuse for a bug of ours, which goes on as it is', () => {
    const bug = () =>
      translateRows('entries', [entry], () => {
        throw new TypeError('a bug');
      });
    expect(bug).toThrow(TypeError);
  });
});
