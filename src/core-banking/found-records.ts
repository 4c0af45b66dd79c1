import { faultOf, notingUnread, repeatedId, RowFault } from '../../packages/core-adapter/core-rows.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { AccountRead, BadRecord, CoreItems, UnreadField } from '../../packages/core-adapter/core.adapter.js';
import type { CoreObserver } from './core-observer.js';
import type { CoreRecord } from './core-record.js';
import type { ReadContext } from './read-context.js';

/** The members that every record must have. They are checked, because an adapter may pass on a record that lacks one. */
const needed: { readonly [Read in AccountRead | 'accounts']?: readonly (keyof CoreRecord<Read>)[] } = {
  balances: ['amount', 'at'],
  transactions: ['id', 'at', 'amount'],
  scheduledPayments: ['id', 'dueAt', 'amount', 'creditor'],
  beneficiaries: ['id', 'creditor'],
  statements: ['startAt', 'endAt', 'createdAt', 'closingBalance'],
  directDebits: ['id', 'mandate', 'name'],
  standingOrders: ['id', 'frequency', 'creditor'],
};

/** The rules that divide the records of a read into good and bad ones. */
interface RecordRules<Read extends AccountRead | 'accounts'> {
  readonly read: Read;
  /** The member that holds a record's id; `undefined` for records without an id. */
  readonly idMember: 'ref' | 'id' | undefined;
  /** @throws RowFault for a record that no mapper may see */
  readonly refuse?: (record: CoreRecord<Read>) => void;
  /** Where there are bad records, the answer needs at least one good one, or one that `translate` shows. */
  readonly least: 'none' | 'good' | 'shown';
}

/** The records of one read: those that the adapter could translate, and the positions of the bad ones. */
export class FoundRecords<Read extends AccountRead | 'accounts'> {
  constructor(
    readonly found: CoreItems<CoreRecord<Read>>,
    private readonly rules: RecordRules<Read>,
    private readonly context: Pick<ReadContext, 'interactionId' | 'tally'>,
    private readonly observer: CoreObserver,
  ) {}

  /**
   * Translates each record, and omits it where `translate` returns `undefined`. A record is bad if `translate` cannot
   * express it, or if an earlier record has its id: a TPP that received an id twice would count the same money twice. Bad
   * records, and optional fields that cannot be read, are omitted and counted.
   *
   * @throws FailedRead where an empty answer would hide bad records
   */
  map<Out>(translate: (record: CoreRecord<Read>) => Out | undefined): Out[] {
    const { read, idMember, least } = this.rules;
    const { items } = this.found;
    const out: Out[] = [];
    const bad = [...this.found.bad];
    const unread = [...(this.found.unread ?? [])];
    const ids = new Set<unknown>();
    let good = 0;
    for (let index = 0; index < items.length; index++) {
      const record = items[index] as CoreRecord<Read>;
      try {
        this.refuseUnusable(record);
        const { item, unread: fields } = notingUnread(() => translate(record));
        const first = fields[0];
        if (first !== undefined && fields.length >= membersOf(record)) {
          bad.push({ where: `${read}[${index}]`, fault: first.fault });
        } else if (idMember !== undefined && ids.size === ids.add((record as IdentifiedRecord)[idMember]).size) {
          bad.push({ where: `${read}[${index}]`, fault: repeatedId });
        } else {
          good++;
          if (first !== undefined) unread.push(...fields.map((field) => ({ where: `${read}[${index}]`, ...field })));
          if (item !== undefined) out.push(item);
        }
      } catch (error) {
        const fault = faultOf(error);
        if (fault === undefined) throw error;
        bad.push({ where: `${read}[${index}]`, fault });
      }
    }
    this.report(bad, unread);
    if (bad.length > 0 && least !== 'none' && (least === 'shown' ? out.length : good) === 0)
      throw new FailedRead(
        this.observer.core,
        new CoreError('bad-record', `${read}: no record could be shown, and ${bad.length} could not be read`),
      );
    return out;
  }

  private report(bad: readonly BadRecord[], unread: readonly UnreadField[]): void {
    const { interactionId, tally } = this.context;
    if (unread.length > 0) this.observer.unreadFields(this.rules.read, unread, interactionId);
    if (bad.length === 0) return;
    if (tally !== undefined) tally.badRecords += bad.length;
    this.observer.badRecords(this.rules.read, bad, interactionId);
  }

  /** @throws RowFault */
  private refuseUnusable(record: CoreRecord<Read>): void {
    const { read, refuse } = this.rules;
    for (const name of needed[read] ?? [])
      if ((record[name] ?? undefined) === undefined) throw new RowFault(String(name), 'missing');
    refuse?.(record);
  }
}

type IdentifiedRecord = Readonly<Record<'ref' | 'id', string>>;

/** How many members the record has. A record is bad if none of them can be shown: an offer would be an empty object. */
function membersOf(record: object): number {
  return Object.values(record).filter((value) => value !== undefined).length;
}

/** The failure of a read, with the core's name as operators give it. */
export class FailedRead extends CoreError {
  constructor(
    readonly core: string,
    { kind, detail, retryAfterSeconds }: CoreError,
  ) {
    super(kind, detail, retryAfterSeconds);
  }
}
