/**
 * The data of a core-banking system in the port's own words: the records that a core adapter hands to the gateway.
 *
 * Three laws hold for every record, whatever the core:
 * - Money is whole minor units. **Positive is in the customer's favour**, negative is owed by the customer or has left
 *   the account, on every product (a credit card on which 30.00 is owed has the balance -3000n).
 * - A point in time is a `Date`; a day for which the core knows no time is a {@link CalendarDate}. No time is ever invented.
 * - A value that the core does not have is absent: never an empty string, never a zero in its place.
 */

import type { CoreAccountIdentification, CoreAgent, CoreUltimateParty, Lei } from './core.parties.js';

/** Whole minor units of an ISO 4217 currency: 1234n of `GBP` is 12.34, of `JPY` 1234, of `BHD` 1.234. */
export interface CoreMoney {
  readonly minorUnits: bigint;
  readonly currency: string;
}

/** A day without a time, `YYYY-MM-DD`, in the bank's calendar. An object, so that no free text can stand in its place. */
export interface CalendarDate {
  readonly date: string;
}

/** A point in time, or a day for which the core knows no time. */
export type CoreTime = Date | CalendarDate;

/** Four capital letters or digits, of the code set of ISO 20022 that the member names. */
export type IsoCode = string;

export interface CoreAccount {
  /**
   * The core's own reference of the account: stable for its whole life, unique in the core. Never leaves the gateway.
   */
  readonly ref: string;
  /**
   * The name of a product of the bank's profile. An account of a product that the profile does not have is a bad
   * record; an adapter omits the accounts that the bank offers to no TPP.
   */
  readonly product: string;
  readonly currency: string;
  /** The name of the account that the bank's own customers see. */
  readonly description?: string;
  /** False while online access and return of account information is not permitted. */
  readonly permitted: boolean;
  readonly holder: 'personal' | 'business';
  /** Six digits. Only together with `accountNumber`. */
  readonly sortCode?: string;
  /** Eight digits. */
  readonly accountNumber?: string;
  /** The gateway checks the numbers. One that is not of its form is omitted, and counted. */
  readonly iban?: string;
  /** The holder's. */
  readonly lei?: Lei;
  /** The last four digits of the card, and no more: a full card number must not cross the port. */
  readonly cardLastFour?: string;
}

/**
 * One figure of an account at one time.
 * - `booked`: the amount on the account (on a card the debt, negative).
 * - `available`: the amount that the customer can spend **without** an overdraft; on a credit line, the credit left.
 */
export interface CoreBalance {
  readonly kind: 'booked' | 'available';
  readonly amount: CoreMoney;
  readonly at: CoreTime;
  /**
   * On the `available` balance: the agreed limit of the overdraft or the credit line, not negative; absent without one.
   */
  readonly creditLimit?: CoreMoney;
}

export interface CoreTransaction {
  /**
   * Unique in the account, and stable between calls; the same from pending to booked where the adapter declares
   * `id-kept`.
   */
  readonly id: string;
  /** `rejected`: the bank did not carry it out. Versions of the API that have no word for that omit it. */
  readonly status: 'booked' | 'pending' | 'rejected';
  /** Booked: the time of booking. Pending: the time it was made. Rejected: the time of the rejection. Orders, filters and pages. */
  readonly at: CoreTime;
  /** When the customer made it, where the core knows it apart from the booking. Pending: the same as `at`, or absent. */
  readonly madeAt?: CoreTime;
  /** Pending only: when the core expects to book it. */
  readonly expectedBookingAt?: CoreTime;
  readonly valueAt?: CoreTime;
  /** Signed: negative leaves the account. */
  readonly amount: CoreMoney;
  readonly description?: string;
  /** The balance after this transaction. */
  readonly runningBalance?: CoreMoney;
  /** Set where the transaction was made in another currency than the account's. */
  readonly exchange?: { readonly sourceCurrency: string; /** Decimal, e.g. `1.1725`. */ readonly rate?: string };
  /** The family and sub-family of ISO 20022's bank transaction codes, e.g. `RCDT` and `DMCT`. */
  readonly isoTransactionCode?: { readonly family: IsoCode; readonly subFamily: IsoCode };
  /** The code of the bank itself, at most 35 characters, and who gave it. */
  readonly bankTransactionCode?: { readonly code: string; readonly issuer?: string };
  /** A code of `ExternalCategoryPurpose1Code`, e.g. `SALA`. */
  readonly categoryPurpose?: IsoCode;
  /** A code of `ExternalPurpose1Code`, e.g. `RENT`. */
  readonly paymentPurpose?: IsoCode;
  // Only TPPs with the Detail permission see the parties below. One of the accounts is the customer's.
  readonly creditor?: CoreAccountIdentification;
  readonly creditorAgent?: CoreAgent;
  /** For whom the creditor receives the payment. */
  readonly ultimateCreditor?: CoreUltimateParty;
  readonly debtor?: CoreAccountIdentification;
  readonly debtorAgent?: CoreAgent;
  /** For whom the debtor pays. */
  readonly ultimateDebtor?: CoreUltimateParty;
}

/** A place in an account's history: all that is newer or older than it is well defined, whatever is added meanwhile. */
export interface TransactionPosition {
  /** Milliseconds since 1970 of {@link CoreTransaction.at}; a day without a time counts as its 00:00 UTC. */
  readonly atMs: number;
  readonly id: string;
}

