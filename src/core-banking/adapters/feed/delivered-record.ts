import { RowFault } from '../../../../packages/core-adapter/core-rows.js';
import type { CoreAccount, CoreBalance, CoreMoney, CoreTime } from '../../../../packages/core-adapter/core.records.js';
import { minorUnitDigits } from '../../../../packages/core-adapter/currencies.js';
import type { FeedFile, Part } from './feed-file.js';
import { timeMs } from '../../../../packages/core-adapter/history-order.js';
import { textOfRecord } from './record-text.js';

type RecordOfPart = Readonly<Record<string, unknown>>;

/** A record of a delivery on its way into the replica: the values that the checks compare, and the record itself as text. */
export type DeliveredRecord = Readonly<ReturnType<typeof delivered>>;

/** @throws RowFault where the replica cannot order the record by its id, or the bank's file rules it out */
export function delivered(part: Part, owner: string, record: RecordOfPart, { pending }: Pick<FeedFile, 'pending'>) {
  if (record.status === 'pending' && pending === 'none')
    throw new RowFault('status', 'pending, and the file of the bank says pending: none');
  const money = moneyOf(part, record);
  return {
    /** The account as the file names it; of a party the customer. */
    owner,
    /** Identifies it among the owner's records: its id, a balance's kind, an account's IBAN, a holder's customer. */
    id: idOf(part, record),
    atMs: atMsOf(part, record),
    booked: part === 'transactions' ? record.status === 'booked' : null,
    /** The currency of the amount that has to be in the account's currency. */
    currency: part === 'accounts' ? (record as unknown as CoreAccount).currency : (money?.currency ?? null),
    minorUnits: money?.minorUnits ?? null,
    body: textOfRecord(record),
  };
}

function idOf(part: Part, record: RecordOfPart): string | null {
  if (part === 'accounts') return (record as unknown as CoreAccount).iban ?? null;
  if (part === 'balances') return (record as unknown as CoreBalance).kind;
  if (typeof record.id !== 'string') return null;
  // The database compares bytes of UTF-8. Only beyond the basic plane is that another order than by code unit.
  if (/[\ud800-\udfff]/.test(record.id)) throw new RowFault('id', 'has a character beyond the basic plane of Unicode');
  return record.id;
}

function atMsOf(part: Part, { at, endAt }: RecordOfPart): number | null {
  const time = part === 'statements' ? endAt : at;
  return time === undefined ? null : timeMs(time as CoreTime);
}

function moneyOf(part: Part, { amount, closingBalance }: RecordOfPart): CoreMoney | undefined {
  if (part === 'statements') return closingBalance as CoreMoney;
  return part === 'balances' || part === 'transactions' ? (amount as CoreMoney) : undefined;
}

/** The amount in ten-thousandths, as control sums count it. */
export function tenThousandthsOf({ minorUnits, currency }: DeliveredRecord): bigint {
  if (minorUnits === null || currency === null) return 0n;
  return minorUnits * 10n ** BigInt(4 - (minorUnitDigits(currency) ?? 0));
}
