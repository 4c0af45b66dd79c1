import type {
  CoreBalance,
  CoreBeneficiary,
  CoreDirectDebit,
  CoreParty,
  CoreStatement,
  CoreTransaction,
} from '../../../packages/core-adapter/core.records.js';
import type { CoreItems } from '../../../packages/core-adapter/core.adapter.js';
import { leavesOf } from '../../../packages/adapter-kit/compare.js';
import { msOf } from '../../../packages/adapter-kit/history-model.js';
import type { AnyRead } from '../../../packages/adapter-kit/reads.js';
import type { Call } from './around.js';
import { keeping, mistakeIn, type Mutant, mistakeInRecords } from './mutant.js';

/** A mistake in the references by which the adapter asks. */
function mistakeInReferences(change: (ref: string) => string, whose: 'account' | 'customer'): Mutant['make'] {
  return mistakeIn((call, ask) =>
    ask(
      whose === 'account'
        ? { ...call, accountRef: change(call.accountRef) }
        : { ...call, context: { ...call.context, customerRef: change(call.context.customerRef) } },
    ),
  );
}

/** A mistake in the list of a read. */
function mistakeInList(
  read: AnyRead,
  change: (items: readonly object[], call: Call) => readonly object[],
): Mutant['make'] {
  return mistakeIn(async (call, ask) => {
    const answer = await ask(call);
    return call.read === read ? { ...answer, items: change((answer as CoreItems<object>).items, call) } : answer;
  });
}

/** A mistake in every text of every record. */
function mistakeInTexts(change: (text: string) => string): Mutant['make'] {
  const changed = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return ['id', 'ref'].includes(name) ? value : change(value);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (Array.isArray(value)) return value.map((one) => changed(one));
    return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, changed(one, inner)]));
  };
  return mistakeInRecords('all', (record) => changed(record) as object);
}

/** The first of the records that agree in `keyOf`. */
function once<T>(items: readonly object[], keyOf: (item: T) => unknown): readonly object[] {
  const text = (item: object): string =>
    JSON.stringify(keyOf(item as T), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return [...new Map(items.toReversed().map((item) => [text(item), item])).values()].toReversed();
}

function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}

const yearMs = 365 * 86_400_000;

