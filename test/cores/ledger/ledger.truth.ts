import { type EntryRow, type PayeeForm, type PlaceForm, productNames } from '../../../sandbox/bank/ledger.records.js';
import type { Persona, PersonaAccount } from '../../../sandbox/bank/personas/persona.js';
import { msOf } from '../../../sandbox/bank/stamps.js';
import type { AccountTruth } from '../../../packages/adapter-kit/adapter-under-test.js';
import type {
  CoreAccountIdentification,
  CoreAgent,
  CorePostalAddress,
  ProxyCode,
} from '../../../packages/core-adapter/core.parties.js';
import type {
  CoreFrequency,
  CoreMoney,
  CoreTime,
  CoreTransaction,
} from '../../../packages/core-adapter/core.records.js';

// Reads the ledger's rows independently of the adapter. It trusts the rows; the adapter does not.

export function truthOf(
  { person }: Persona,
  { acct, lists, entries }: PersonaAccount,
  holders: readonly Persona[],
): AccountTruth {
  const isCard = acct.prod === 'CRD400';
  const money = (minorUnits: number, currency: string = acct.ccy): CoreMoney => ({
    minorUnits: BigInt(minorUnits),
    currency,
  });
  const inFavour = (owed: number): CoreMoney => money(isCard ? 0 - owed : owed);
  const cycles = lists.cycles.toSorted((a, b) => msOf(b.closed) - msOf(a.closed));
  const domestic = <T extends { reach: string }>(rows: readonly T[]): T[] =>
    rows.filter(({ reach }) => reach !== 'INT');
  return {
    account: {
      ref: acct.key,
      product: productNames[acct.prod],
      currency: acct.ccy,
      description: said(acct.label),
      permitted: acct.status === 'OPEN' || acct.status === 'DORM',
      holder: acct.segment === 'B' ? 'business' : 'personal',
      sortCode: said(acct.sort),
      accountNumber: said(acct.num),
      iban: said(acct.iban),
      lei: acct.lei,
      cardLastFour: said(acct.card.slice(-4)),
    },
    balances: lists.figures.map(({ fig, amt, at, arranged }) => {
      const kind = fig === 'LEDGER' ? 'booked' : 'available';
      return {
        kind,
        amount: kind === 'booked' ? inFavour(amt) : money(amt - Number(arranged)),
        at: timeOf(at),
        creditLimit: ifGiven(arranged, money),
      };
    }),
    funds: lists.figures.flatMap(({ fig, amt, arranged }) =>
      fig === 'SPEND'
        ? { spendable: money(amt - Number(arranged)), ...(arranged !== '' && { overdraft: money(arranged) }) }
        : [],
    )[0],
    holderNames: holders.map((holder) => holder.person.name.trim()),
    transactions: entries.map((row) => transactionOf(row, inFavour, money)),
    party: [
      { ref: person.key, name: said(person.name), lei: person.lei, address: person.home && address(person.home) },
    ],
    offers: lists.promos.map((row) => ({
      endMonth: `${row.until.slice(0, 4)}-${row.until.slice(4)}`,
      feePercentage: ifGiven(row.feeBp, percent),
      maxTransferPercentage: ifGiven(row.capBp, percent),
      minTransferAmount: ifGiven(row.least, money),
      minFeeAmount: ifGiven(row.leastFee, money),
      annualRatePercentage: ifGiven(row.annBp, percent),
      takeUpEndDate: ifGiven(row.by, dayOf),
    })),
    scheduledPayments: domestic(lists.forwards).map((row) => ({
      id: row.key,
      dueAt: timeOf(row.on),
      type: row.how === 'ARR' ? 'arrival' : 'execution',
      reference: said(row.ref),
      amount: money(row.amt, row.ccy),
      creditor: payee(row.payee),
      creditorAgent: agent(row.payee),
    })),
    beneficiaries: lists.payees.map((row) => ({
      id: row.key,
      kind: ({ TP: 'third-party', NOM: 'nominated', XB: 'international', OWN: 'internal' } as const)[row.sort],
      creditor: payee(row.payee),
      creditorAgent: agent(row.payee),
    })),
    statements: cycles
      .slice(0, 1)
      .map((row) => ({
        startAt: timeOf(row.opened),
        endAt: timeOf(row.closed),
        createdAt: timeOf(row.made),
        type: ({ REG: 'regular', YEAR: 'annual', MID: 'interim', FIRST: 'opening', LAST: 'closing' } as const)[
          row.kind
        ],
        closingBalance: money(0 - row.owed),
        minimumPayment: ifGiven(row.least, money),
        paymentDueAt: ifGiven(row.payby, timeOf),
      })),
    earlierStatements: cycles.slice(1).map(({ closed }) => timeOf(closed)),
    directDebits: lists.mandates.map((row) => ({
      id: row.key,
      mandate: row.mandate.trim(),
      status: ({ LIVE: 'active', STOPPED: 'cancelled', LAPSED: 'expired', PAUSED: 'suspended' } as const)[row.status],
      name: row.taker.trim(),
      frequency: row.rule === undefined ? undefined : rhythms[row.rule],
      classification: row.amount && ({ FIX: 'fixed', VAR: 'variable', USE: 'usage-based' } as const)[row.amount],
      categoryPurpose: row.cat,
      firstPaymentAt: row.first === undefined ? undefined : timeOf(row.first),
      finalPaymentAt: row.last === undefined ? undefined : timeOf(row.last),
      reason: row.why,
    })),
    standingOrders: domestic(lists.orders).map((row) => ({
      id: row.key,
      frequency: rhythms[row.rule] ?? { every: 'other' },
      reference: said(row.ref),
      firstPaymentAt: ifGiven(row.first, timeOf),
      nextPaymentAt: ifGiven(row.next, timeOf),
      finalPaymentAt: ifGiven(row.last, timeOf),
      status: ({ ON: 'active', OFF: 'cancelled', DONE: 'expired', PAUSED: 'suspended' } as const)[row.status],
      nextPaymentAmount: ifGiven(row.amt, (amt) => money(amt, row.ccy)),
      categoryPurpose: row.cat,
      creditor: payee(row.payee),
      creditorAgent: agent(row.payee),
    })),
    product: lists.terms.map((row) => ({
      code: said(row.code),
      name: said(row.title),
      type: ({ PCA: 'personal-current-account', BCA: 'business-current-account', OTH: 'other' } as const)[row.family],
    })),
    international: [...lists.forwards, ...lists.orders].filter(({ reach }) => reach === 'INT').map(({ key }) => key),
  };
}

