import { describe, expect, it } from '@jest/globals';
import {
  card,
  current,
  gbp,
  namesWhatItCannotRead,
  onCurrent,
  secret,
} from '../../../../test/cores/ledger/ledger.rows.js';
import { toBalance } from './balances.records.js';

describe('the ledger’s figure', () => {
  it('becomes a balance: a debt is negative, and the available balance excludes the arranged overdraft', () => {
    const at = '20261120T231500.123Z';
    expect(toBalance({ fig: 'LEDGER', amt: 61244, at, arranged: '' }, card).amount).toEqual(gbp(-61244n));
    expect(toBalance({ fig: 'SPEND', amt: 388756, at, arranged: '' }, card).amount).toEqual(gbp(388756n));
    expect(toBalance({ fig: 'LEDGER', amt: -15033, at, arranged: '' }, current).amount).toEqual(gbp(-15033n));
    expect(toBalance({ fig: 'SPEND', amt: 34967, at, arranged: 50000 }, current)).toEqual({
      kind: 'available',
      amount: gbp(-15033n),
      at: new Date('2026-11-20T23:15:00.123Z'),
      creditLimit: gbp(50000n),
    });
  });

  namesWhatItCannotRead([
    ['fig', onCurrent(toBalance), { fig: secret, amt: 1, at: '20261120', arranged: '' }, {}],
    ['at', onCurrent(toBalance), { fig: 'SPEND', amt: 1, arranged: '' }, {}],
    ['arranged', onCurrent(toBalance), { fig: 'SPEND', amt: 1, at: '20261120', arranged: -1 }, {}],
  ]);
});
