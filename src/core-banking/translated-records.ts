import { faultOf, notingUnread, repeatedId, RowFault } from '../../packages/core-adapter/core-rows.js';
import type { AccountRead, BadRecord, CoreItems, UnreadField } from '../../packages/core-adapter/core.adapter.js';
import type { CoreRecord } from './core-record.js';

/** The members that a record of the port always has, as objects or ids: an adapter may have taken its core's word for it. */
const needed: { readonly [Read in AccountRead]?: readonly (keyof CoreRecord<Read>)[] } = {
  balances: ['amount', 'at'],
  transactions: ['id', 'at', 'amount'],
  scheduledPayments: ['id', 'dueAt', 'amount', 'creditor'],
  beneficiaries: ['id', 'creditor'],
  statements: ['startAt', 'endAt', 'createdAt', 'closingBalance'],
  directDebits: ['id', 'mandate', 'name'],
  standingOrders: ['id', 'frequency', 'creditor'],
};

interface TranslatedRecords<Out> {
  readonly out: Out[];
  /** How many could be read, those that `translate` leaves out too. */
  readonly good: number;
  readonly bad: readonly BadRecord[];
  readonly unread: readonly UnreadField[];
}

/**
 * The records of an answer, translated. A record that cannot be read is bad, and so is one with the id of an earlier one: a TPP
 * that received an id twice would count the same money twice.
 *
 * @param idMember the member that holds a record's id; `undefined` for records without an id
 */
export function translateRecords<In, Out>(
  read: AccountRead | 'accounts',
  found: CoreItems<In>,
  translate: (record: In) => Out | undefined,
  idMember: 'ref' | 'id' | undefined,
): TranslatedRecords<Out> {
  const out: Out[] = [];
  const bad = [...found.bad];
  const unread = [...(found.unread ?? [])];
  const seen = new Set<unknown>();
  let good = 0;
  for (let index = 0; index < found.items.length; index++) {
    const record = found.items[index] as In;
    const where = (): string => `${read}[${index}]`;
    try {
      const { item, unread: fields } = notingUnread(() => {
        refuseIncomplete(read, record);
        return translate(record);
      });
      const [first] = fields;
      if (first !== undefined && fields.length >= membersOf(record)) {
        bad.push({ where: where(), fault: first.fault });
        continue;
      }
      if (idMember !== undefined && seen.size === seen.add((record as Identified)[idMember]).size) {
        bad.push({ where: where(), fault: repeatedId });
        continue;
      }
      good++;
      for (const field of fields) unread.push({ where: where(), ...field });
      if (item !== undefined) out.push(item);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      bad.push({ where: where(), fault });
    }
  }
  return { out, good, bad, unread };
}

/** A record of which no member can be shown says nothing: an offer needs none, and would be an empty one. */
function membersOf(record: unknown): number {
  return Object.values(record as object).filter((value) => value !== undefined).length;
}

type Identified = Readonly<Record<'ref' | 'id', string>>;

/** @throws RowFault */
function refuseIncomplete(read: AccountRead | 'accounts', record: unknown): void {
  if (read === 'accounts') return;
  for (const name of needed[read] ?? [])
    if (((record as Readonly<Record<string, unknown>>)[name] ?? undefined) === undefined)
      throw new RowFault(name, 'missing');
}
