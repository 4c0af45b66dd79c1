import { describe, expect, it } from '@jest/globals';
import type { CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import type { Permission } from '../../open-banking/permissions.js';
import { admits, permittedQuery, type PermittedQuery } from './transaction.policy.js';

const nowMs = 1_000;
const both: Permission[] = ['ReadTransactionsCredits', 'ReadTransactionsDebits'];
interface Case {
  readonly range?: { fromMs?: number; endMs?: number };
  readonly history?: { fromMs?: number; toMs?: number };
  readonly permissions?: readonly Permission[];
  readonly postedOnly?: boolean;
}
const asked = ({ range = {}, history = {}, permissions = both, postedOnly = false }: Case): unknown =>
  permittedQuery(range, { history, permissions: new Set(permissions) }, postedOnly, nowMs);

describe('permittedQuery', () => {
  it('asks for all transactions where nothing limits the query', () => {
    expect(asked({})).toEqual({});
  });

  it('cuts the filter to the consented history, whose last instant is inclusive', () => {
    expect(asked({ range: { fromMs: 10, endMs: 50 }, history: { fromMs: 20, toMs: 39 } })).toEqual({
      from: new Date(20),
      to: new Date(40),
    });
  });

  it('returns no query where filter and history do not overlap, and where the beginning is in the future', () => {
    expect(asked({ range: { fromMs: 40 }, history: { toMs: 39 } })).toBeUndefined();
    expect(asked({ range: { endMs: 20 }, history: { fromMs: 20 } })).toBeUndefined();
    expect(asked({ range: { fromMs: 39 }, history: { toMs: 39 } })).toEqual({ from: new Date(39), to: new Date(40) });
    expect(asked({ range: { fromMs: nowMs + 1 } })).toBeUndefined();
    expect(asked({ range: { fromMs: nowMs } })).toEqual({ from: new Date(nowMs) });
    expect(asked({ range: { endMs: nowMs * 2 } })).toEqual({ to: new Date(nowMs * 2) });
  });

  it('asks for one direction where the consent holds only its code', () => {
    expect(asked({ permissions: ['ReadTransactionsCredits'] })).toEqual({ direction: 'credit' });
    expect(asked({ permissions: ['ReadTransactionsDebits'] })).toEqual({ direction: 'debit' });
  });

  it('asks for booked transactions only where the product shows no others', () => {
    expect(asked({ postedOnly: true })).toEqual({ status: 'booked' });
  });
});

describe('admits', () => {
  const row = (over: Partial<CoreTransaction> = {}): CoreTransaction => ({
    id: 'T',
    status: 'booked',
    at: new Date(20),
    amount: { minorUnits: -1n, currency: 'GBP' },
    ...over,
  });

  it.each([
    [{}, {}, true],
    [{ from: new Date(20), to: new Date(21) }, {}, true],
    [{ from: new Date(21) }, {}, false],
    [{ to: new Date(20) }, {}, false],
    [{ direction: 'debit' }, {}, true],
    [{ direction: 'credit' }, {}, false],
    [{ direction: 'credit' }, { amount: { minorUnits: 0n, currency: 'GBP' } }, true],
    [{ direction: 'debit' }, { amount: { minorUnits: 0n, currency: 'GBP' } }, false],
    [{ status: 'booked' }, {}, true],
    [{ status: 'booked' }, { status: 'pending' }, false],
    [{ from: new Date(0) }, { at: { date: '1970-01-01' } }, true],
    [{ from: new Date(1) }, { at: { date: '1970-01-01' } }, false],
  ] as [PermittedQuery, Partial<CoreTransaction>, boolean][])(
    'decides whether the query %j admits the row %j: %s',
    (given, over, answer) => {
      expect(admits(given, row(over), false)).toBe(answer);
    },
  );

  it('shows no pending transaction of an account that became a Savings account after it was selected', () => {
    expect(admits({}, row({ status: 'pending' }), false)).toBe(true);
    expect(admits({}, row({ status: 'pending' }), true)).toBe(false);
    expect(admits({}, row(), true)).toBe(true);
  });
});
