/**
 * The places where the same customers look different to a TPP, because of the abilities of Fineract. One line for each
 * field: the differential test fails on a difference that is not here, and on a line that no longer happens.
 */
export interface Difference {
  /** `endpoint field`, the field without the places in lists. */
  readonly field: string;
  readonly because: string;
  /** The members that may differ. Without it, any member may. */
  readonly allows?: (ledger: unknown, fineract: unknown) => boolean;
}

const absent = (value: unknown): boolean => value === undefined;
const london = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' });
/** A time, and the 00:00 of its day in London. */
const dayOf = (ledger: unknown, fineract: unknown): boolean =>
  fineract === `${london.format(new Date(String(ledger)))}T00:00:00+00:00`;
const isPublicId = (ledger: unknown, fineract: unknown): boolean =>
  [ledger, fineract].every((id) => typeof id === 'string' && id.length > 20);

const ownIds = 'each core gives its records its own ids';
const computed = 'Fineract keeps no payment dates: they follow from the rhythm, which the sandbox’s own dates do not';

export const differences: readonly Difference[] = [
  { field: 'transactions Transaction[].TransactionId', because: ownIds, allows: isPublicId },
  {
    field: 'transactions Transaction[].BookingDateTime',
    because: 'Fineract books on a day, without a time',
    allows: dayOf,
  },
  {
    field: 'transactions Transaction[].ValueDateTime',
    because: 'every booked transaction of Fineract has a value date',
    allows: absent,
  },
  {
    field: 'transactions Transaction[].CurrencyExchange.SourceCurrency',
    because: 'Fineract has no exchange',
    allows: (_, fineract) => absent(fineract),
  },
  {
    field: 'transactions Transaction[].CurrencyExchange.ExchangeRate',
    because: 'Fineract has no exchange',
    allows: (_, fineract) => absent(fineract),
  },
  {
    field: 'transactions Transaction[].TransactionInformation',
    because: 'a transaction of Fineract that has no note is told by its type',
    allows: (ledger, fineract) => /^\d{4}-\d\d-\d\d$/.test(String(ledger)) && fineract === `Deposit ${String(ledger)}`,
  },
  { field: 'beneficiaries Beneficiary[].BeneficiaryId', because: ownIds, allows: isPublicId },
  { field: 'standing-orders StandingOrder[].StandingOrderId', because: ownIds, allows: isPublicId },
  { field: 'standing-orders StandingOrder[].FirstPaymentDateTime', because: computed },
  { field: 'standing-orders StandingOrder[].NextPaymentDateTime', because: computed },
  { field: 'standing-orders StandingOrder[].FinalPaymentDateTime', because: computed },
  {
    field: 'standing-orders StandingOrder[]',
    because: 'Fineract repeats after a number of days, weeks or months on a day, and in no other rhythm',
    allows: (_, fineract) => absent(fineract),
  },
  {
    field: 'beneficiaries Beneficiary[]',
    because: 'the data table has columns for sort codes and IBANs, not for accounts of other countries’ kind',
    allows: (_, fineract) => absent(fineract),
  },
  {
    field: 'product Product[].ProductName',
    because: 'Fineract’s product has one name, which the customer’s account has, too',
  },
];
