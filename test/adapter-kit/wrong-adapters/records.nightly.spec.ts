// Nightly: it tests the kit, a tool for banks, with wrong adapters.
import { describe } from '@jest/globals';
import { leavesOf } from '../../../packages/adapter-kit/compare.js';
import { msOf } from '../../../packages/adapter-kit/history-model.js';
import type { AnyRead } from '../../../packages/adapter-kit/reads.js';
import { CoreError } from '../../../packages/core-adapter/core-error.js';
import type {
  CoreBalance,
  CoreMoney,
  CoreStatement,
  CoreTime,
  CoreTransaction,
} from '../../../packages/core-adapter/core.records.js';
import { tcpKit } from '../tcp-kit.js';
import { findsEach } from './finds-each.js';
import { answers, calls, keeping, list, type Make, records, type WrongAdapter } from './wrong-adapter.js';

type Fields = Readonly<Record<string, unknown>>;

const dayMs = 86_400_000;

/** Another value of a member, in each record that has it. */
const member = <T>(read: AnyRead, name: string, change: (value: T, record: Fields) => unknown): Make =>
  records<Fields>(read, (record) =>
    record[name] === undefined ? record : { ...record, [name]: change(record[name] as T, record) },
  );

/** Every value in the record that `change` knows. */
function within(value: unknown, change: (value: unknown, name: string) => unknown, name = ''): unknown {
  const changed = change(value, name);
  if (changed !== value || typeof value !== 'object' || value === null || value instanceof Date) return changed;
  if (Array.isArray(value)) return value.map((one) => within(one, change, name));
  return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, within(one, change, inner)]));
}

const texts = (change: (text: string) => string): Make =>
  records(
    'all',
    (record) =>
      within(record, (value, name) =>
        typeof value === 'string' && !['id', 'ref'].includes(name) ? change(value) : value,
      ) as object,
  );

const money = (value: unknown, change: (money: CoreMoney) => unknown): unknown =>
  within(value, (one) =>
    typeof one === 'object' && one !== null && 'minorUnits' in one ? change(one as CoreMoney) : one,
  );

const units =
  (change: (minorUnits: bigint) => unknown) =>
  (one: CoreMoney): object => ({ ...one, minorUnits: change(one.minorUnits) });

/** Reads every currency with two decimals. */
const asHundredths = (one: CoreMoney): object =>
  units((minorUnits) => ({ JPY: minorUnits * 100n, BHD: minorUnits / 10n })[one.currency] ?? minorUnits)(one);

const unsigned = units((minorUnits) => (minorUnits < 0n ? -minorUnits : minorUnits));
const unsignedBalance = (kind: string): Make =>
  member<CoreMoney>('balances', 'amount', (amount, row) => (row['kind'] === kind ? unsigned(amount) : amount));

