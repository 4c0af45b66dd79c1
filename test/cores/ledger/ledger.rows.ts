import { expect, it } from '@jest/globals';
import type { CoreAccount, CoreMoney } from '../../../packages/core-adapter/core.records.js';
import { type Row, notingUnread, translateRow } from '../../../packages/core-adapter/core-rows.js';

// One good row of each kind that the ledger sends, for the specs of its records.

export const acct: Row = {
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
export const current: CoreAccount = {
  ref: 'A1',
  product: 'CurrentAccount',
  currency: 'GBP',
  permitted: true,
  holder: 'personal',
};
export const card: CoreAccount = { ...current, product: 'CreditCard' };
export const payee: Row = { form: 'UKACC', id: '08-99-99 10010010', name: 'Sam  ' };
/** The result of {@link payee}. */
export const creditor = { scheme: 'sort-code', identification: '08999910010010', name: 'Sam' };
export const entry: Row = {
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
export const forward: Row = {
  key: 'S1',
  on: '20261201',
  how: 'OUT',
  ref: '',
  amt: 100,
  ccy: 'GBP',
  reach: 'DOM',
  payee,
};
export const order: Row = {
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

export const gbp = (minorUnits: bigint): CoreMoney => ({ minorUnits, currency: 'GBP' });

/** A value that no fault may repeat. */
export const secret = 'S3CRET';
export const onCurrent = (translate: (row: Row, account: CoreAccount) => unknown) => (row: Row) =>
  translate(row, current);

/** Declares a test for each optional field that cannot be read: the record lacks it, and its fault does not have the value. */
export function leavesOutWhatItCannotRead(
  cases: readonly (readonly [field: string, translate: (row: Row) => unknown, row: Row, spoilt: Row])[],
): void {
  it.each(cases)('lacks %s where it cannot be read, and says so without the value', (...it) => {
    const [field, translate, row, spoilt] = it;
    const { item, unread } = notingUnread(() => translate({ ...row, ...spoilt }));
    expect(unread).toEqual([{ field, fault: expect.any(String) }]);
    expect(item).toEqual({ ...(translate(row) as object), [field]: undefined });
    expect(JSON.stringify(unread)).not.toContain(secret);
  });
}

/** Declares a test for each row that cannot be read: the fault names the field and never the value. */
export function namesWhatItCannotRead(
  cases: readonly (readonly [field: string, translate: (row: Row) => unknown, row: Row, spoilt: Row])[],
): void {
  it.each(cases)('names the field %s of a row that it cannot read, and never the value', (...it) => {
    const [field, translate, row, spoilt] = it;
    const read = translateRow('rows[4]', { ...row, ...spoilt }, translate);
    expect(read).toEqual({ where: 'rows[4]', fault: expect.stringMatching(new RegExp(`^${field}: `)) });
    expect(JSON.stringify(read)).not.toContain(secret);
  });
}
