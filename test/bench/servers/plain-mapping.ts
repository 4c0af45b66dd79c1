import type { EntryRow, FigureRow } from '../../../sandbox/bank/ledger.records.js';

// The sandbox bank's rows as Open Banking resources, written for this one core: it checks no row.

interface Acct {
  readonly key: string;
  readonly ccy: string;
  readonly prod: string;
}
export interface Figures {
  readonly acct: Acct;
  readonly figures: readonly FigureRow[];
}
export interface Entries {
  readonly acct: Acct;
  readonly entries: readonly EntryRow[];
}

export function balancesOf(account: string, { acct, figures }: Figures) {
  const card = acct.prod === 'CRD400';
  return figures.map((figure) => {
    const booked = figure.fig === 'LEDGER';
    const limit = figure.arranged === '' ? 0 : figure.arranged;
    const amount = card && booked ? -figure.amt : figure.amt - limit;
    return {
      AccountId: account,
      CreditDebitIndicator: indicator(amount),
      Type: !booked ? 'InterimAvailable' : card ? 'ClosingBooked' : 'InterimBooked',
      DateTime: dateTime(figure.at),
      Amount: money(amount, acct.ccy),
      ...(!booked && card && { CreditLine: [line(true, 'Available', Math.max(amount, 0), acct.ccy)] }),
      ...(!booked &&
        limit > 0 && {
          CreditLine: [
            line(false, 'Pre-Agreed', limit, acct.ccy),
            line(false, 'Available', Math.max(limit - Math.max(-amount, 0), 0), acct.ccy),
          ],
        }),
    };
  });
}

export function transactionsOf(account: string, { acct, entries }: Entries) {
  return entries.map((entry) => ({
    AccountId: account,
    TransactionId: entry.key,
    CreditDebitIndicator: entry.side === 'DR' ? 'Debit' : 'Credit',
    Status: entry.state === 'POSTED' ? 'Booked' : 'Pending',
    BookingDateTime: dateTime(entry.booked),
    ...(entry.value === '' ? {} : { ValueDateTime: dateTime(entry.value) }),
    Amount: money(entry.amt, acct.ccy),
    TransactionInformation: `${entry.text.trim()} ${dateTime(entry.booked).slice(0, 10)}`,
    ...(entry.bal === ''
      ? {}
      : {
          Balance: {
            CreditDebitIndicator: indicator(entry.bal),
            Type: 'ClosingBooked',
            Amount: money(entry.bal, acct.ccy),
          },
        }),
  }));
}

/** The search of the core for the days of the TPP's window. */
export function entriesSearch(from: string, to: string) {
  const since = new Date(from);
  const until = new Date(to);
  until.setUTCDate(until.getUTCDate() + 1);
  return { take: '1000', toward: 'OLD', since: stamp(since), until: stamp(until) };
}

export function envelope(data: object, path: string) {
  return { Data: data, Links: { Self: `${process.env.BASE_URL}/open-banking/v3.1/aisp${path}` }, Meta: {} };
}

function indicator(minorUnits: number): string {
  return minorUnits < 0 ? 'Debit' : 'Credit';
}

function money(minorUnits: number, currency: string) {
  return { Amount: (Math.abs(minorUnits) / 100).toFixed(2), Currency: currency };
}

function line(included: boolean, type: string, minorUnits: number, currency: string) {
  return { Included: included, Type: type, Amount: money(minorUnits, currency) };
}

/** `20261120T231500.000Z` as `2026-11-20T23:15:00+00:00`. */
function dateTime(text: string): string {
  return text
    .replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z$/, '$1-$2-$3T$4:$5:$6+00:00')
    .replace('.000', '');
}

function stamp(date: Date): string {
  return date.toISOString().replace(/[-:]/g, '');
}
