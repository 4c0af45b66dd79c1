import assert from 'node:assert/strict';
import type { AccountRead, CoreRead } from '../../core-adapter/core.adapter.js';
import type { CoreTime } from '../../core-adapter/core.records.js';
import { timeText } from '../compare.js';
import type { Subject } from '../reads.js';
import type { Snapshot } from '../snapshot.js';

export function itemsOf(snapshot: Snapshot, read: AccountRead): readonly object[] {
  const found = snapshot[read];
  return found === undefined || found instanceof Error ? [] : found.items;
}

export function answered(snapshot: Snapshot, read: AccountRead, { accountRef }: Subject): CoreRead<object> {
  const found = snapshot[read];
  assert.ok(found !== undefined, `the adapter has no read ${read}`);
  if (found instanceof Error) assert.fail(`${read} of account ${accountRef}: ${found.message}`);
  return found;
}

/** Other clauses check international records and earlier statements. */
export function withoutUnlistedRecords(
  read: AccountRead,
  { truth }: Subject,
  items: readonly object[],
): readonly object[] {
  if (read === 'statements') {
    const ends = new Set((truth.earlierStatements ?? []).map(timeText));
    return items.filter((item) => !ends.has(timeText((item as { endAt: CoreTime }).endAt)));
  }
  if (read === 'scheduledPayments' || read === 'standingOrders')
    return items.filter((item) => !truth.international?.includes((item as { id: string }).id));
  return items;
}
