/**
 * The records that the sandbox bank's core keeps and sends, in its own words: not the gateway's and not Open Banking's.
 *
 * - Money is whole minor units. Entries are unsigned with a side; a card's debt is positive.
 * - A stamp is `20261120T231500.123Z`, always UTC; a day is `20261120`.
 * - An absent value is the empty string; texts may end in blanks. Members with a question mark are not sent where they are absent.
 */

/** `20261120T231500.123Z` */
export type Stamp = string;
/** `20261120` */
export type Day = string;
export type Absent = '';

export interface AcctRow {
  key: string;
  prod: 'CUR100' | 'CUR200' | 'SAV300' | 'CRD400' | 'RWD500' | 'RUP600';
  ccy: string;
  label: string;
  /** Personal or business. */
  segment: 'P' | 'B';
  status: 'OPEN' | 'DORM' | 'BARRED' | 'CLOSED';
  sort: string;
  num: string;
  iban: string;
  /** The whole card number. */
  card: string;
  lei?: string;
}

export interface FigureRow {
  /** `LEDGER`: booked. `SPEND`: available, including the arranged overdraft; on a card, the credit left. */
  fig: 'LEDGER' | 'SPEND';
  amt: number;
  at: Stamp | Day;
  /** The arranged overdraft. */
  arranged: number | Absent;
}

export interface EntryRow {
  key: string;
  state: 'POSTED' | 'HELD' | 'REFUSED';
  /** A refused entry has here when the bank refused it. */
  booked: Stamp | Day | Absent;
  made: Stamp | Day | Absent;
  /** When a held entry is expected to be booked. */
  due: Stamp | Day | Absent;
  value: Stamp | Day | Absent;
  amt: number;
  side: 'CR' | 'DR';
  text: string;
  /** Balance after the entry; on a card, the debt. */
  bal: number | Absent;
  fx: { ccy: string; rate: string } | Absent;
  /** Codes of ISO 20022. */
  iso?: { family: string; sub: string };
  cat?: string;
  purp?: string;
  /** The bank's own code. */
  own?: { code: string; by: string };
  payer?: PayeeForm;
  payee?: PayeeForm;
  /** For whom the payer pays, and for whom the payee is paid. */
  payerFor?: BehalfForm;
  payeeFor?: BehalfForm;
}

export interface BehalfForm {
  name: string;
  lei?: string;
}

export interface PersonRow {
  key: string;
  name: string;
  lei?: string;
  home?: PlaceForm;
}

export interface PromoRow {
  /** `202706` */
  until: string;
  /** Hundredths of a percent. */
  feeBp: number | Absent;
  capBp: number | Absent;
  least: number | Absent;
  leastFee: number | Absent;
  annBp: number | Absent;
  by: Day | Absent;
}

export interface PayeeForm {
  form: 'UKACC' | 'IBAN' | 'BBAN';
  /** As people type it, with blanks and dashes. */
  id: string;
  name: string;
  /** Another name of the account: the code of its kind, and the name. */
  alias?: { code: string; id: string };
  bank?: BankForm;
}

export interface PlaceForm {
  town: string;
  land: string;
  street?: string;
  no?: string;
  post?: string;
}

export interface BankForm {
  bic: string;
  name?: string;
  lei?: string;
  seat?: PlaceForm;
}

export interface ForwardRow {
  key: string;
  on: Stamp | Day;
  how: 'OUT' | 'ARR';
  ref: string;
  amt: number;
  ccy: string;
  reach: 'DOM' | 'INT';
  payee: PayeeForm;
}

export interface PayeeRow {
  key: string;
  /** Third party, nominated, cross-border, own account. */
  sort: 'TP' | 'NOM' | 'XB' | 'OWN';
  payee: PayeeForm;
}

export interface CycleRow {
  opened: Stamp | Day;
  closed: Stamp | Day;
  made: Stamp | Day;
  kind: 'REG' | 'YEAR' | 'MID' | 'FIRST' | 'LAST';
  owed: number;
  least: number | Absent;
  payby: Day | Absent;
}

export interface MandateRow {
  key: string;
  mandate: string;
  status: 'LIVE' | 'STOPPED' | 'LAPSED' | 'PAUSED';
  taker: string;
  /** As in {@link OrderRow}. */
  rule?: string;
  /** A fixed amount, one that varies, or one by use. */
  amount?: 'FIX' | 'VAR' | 'USE';
  cat?: string;
  first?: Day;
  last?: Day;
  why?: string;
}

export interface OrderRow {
  key: string;
  /** `D<n>`, `WD`, `W<n>/<weekday>`, `M<n>/<day>`, `MW<week>/<weekday>`, `Q/E|S|R`, or `EASTER`. */
  rule: string;
  ref: string;
  first: Stamp | Day | Absent;
  next: Stamp | Day | Absent;
  last: Stamp | Day | Absent;
  status: 'ON' | 'OFF' | 'DONE' | 'PAUSED';
  cat?: string;
  amt: number | Absent;
  ccy: string;
  reach: 'DOM' | 'INT';
  payee: PayeeForm;
}

export interface TermsRow {
  code: string;
  title: string;
  family: 'PCA' | 'BCA' | 'OTH';
}

/** The lists of an account that are small and sent whole; each is a path and the member of its answer. */
export interface AccountLists {
  figures: FigureRow[];
  promos: PromoRow[];
  forwards: ForwardRow[];
  payees: PayeeRow[];
  cycles: CycleRow[];
  mandates: MandateRow[];
  orders: OrderRow[];
  terms: TermsRow[];
}
export type ListName = keyof AccountLists;
export const listNames: readonly ListName[] = [
  'figures',
  'promos',
  'forwards',
  'payees',
  'cycles',
  'mandates',
  'orders',
  'terms',
];

/** The names of the products for the sandbox's users. */
export const productNames = {
  CUR100: 'CurrentAccount',
  CUR200: 'CurrentAccount',
  SAV300: 'Savings',
  CRD400: 'CreditCard',
  RWD500: 'RewardsPayPlus',
  RUP600: 'RoundUp',
} as const satisfies Record<AcctRow['prod'], string>;