/**
 * Which transactions to read. All conditions hold together. The order of history is by `at`, then by `id` (by code
 * unit), and the answer is **newest first** whichever side it is read from.
 */
export interface TransactionQuery {
  /** Inclusive lower edge of `at`. */
  readonly from?: Date;
  /** Exclusive upper edge of `at`. */
  readonly to?: Date;
  /** Only money in (`credit`, zero included) or only money out (`debit`). */
  readonly direction?: 'credit' | 'debit';
  readonly status?: 'booked';
  /**
   * `older`: the newest rows older than `position` (without one: the newest of all). `newer`: the oldest rows newer
   * than `position`, which is then given.
   */
  readonly read: 'older' | 'newer';
  readonly position?: TransactionPosition;
  /** The greatest number of rows, 1 to 1000. */
  readonly limit: number;
}

export interface CoreParty {
  /** The core's own reference of the person. */
  readonly ref: string;
  readonly name?: string;
  readonly lei?: Lei;
  readonly address?: NonNullable<CoreAgent['address']>;
}

/** A pricing offer on a credit card. Percentages are decimals such as `2.99`. */
export interface CoreOffer {
  /** `YYYY-MM`. */
  readonly endMonth?: string;
  readonly feePercentage?: string;
  readonly maxTransferPercentage?: string;
  readonly minTransferAmount?: CoreMoney;
  readonly minFeeAmount?: CoreMoney;
  readonly annualRatePercentage?: string;
  readonly takeUpEndDate?: CalendarDate;
}

/** Domestic only: an adapter leaves international ones out. */
export interface CoreScheduledPayment {
  readonly id: string;
  readonly dueAt: CoreTime;
  readonly type: 'execution' | 'arrival';
  readonly reference?: string;
  /** Not negative. */
  readonly amount: CoreMoney;
  readonly creditor: CoreAccountIdentification;
  readonly creditorAgent?: CoreAgent;
}

export const beneficiaryKinds = ['third-party', 'nominated', 'international', 'internal'] as const;
export type BeneficiaryKind = (typeof beneficiaryKinds)[number];

export interface CoreBeneficiary {
  readonly id: string;
  readonly kind: BeneficiaryKind;
  readonly creditor: CoreAccountIdentification;
  readonly creditorAgent?: CoreAgent;
}

/** The most recent statement cycle, and no other. */
export interface CoreStatement {
  readonly startAt: CoreTime;
  readonly endAt: CoreTime;
  readonly createdAt: CoreTime;
  readonly type: 'regular' | 'annual' | 'interim' | 'opening' | 'closing';
  readonly closingBalance: CoreMoney;
  /** The least that the customer must pay, not negative. */
  readonly minimumPayment?: CoreMoney;
  readonly paymentDueAt?: CoreTime;
}

/** A core that knows only that something is not active says `cancelled`. */
export const mandateStatuses = ['active', 'cancelled', 'expired', 'suspended'] as const;
export type MandateStatus = (typeof mandateStatuses)[number];

export interface CoreDirectDebit {
  readonly id: string;
  readonly mandate: string;
  readonly status: MandateStatus;
  /** The name of the service user that collects. */
  readonly name: string;
  readonly frequency?: CoreFrequency;
  /** Whether each collection is of one amount, of an amount that varies, or by use. */
  readonly classification?: 'fixed' | 'variable' | 'usage-based';
  readonly categoryPurpose?: IsoCode;
  readonly firstPaymentAt?: CoreTime;
  readonly finalPaymentAt?: CoreTime;
  /** Why the customer agreed to the collections, at most 256 characters. */
  readonly reason?: string;
}

/**
 * Weekdays are ISO: 1 is Monday. A negative day of a month counts from its end (-1 is its last day).
 */
export type CoreFrequency =
  | { readonly every: 'day'; readonly interval: number }
  | { readonly every: 'working-day' }
  | { readonly every: 'week'; readonly interval: number; readonly weekday: number }
  | { readonly every: 'month'; readonly interval: number; readonly day: number }
  | { readonly every: 'month'; readonly weekOfMonth: number; readonly weekday: number }
  | { readonly every: 'quarter'; readonly days: 'english' | 'scottish' | 'received' }
  | { readonly every: 'other' };

/** Domestic only: an adapter leaves international ones out. */
export interface CoreStandingOrder {
  readonly id: string;
  readonly frequency: CoreFrequency;
  readonly reference?: string;
  readonly firstPaymentAt?: CoreTime;
  readonly nextPaymentAt?: CoreTime;
  readonly finalPaymentAt?: CoreTime;
  readonly status: MandateStatus;
  readonly categoryPurpose?: IsoCode;
  /** Not negative. */
  readonly nextPaymentAmount?: CoreMoney;
  readonly creditor: CoreAccountIdentification;
  readonly creditorAgent?: CoreAgent;
}

export interface CoreProductDetail {
  readonly code?: string;
  readonly name?: string;
  /** The kind of current account. The gateway shows `Other` where the profile's sub-type is not `CurrentAccount`. */
  readonly type: 'personal-current-account' | 'business-current-account' | 'other';
}
