import { expect, it } from '@jest/globals';
import type { CoreAccount, CoreMoney } from '../../../packages/core-adapter/core.records.js';
import { type Row, notingUnread, translateRow } from '../../../packages/core-adapter/core-rows.js';

// For the specs of the ledger's records.

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
