import { describe, expect, it } from '@jest/globals';
import {
  creditor,
  forward,
  gbp,
  namesWhatItCannotRead,
  payee,
  secret,
} from '../../../../test/cores/ledger/ledger.rows.js';
import { toScheduledPayment } from './scheduled-payments.records.js';

describe('the ledger’s forward payment', () => {
  it('becomes a scheduled payment', () => {
    expect(toScheduledPayment({ ...forward, how: 'ARR' })).toEqual({
      id: 'S1',
      dueAt: { date: '2026-12-01' },
      type: 'arrival',
      amount: gbp(100n),
      creditor,
    });
  });

  namesWhatItCannotRead([
    ['on', toScheduledPayment, forward, { on: secret }],
    ['how', toScheduledPayment, forward, { how: secret }],
    ['payee', toScheduledPayment, forward, { payee: [] }],
    ['payee.form', toScheduledPayment, forward, { payee: { ...payee, form: secret } }],
    ['payee.id', toScheduledPayment, forward, { payee: { ...payee, id: secret } }],
    ['payee.id', toScheduledPayment, forward, { payee: { ...payee, id: ' - ' } }],
  ]);
});
