import type { ForwardRow } from '../ledger.records.js';
import { dayMs, dayOf } from '../stamps.js';

/** A payment in pounds that the bank is to make in some days. */
export function forward(
  nowMs: number,
  inDays: number,
  row: Pick<ForwardRow, 'key' | 'ref' | 'amt' | 'payee'> & Partial<ForwardRow>,
): ForwardRow {
  return { on: dayOf(nowMs + inDays * dayMs), how: 'OUT', ccy: 'GBP', reach: 'DOM', ...row };
}