function transactionOf(
  row: EntryRow,
  inFavour: (owed: number) => CoreMoney,
  money: (minorUnits: number) => CoreMoney,
): CoreTransaction {
  const held = row.state === 'HELD';
  return {
    id: row.key,
    status: held ? 'pending' : row.state === 'POSTED' ? 'booked' : 'rejected',
    at: timeOf(held ? row.made : row.booked),
    madeAt: ifGiven(row.made, timeOf),
    expectedBookingAt: ifGiven(row.due, timeOf),
    valueAt: ifGiven(row.value, timeOf),
    amount: money(row.side === 'CR' ? row.amt : 0 - row.amt),
    description: said(row.text),
    runningBalance: ifGiven(row.bal, inFavour),
    exchange: ifGiven(row.fx, ({ ccy, rate }) => ({ sourceCurrency: ccy, rate: said(rate) })),
    isoTransactionCode: row.iso && { family: row.iso.family, subFamily: row.iso.sub },
    bankTransactionCode: row.own && { code: row.own.code, issuer: row.own.by },
    categoryPurpose: row.cat,
    paymentPurpose: row.purp,
    creditor: row.payee && payee(row.payee),
    creditorAgent: row.payee && agent(row.payee),
    ultimateCreditor: row.payeeFor,
    debtor: row.payer && payee(row.payer),
    debtorAgent: row.payer && agent(row.payer),
    ultimateDebtor: row.payerFor,
  };
}

/** Every frequency of the personas that the port can express. */
const rhythms: Readonly<Record<string, CoreFrequency>> = {
  'M1/1': { every: 'month', interval: 1, day: 1 },
  'M1/10': { every: 'month', interval: 1, day: 10 },
  'M1/12': { every: 'month', interval: 1, day: 12 },
  'M1/15': { every: 'month', interval: 1, day: 15 },
  'M1/28': { every: 'month', interval: 1, day: 28 },
  'M1/-9': { every: 'month', interval: 1, day: -9 },
  'M3/1': { every: 'month', interval: 3, day: 1 },
  'M3/-1': { every: 'month', interval: 3, day: -1 },
  'M8/15': { every: 'month', interval: 8, day: 15 },
  'M12/29': { every: 'month', interval: 12, day: 29 },
  'W1/1': { every: 'week', interval: 1, weekday: 1 },
  'W1/5': { every: 'week', interval: 1, weekday: 5 },
  'W12/2': { every: 'week', interval: 12, weekday: 2 },
  WD: { every: 'working-day' },
  D1: { every: 'day', interval: 1 },
  D10: { every: 'day', interval: 10 },
  'MW2/3': { every: 'month', weekOfMonth: 2, weekday: 3 },
  'Q/E': { every: 'quarter', days: 'english' },
  'Q/S': { every: 'quarter', days: 'scottish' },
  'Q/R': { every: 'quarter', days: 'received' },
};

/** A text without the blanks that the ledger pads it with; `undefined` if nothing is left. */
function said(text: string): string | undefined {
  return text.trim() || undefined;
}

function ifGiven<In, Out>(value: In | '', read: (value: In) => Out): Out | undefined {
  return value === '' ? undefined : read(value);
}

function dayOf(time: string): { date: string } {
  return { date: [time.slice(0, 4), time.slice(4, 6), time.slice(6, 8)].join('-') };
}

function timeOf(time: string): CoreTime {
  return time.includes('T') ? new Date(msOf(time)) : dayOf(time);
}

function percent(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

function agent({ bank }: PayeeForm): CoreAgent | undefined {
  return bank && { bic: bank.bic, name: bank.name, lei: bank.lei, address: bank.seat && address(bank.seat) };
}

function address({ town, land, street, no, post }: PlaceForm): CorePostalAddress {
  return { townName: town, country: land, streetName: street, buildingNumber: no, postCode: post };
}

function payee({ form, id, name, alias }: PayeeForm): CoreAccountIdentification {
  return {
    scheme: ({ UKACC: 'sort-code', IBAN: 'iban', BBAN: 'bban' } as const)[form],
    identification: id.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''),
    name: said(name),
    proxy: alias && { code: alias.code as ProxyCode, identification: alias.id },
  };
}
