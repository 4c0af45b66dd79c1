import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { leavesOutWhatItCannotRead, namesWhatItCannotRead, secret } from '../../../../test/cores/ledger/ledger.rows.js';
import { toAccount } from './accounts.records.js';

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

describe('the ledger’s account', () => {
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

  namesWhatItCannotRead([
    ['key', toAccount, acct, { key: '' }],
    ['prod', toAccount, acct, { prod: secret }],
    ['prod', toAccount, acct, { prod: 'toString' }],
    ['ccy', toAccount, acct, { ccy: 'gbp' }],
    ['segment', toAccount, acct, { segment: secret }],
    ['status', toAccount, acct, { status: secret }],
  ]);

  leavesOutWhatItCannotRead([
    ['description', toAccount, acct, { label: 7 }],
    ['sortCode', toAccount, acct, { sort: 89999 }],
    ['accountNumber', toAccount, acct, { num: {} }],
    ['iban', toAccount, acct, { iban: 7 }],
    ['cardLastFour', toAccount, acct, { card: secret }],
  ]);
});