/** Leaves out of a list all but the first of the records that agree in all but their ids. */
const once = (read: AnyRead): Make =>
  list<Fields>(read, (items) => {
    const text = ({ id: _, runningBalance: __, ...item }: Fields): string =>
      JSON.stringify(item, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    return [...new Map(items.toReversed().map((item) => [text(item), item])).values()].toReversed();
  });

const times = (read: AnyRead, name: string, days: readonly string[] | 'all', change: (ms: number) => number): Make =>
  member<CoreTime>(read, name, (at) => {
    if (!(at instanceof Date) || (days !== 'all' && !days.includes(at.toISOString().slice(0, 10)))) return at;
    return new Date(change(at.getTime()));
  });

const cut = (toMs: number) => (ms: number) => ms - (ms % toMs);

/** Every day in every record. */
const days = (change: (date: string) => string): Make =>
  records('all', (record) => ({
    ...record,
    ...Object.fromEntries(
      leavesOf(record).times.flatMap(({ path, value }) =>
        value instanceof Date ? [] : [[path, { date: change(value.date) }]],
      ),
    ),
  }));

/** Shows a pending transaction as booked after a while. */
const bookedAfter = (ms: number): Make =>
  records<CoreTransaction>('transactions', (row) =>
    row.status === 'pending' && msOf(row.at) < Date.now() - ms ? { ...row, status: 'booked' } : row,
  );

findsEach([
  ['CORE-10', 'forgets overdrafts', member('balances', 'creditLimit', () => undefined)],
  [
    'CORE-10',
    'shows a credit limit that is absent as zero',
    records<CoreBalance>('balances', (row) =>
      row.kind === 'available' ? { ...row, creditLimit: row.creditLimit ?? { ...row.amount, minorUnits: 0n } } : row,
    ),
  ],
  ['CORE-11', 'forgets exchanges', member('transactions', 'exchange', () => undefined)],
  ['CORE-11', 'shows equal purchases once', once('transactions')],
  ['CORE-11', 'shows a pending transaction as booked after a day', bookedAfter(dayMs)],
  ['CORE-11', 'shows a pending transaction as booked after a month', bookedAfter(31 * dayMs)],
  [
    'CORE-11',
    'leaves out transactions of more than seven years ago',
    list<CoreTransaction>('transactions', (rows) => rows.filter(({ at }) => msOf(at) > Date.now() - 7 * 365 * dayMs)),
  ],
  ['CORE-12', 'names the first holder always', member('party', 'ref', () => 'C4001')],
  ['CORE-13', 'has its own idea of a fee', member('offers', 'feePercentage', () => '9.99')],
  ['CORE-14', 'drops the reference', member('scheduledPayments', 'reference', () => undefined)],
  ['CORE-15', 'treats every payee as a third party', member('beneficiaries', 'kind', () => 'third-party')],
  ['CORE-15', 'shows a payee once', once('beneficiaries')],
  ['CORE-16', 'takes each statement for an annual one', member('statements', 'type', () => 'annual')],
  [
    'CORE-16',
    'leaves out a minimum payment of zero',
    member<CoreMoney>('statements', 'minimumPayment', (least) => (least.minorUnits === 0n ? undefined : least)),
  ],
  ['CORE-17', 'takes each mandate for an active one', member('directDebits', 'status', () => 'active')],
  ['CORE-17', 'shows a mandate once', once('directDebits')],
  ['CORE-18', 'knows no rhythm', member('standingOrders', 'frequency', () => ({ every: 'other' }))],
  ['CORE-19', 'makes up the code of a product', member('product', 'code', () => 'STANDARD')],
  ...(
    [
      ['CORE-15', 'beneficiaries'],
      ['CORE-14', 'scheduledPayments'],
      ['CORE-17', 'directDebits'],
      ['CORE-18', 'standingOrders'],
    ] as const
  ).map(([clause, read]): WrongAdapter => [
    clause,
    `cuts ${read} after the fiftieth`,
    list(read, (items) => items.slice(0, 50)),
  ]),
  [
    'CORE-20',
    'calls no offers a bad record',
    list('offers', (items) => {
      if (items.length === 0) throw new CoreError('bad-record', 'none');
      return items;
    }),
  ],
  ['CORE-21', 'counts in numbers', member<CoreMoney>('balances', 'amount', units(Number))],
  [
    'CORE-21',
    'keeps amounts in 32-bit floats',
    records(
      'all',
      (row) =>
        money(
          row,
          units((all) => BigInt(Math.round(Math.fround(Number(all))))),
        ) as object,
    ),
  ],
  [
    'CORE-22',
    'takes yen and dinars for currencies with two decimals',
    member<CoreMoney>('balances', 'amount', asHundredths),
  ],
  [
    'CORE-23',
    'counts card payments as money in',
    records<CoreTransaction>('transactions', (row, account) =>
      account?.product === 'CreditCard' ? { ...row, amount: units((all) => -all)(row.amount) } : row,
    ),
  ],
  [
    'CORE-24',
    'makes midnight of a day',
    member<CoreTime>('standingOrders', 'nextPaymentAt', (at) => (at instanceof Date ? at : new Date(at.date))),
  ],
  [
    'CORE-24',
    'shifts days by the time zone of the process, east of UTC',
    days((date) => new Date(`${date}T00:00:00`).toISOString().slice(0, 10)),
  ],
  ['CORE-25', 'puts 29 February on 1 March', days((date) => date.replace(/-02-29$/, '-03-01'))],
  [
    'CORE-26',
    'changes its clocks an hour early',
    times('transactions', 'at', ['2026-03-29', '2026-10-25'], (ms) => ms + 3_600_000),
  ],
  ['CORE-27', 'drops milliseconds of transactions', times('transactions', 'at', 'all', cut(1_000))],
  ['CORE-27', 'cuts the time of a balance to the minute', times('balances', 'at', 'all', cut(60_000))],
  [
    'CORE-28',
    'shifts days by the time zone of the process, west of UTC',
    days((date) => {
      const at = new Date(`${date}T00:00:00Z`);
      const [month, day] = [at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'));
      return `${at.getFullYear()}-${month}-${day}`;
    }),
  ],
  [
    'CORE-34',
    'takes the expected booking of a pending one for its making',
    records<CoreTransaction>('transactions', (row) =>
      row.status === 'pending' ? { ...row, madeAt: row.expectedBookingAt ?? { date: '2026-12-01' } } : row,
    ),
  ],
  ['CORE-37', 'keeps standing orders for ever', keeping(Infinity, ({ read }) => read === 'standingOrders')],
  ['CORE-38', 'keeps the party for ever', keeping(Infinity, ({ read }) => read === 'party')],
  [
    'CORE-38',
    'leaves out a party that cannot be read, and says nothing',
    answers('party', (answer) => ({ ...answer, bad: [] })),
  ],
  [
    'CORE-39',
    'shows payments abroad',
    calls(({ kit }) => async (call, ask) => {
      const answer = await ask(call);
      if (call.read !== 'standingOrders') return answer;
      const { international = [] } = await kit.truth(call.context.customerRef, call.accountRef);
      const [like] = answer.items ?? [];
      return { ...answer, items: [...(answer.items ?? []), ...international.map((id) => ({ ...like, id }))] };
    }),
  ],
  [
    'CORE-40',
    'shows an earlier statement, too',
    list<CoreStatement>('statements', (rows) => rows.flatMap((row) => [row, { ...row, endAt: row.startAt }])),
  ],
  ['CORE-43', 'cuts names at 70 characters', texts((text) => text.slice(0, 70))],
  ['CORE-43', 'reads UTF-8 as Latin-1', texts((text) => Buffer.from(text).toString('latin1'))],
  ['CORE-43', 'normalises texts', texts((text) => text.normalize('NFKC'))],
  ['CORE-43', 'loses characters beyond U+FFFF', texts((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, ''))],
  ...(
    [
      ['CORE-57', 'scheduledPayments', 'amount'],
      ['CORE-57', 'standingOrders', 'nextPaymentAmount'],
      ['CORE-68', 'balances', 'creditLimit'],
      ['CORE-68', 'offers', 'minFeeAmount'],
      ['CORE-68', 'statements', 'closingBalance'],
    ] as const
  ).map(([clause, read, name]): WrongAdapter => [
    clause,
    `takes yen and dinars for currencies with two decimals in ${name} of ${read}`,
    member<CoreMoney>(read, name, asHundredths),
  ]),
  ['CORE-79', 'gives the booked balance without the sign', unsignedBalance('booked')],
  [
    'CORE-79',
    'gives the available balance without the sign',
    unsignedBalance('available'),
    'balances of account A100012: available.amount: is 2000n GBP and must be -2000n GBP: ' +
      'keep the sign of the core’s amount, or take it from the field that has it',
  ],
  ['CORE-79', 'gives running balances without the sign', member<CoreMoney>('transactions', 'runningBalance', unsigned)],
  ['CORE-79', 'gives statements without the sign', member<CoreMoney>('statements', 'closingBalance', unsigned)],
  [
    'CORE-80',
    'leaves out a credit limit of zero',
    member<CoreMoney>('balances', 'creditLimit', (limit) => (limit.minorUnits === 0n ? undefined : limit)),
    'balances of account A100012: creditLimit is missing where the core has 0n GBP: zero is an amount',
  ],
  ...(['balances', 'transactions', 'party'] as const).map((read): WrongAdapter => [
    'CORE-83',
    `holds every answer with ${read}`,
    (kit) => {
      const held: object[] = [];
      return answers(read, (answer) => {
        held.push(answer);
        return answer;
      })(kit);
    },
  ]),
  ...(
    [
      ['gives an LEI with wrong check digits', 'account', 'lei', '2138SANDBOXENERGY128'],
      ['gives a BIC without its last letter', 'standingOrders', 'creditorAgent', { bic: 'NWBKGB2' }],
      [
        'gives the name of a country for its code',
        'beneficiaries',
        'creditorAgent',
        { bic: 'NWBKGB2L', address: { townName: 'London', country: 'England' } },
      ],
      [
        'gives the long name of a code',
        'transactions',
        'isoTransactionCode',
        { family: 'ReceivedCreditTransfers', subFamily: 'SALA' },
      ],
      ['gives a family without its sub-family', 'transactions', 'isoTransactionCode', { family: 'RCDT' }],
      ['writes purposes in small letters', 'transactions', 'paymentPurpose', 'bonu'],
      [
        'makes up a kind of proxy',
        'transactions',
        'creditor',
        { scheme: 'iban', identification: 'GB33BUKB20201555555555', proxy: { code: 'FAXX', identification: '1' } },
      ],
      ['hands on the core’s word for a state', 'directDebits', 'status', 'LIVE'],
    ] as const
  ).map(([does, read, name, value]): WrongAdapter => [
    'CORE-84',
    does,
    records(read, (record) => ({ ...record, [name]: value })),
  ]),
]);

/** On records that the test core spoils, or the kit. */
const aboutBadRecords: readonly WrongAdapter[] = [
  ['CORE-36', 'leaves out the undated', answers('transactions', (answer) => ({ ...answer, bad: [] }))],
  [
    'CORE-37',
    'gives up at the first bad record',
    answers('all', (answer) => {
      const { items = [], bad = [] } = answer;
      if (bad.length > 0 && items.length > 0) throw new CoreError('bad-record', 'one of them');
      return answer;
    }),
  ],
  [
    'CORE-38',
    'has no records rather than bad ones only',
    answers('all', (answer, { read }) =>
      read !== 'accounts' && answer.items?.length === 0 ? { ...answer, bad: [] } : answer,
    ),
  ],
];
findsEach(aboutBadRecords);
describe('with a core that does not speak HTTP', () => findsEach(aboutBadRecords, tcpKit()));
