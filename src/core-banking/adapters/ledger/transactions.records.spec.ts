import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { translateRow, translateRows } from '../../../../packages/core-adapter/core-rows.js';
import {
  card,
  creditor,
  current,
  gbp,
  leavesOutWhatItCannotRead,
  namesWhatItCannotRead,
  onCurrent,
  payee,
  secret,
} from '../../../../test/cores/ledger/ledger.rows.js';
import { timeAndIdOf, toTransaction } from './transactions.records.js';

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

describe('the ledger’s entry', () => {
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

  it('becomes a pending transaction at the time it was made, with the expected time of booking', () => {
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

  it('is rejected at the time at which the ledger refused it', () => {
    const refused = { ...entry, state: 'REFUSED', made: '' };
    expect(toTransaction(refused, current)).toMatchObject({ status: 'rejected', at: toTransaction(entry, current).at });
  });

  it('has the codes and the parties that the ledger knows', () => {
    const bank = { bic: 'SBOXGB2L', lei: '2138SANDBOXBANK00135', seat: { town: 'London', land: 'GB' } };
    const known = {
      iso: { family: 'RCDT', sub: 'SALA' },
      own: { code: 'BGC', by: 'SBOX' },
      cat: 'SALA',
      purp: 'BONU',
      payer: { ...payee, alias: { code: 'EMAL', id: 'sam@okafor.example' }, bank },
      payerFor: { name: 'An Employer' },
      payee,
    };
    expect(toTransaction({ ...entry, ...known }, current)).toMatchObject({
      isoTransactionCode: { family: 'RCDT', subFamily: 'SALA' },
      bankTransactionCode: { code: 'BGC', issuer: 'SBOX' },
      categoryPurpose: 'SALA',
      paymentPurpose: 'BONU',
      creditor,
      debtor: { ...creditor, proxy: { code: 'EMAL', identification: 'sam@okafor.example' } },
      debtorAgent: { bic: 'SBOXGB2L', lei: '2138SANDBOXBANK00135', address: { townName: 'London', country: 'GB' } },
      ultimateDebtor: { name: 'An Employer' },
    });
  });

  it('turns a card’s running balance into a debt', () => {
    expect(toTransaction(entry, card).runningBalance).toEqual(gbp(-5000n));
  });

  it('keeps a day without a time as a day, on 29 February too', () => {
    expect(toTransaction({ ...entry, booked: '20240229' }, current).at).toEqual({ date: '2024-02-29' });
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

  it('is omitted, and the others stay', () => {
    const rows = [entry, 7, { ...entry, key: 'E2', amt: secret }, null, [entry], { ...entry, key: 'E3' }];
    const { items, bad } = translateRows('entries', rows, (row) => toTransaction(row, current).id, timeAndIdOf);
    expect(items).toEqual(['E1', 'E3']);
    expect(bad.map(({ where }) => where)).toEqual(['entries[1]', 'entries[2]', 'entries[3]', 'entries[4]']);
    expect(bad.map(({ position }) => position?.id)).toEqual([undefined, 'E2', undefined, undefined]);
  });

  it('hides no bug of the translation: its error is rethrown unchanged', () => {
    const bug = () =>
      translateRows('entries', [entry], () => {
        throw new TypeError('a bug');
      });
    expect(bug).toThrow(TypeError);
  });

  namesWhatItCannotRead([
    ['amt', onCurrent(toTransaction), entry, { amt: '12.34' }],
    ['amt', onCurrent(toTransaction), entry, { amt: 12.34 }],
    ['amt', onCurrent(toTransaction), entry, { amt: 2 ** 53 }],
    ['amt', onCurrent(toTransaction), entry, { amt: -1 }],
    ['amt', onCurrent(toTransaction), entry, { amt: undefined }],
    ['side', onCurrent(toTransaction), entry, { side: secret }],
    ['state', onCurrent(toTransaction), entry, { state: secret }],
    ['booked', onCurrent(toTransaction), entry, { booked: '' }],
    ['booked', onCurrent(toTransaction), entry, { booked: 20261103 }],
    ['booked', onCurrent(toTransaction), entry, { booked: undefined }],
    ['made', onCurrent(toTransaction), entry, { state: 'HELD', made: '' }],
  ]);

  leavesOutWhatItCannotRead([
    ['isoTransactionCode', onCurrent(toTransaction), entry, { iso: { family: 'RCDT' } }],
    ['isoTransactionCode', onCurrent(toTransaction), entry, { iso: { family: secret, sub: 'SALA' } }],
    ['categoryPurpose', onCurrent(toTransaction), entry, { cat: secret }],
    ['creditor', onCurrent(toTransaction), entry, { payee: { ...payee, id: secret } }],
    [
      'debtorAgent',
      onCurrent(toTransaction),
      { ...entry, payer: payee },
      { payer: { ...payee, bank: { bic: secret } } },
    ],
    ['madeAt', onCurrent(toTransaction), entry, { made: secret }],
    ['valueAt', onCurrent(toTransaction), entry, { value: 'infinity' }],
    ['description', onCurrent(toTransaction), entry, { text: 7 }],
    ['runningBalance', onCurrent(toTransaction), entry, { bal: 'many' }],
    ['exchange', onCurrent(toTransaction), entry, { fx: null }],
    ['exchange', onCurrent(toTransaction), entry, { fx: { ccy: secret, rate: '' } }],
    ['exchange', onCurrent(toTransaction), entry, { fx: { ccy: 'USD', rate: 7 } }],
  ]);
});
