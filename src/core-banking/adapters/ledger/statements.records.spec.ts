import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import {
  card,
  gbp,
  leavesOutWhatItCannotRead,
  namesWhatItCannotRead,
  onCurrent,
  secret,
} from '../../../../test/cores/ledger/ledger.rows.js';
import { cycleEndMs, toStatement } from './statements.records.js';

const cycle: Row = {
  opened: '20261003',
  closed: '20261101',
  made: '20261102T030000.000Z',
  kind: 'REG',
  owed: 54120,
  least: 2500,
  payby: '20261126',
};

describe('the ledger’s cycle', () => {
  it('becomes a statement', () => {
    expect(toStatement(cycle, card)).toEqual({
      startAt: { date: '2026-10-03' },
      endAt: { date: '2026-11-01' },
      createdAt: new Date('2026-11-02T03:00:00.000Z'),
      type: 'regular',
      closingBalance: gbp(-54120n),
      minimumPayment: gbp(2500n),
      paymentDueAt: { date: '2026-11-26' },
    });
  });

  namesWhatItCannotRead([
    ['closed', cycleEndMs, cycle, { closed: secret }],
    ['owed', onCurrent(toStatement), cycle, { owed: secret }],
    ['kind', onCurrent(toStatement), cycle, { kind: secret }],
  ]);

  leavesOutWhatItCannotRead([
    ['minimumPayment', onCurrent(toStatement), cycle, { least: -1 }],
    ['paymentDueAt', onCurrent(toStatement), cycle, { payby: secret }],
  ]);
});