export const mutantsOfAwkwardRecords: readonly Mutant[] = [
  ...(['account', 'customer'] as const).flatMap((whose): Mutant[] =>
    (
      [
        ['trims', (ref) => ref.trim()],
        ['decodes', decoded],
        ['normalises', (ref) => ref.normalize('NFKC')],
        ['drops the leading zeros of', (ref) => ref.replace(/^0+(?=.)/, '')],
      ] as readonly [string, (ref: string) => string][]
    ).map(([does, change]) => ({
      does: `${does} the reference of ${whose === 'account' ? 'an account' : 'a customer'}`,
      clauses: whose === 'account' ? ['CORE-06'] : ['CORE-07', 'CORE-08'],
      make: mistakeInReferences(change, whose),
    })),
  ),
  {
    does: 'cuts names at 70 characters',
    clauses: ['CORE-43'],
    make: mistakeInRecords('party', (record) => ({ ...record, name: (record as CoreParty).name?.slice(0, 70) })),
  },
  { does: 'normalises texts', clauses: ['CORE-43'], make: mistakeInTexts((text) => text.normalize('NFKC')) },
  {
    does: 'loses characters beyond U+FFFF',
    clauses: ['CORE-43'],
    make: mistakeInTexts((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
  },
  {
    does: 'cuts the time of a statement to the second',
    clauses: ['CORE-27'],
    make: mistakeInRecords('statements', (record) => {
      const { createdAt } = record as CoreStatement;
      return createdAt instanceof Date
        ? { ...record, createdAt: new Date(createdAt.getTime() - (createdAt.getTime() % 1_000)) }
        : record;
    }),
  },
  {
    does: 'leaves out a minimum payment of zero',
    clauses: ['CORE-16'],
    make: mistakeInRecords('statements', (record) =>
      (record as CoreStatement).minimumPayment?.minorUnits === 0n ? { ...record, minimumPayment: undefined } : record,
    ),
  },
  {
    does: 'shows a credit limit that is absent as zero',
    clauses: ['CORE-10'],
    make: mistakeInRecords('balances', (record) => {
      const { kind, amount, creditLimit } = record as CoreBalance;
      return kind === 'available' ? { ...record, creditLimit: creditLimit ?? { ...amount, minorUnits: 0n } } : record;
    }),
  },
  {
    does: 'leaves out a party that cannot be read, and says nothing',
    clauses: ['CORE-38'],
    make: mistakeIn(async (call, ask) => {
      const answer = await ask(call);
      return call.read === 'party' ? { ...answer, bad: [] } : answer;
    }),
  },
  {
    does: 'shows a mandate once',
    clauses: ['CORE-17'],
    make: mistakeInList('directDebits', (items) => once<CoreDirectDebit>(items, ({ mandate }) => mandate)),
  },
  {
    does: 'shows a payee once',
    clauses: ['CORE-15'],
    make: mistakeInList('beneficiaries', (items) =>
      once<CoreBeneficiary>(items, ({ kind, creditor }) => [kind, creditor]),
    ),
  },
  {
    does: 'shows equal purchases once',
    clauses: ['CORE-11', 'CORE-64'],
    make: mistakeInList('transactions', (items) =>
      once<CoreTransaction>(items, ({ at, amount, description }) => [at, amount, description]),
    ),
  },
  ...(['beneficiaries', 'scheduledPayments', 'directDebits', 'standingOrders'] as const).map((read): Mutant => ({
    does: `cuts ${read} after the fiftieth`,
    clauses: [
      (
        {
          beneficiaries: 'CORE-15',
          scheduledPayments: 'CORE-14',
          directDebits: 'CORE-17',
          standingOrders: 'CORE-18',
        } as const
      )[read],
    ],
    make: mistakeInList(read, (items) => items.slice(0, 50)),
  })),
  {
    does: 'leaves out transactions of more than seven years ago',
    clauses: ['CORE-11'],
    make: mistakeInList('transactions', (items) =>
      items.filter((item) => msOf((item as CoreTransaction).at) > Date.now() - 7 * yearMs),
    ),
  },
  {
    does: 'leaves out transactions that are to come',
    clauses: ['CORE-11'],
    make: mistakeInList('transactions', (items) =>
      items.filter((item) => msOf((item as CoreTransaction).at) < Date.now() + yearMs),
    ),
  },
  {
    does: 'shifts days by the time zone of the process, west of UTC',
    clauses: ['CORE-28'],
    make: mistakeInRecords('all', (record) =>
      shifted(record, (date) => {
        const at = new Date(`${date}T00:00:00Z`);
        return dayIn(at.getFullYear(), at.getMonth(), at.getDate());
      }),
    ),
  },
  {
    does: 'shifts days by the time zone of the process, east of UTC',
    clauses: ['CORE-24'],
    make: mistakeInRecords('all', (record) =>
      shifted(record, (date) => new Date(`${date}T00:00:00`).toISOString().slice(0, 10)),
    ),
  },
  ...(['balances', 'transactions', 'party'] as const).map((wanted): Mutant => ({
    does: `holds every answer with ${wanted}`,
    clauses: ['CORE-83'],
    make: (adapter, parts) => {
      const held: object[] = [];
      return mistakeIn(async (call, ask) => {
        const answer = await ask(call);
        if (call.read === wanted) held.push(answer);
        return answer;
      })(adapter, parts);
    },
  })),
  ...(
    [
      ['party', 'CORE-38'],
      ['standingOrders', 'CORE-37'],
    ] as const
  ).map(([wanted, clause]): Mutant => ({
    does: `keeps ${wanted} for ever`,
    clauses: [clause],
    make: keeping(Number.MAX_SAFE_INTEGER, ({ read }) => read === wanted),
  })),
];

/** The record with each of its days changed. */
function shifted(record: object, change: (date: string) => string): object {
  const days = leavesOf(record).times.filter(({ value }) => !(value instanceof Date));
  const changed = days.map(({ path, value }) => [path, { date: change((value as { date: string }).date) }]);
  return { ...record, ...Object.fromEntries(changed) };
}

function dayIn(year: number, month: number, day: number): string {
  return [String(year), String(month + 1).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}
