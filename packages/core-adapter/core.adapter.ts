import type { CoreFunds, FoundAccount, FundsQuestion, StatedAccount } from './core.funds.js';
import type {
  CoreAccount,
  CoreBalance,
  CoreBeneficiary,
  CoreDirectDebit,
  CoreOffer,
  CoreParty,
  CoreProductDetail,
  CoreScheduledPayment,
  CoreStandingOrder,
  CoreStatement,
  CoreTransaction,
  TransactionPosition,
  TransactionQuery,
} from './core.records.js';

/** How long a read may take, and for which TPP it is. */
export interface CallContext {
  /** Passed on to the core, so that one request can be followed through both systems. */
  readonly interactionId: string;
  /** Fires at the request's deadline or when the TPP closes the connection: the adapter stops its call at once. */
  readonly signal: AbortSignal;
  /**
   * The TPP: the same text for all its reads, different for each TPP, and no name or id of it. Absent where the gateway
   * reads for the bank, such as the accounts from which the customer selects.
   */
  readonly tpp?: string;
  /**
   * The header `traceparent` of W3C Trace Context, where the gateway takes traces. The HTTP client of `services` sends
   * it already.
   */
  readonly traceparent?: string;
}

/** For whom a read is. */
export interface CoreContext extends CallContext {
  /** The core's reference of the customer who gave the consent. A read never shows another customer's data. */
  readonly customerRef: string;
  /** Whether the customer uses the TPP at this moment, as the TPP states. */
  readonly customerPresent: boolean;
}

/**
 * A record that the core sent and that cannot be read. It is omitted from the answer, counted and logged. The gateway
 * does the same with a good record whose id an earlier record of the answer has.
 */
export interface BadRecord {
  /** Its position in the core's answer, e.g. `transactions[3]`. Never its content. */
  readonly where: string;
  /** The field and its fault, without its value. */
  readonly fault: string;
  /** For a transaction whose time and id can be read: the next page begins behind it. */
  readonly position?: TransactionPosition | undefined;
}

/** An optional field that the core sent and that cannot be read. Its record is valid, and is shown without it. */
export interface UnreadField {
  /** As in {@link BadRecord}. */
  readonly where: string;
  /** The name of the field in the port's record. */
  readonly field: string;
  /** Its fault, without its value. */
  readonly fault: string;
}

/** Records of one kind: the good ones translated, the bad ones named. */
export interface CoreItems<T> {
  readonly items: readonly T[];
  readonly bad: readonly BadRecord[];
  /** Absent where each field could be read. The gateway counts and logs them. */
  readonly unread?: readonly UnreadField[];
}

/** Records of one account together with the account itself, so that its state and product cost no second call. */
export interface CoreRead<T> extends CoreItems<T> {
  readonly account: CoreAccount;
}

export interface CoreTransactionsRead extends CoreRead<CoreTransaction> {
  /** Whether rows that fit the query lie beyond the last one read, in the direction of reading. */
  readonly more: boolean;
}

/**
 * The interface that a bank implements for its core. `createAdapter` of its module makes it. Each read honours
 * `context.signal`, reads only accounts that `context.customerRef` may see, and throws only `CoreError`; an account
 * that the core does not know, or does not list for this customer, is `account-not-found`. A read that is missing is
 * one that this core cannot serve: the gateway refuses to start with a profile that promises it.
 *
 * An adapter knows nothing of consents, permissions, Basic and Detail, windows, masking, signs, links or errors:
 * those belong to the gateway.
 */
export interface CoreAdapter {
  /** Name of the core in configuration, logs and metrics. */
  readonly name: string;
  /** Whether it shows pending transactions, and whether their `id` stays when they are booked. Published to TPPs. */
  readonly pending: PendingSupport;
  /**
   * How far back transactions go, as an ISO 8601 duration (`P7Y`); absent: to the account's opening. Published to TPPs.
   */
  readonly maxTransactionHistory?: string;
  /**
   * The most connections that one of its reads uses at a time; absent: one. The gateway makes as many reads as these
   * allow.
   */
  readonly connectionsPerRead?: number;
  /** The names of products that its settings give to accounts. The gateway refuses a profile that lacks one of them. */
  readonly products?: readonly string[];
  /**
   * For each read that is missing, why: shown to the operator whose profile asks for it. A core without `fundsAvailable` is
   * asked for its balances, unless the reason here says that they cannot answer: that they are of last night, say.
   */
  readonly missing: Readonly<Partial<Record<AccountRead | FundsRead, string>>>;

  /** All accounts of the customer, whatever their state or product. */
  accounts(context: CoreContext): Promise<CoreItems<CoreAccount>>;
  account(accountRef: string, context: CoreContext): Promise<CoreAccount>;

  balances?(accountRef: string, context: CoreContext): Promise<CoreRead<CoreBalance>>;
  transactions?(accountRef: string, query: TransactionQuery, context: CoreContext): Promise<CoreTransactionsRead>;
  /** The customer of the context, not the account's holder. At most one. */
  party?(accountRef: string, context: CoreContext): Promise<CoreRead<CoreParty>>;
  offers?(accountRef: string, context: CoreContext): Promise<CoreRead<CoreOffer>>;
  scheduledPayments?(accountRef: string, context: CoreContext): Promise<CoreRead<CoreScheduledPayment>>;
  beneficiaries?(accountRef: string, context: CoreContext): Promise<CoreRead<CoreBeneficiary>>;
  /** The latest cycle, at most one. */
  statements?(accountRef: string, context: CoreContext): Promise<CoreRead<CoreStatement>>;
  directDebits?(accountRef: string, context: CoreContext): Promise<CoreRead<CoreDirectDebit>>;
  standingOrders?(accountRef: string, context: CoreContext): Promise<CoreRead<CoreStandingOrder>>;
  product?(accountRef: string, context: CoreContext): Promise<CoreRead<CoreProductDetail>>;

  /**
   * The account with this number, whatever its state; `undefined` where the bank has none. No customer is known yet: the
   * gateway compares the names. As far as the core allows, the read takes the same calls whether the account exists or not.
   */
  findPaymentAccount?(stated: StatedAccount, context: CallContext): Promise<FoundAccount | undefined>;
  /** Whether the customer can spend the amount now. Blocks no funds. */
  fundsAvailable?(accountRef: string, question: FundsQuestion, context: CoreContext): Promise<CoreFunds>;

  /** Resolves when the core answers; throws `CoreError` when it does not. Reads no customer's data. */
  health(signal: AbortSignal): Promise<void>;
  /**
   * For an adapter that reads files of certificates and keys itself, other than through `services.http`: reads them
   * again, when the gateway renews all certificates.
   *
   * @returns a function that puts them to use: reads under way end on their connections, and the next ones open new ones
   * @throws CoreSettingFault for a file with a fault; then nothing has changed
   */
  renewCertificates?(): () => void;
  /** Ends every connection; nothing of the adapter keeps the process alive afterwards. */
  close(): Promise<void>;
}

export type PendingSupport = 'none' | 'id-kept' | 'id-changes';

/** The reads that belong to an account and that a core may lack. */
export const accountReads = [
  'balances',
  'transactions',
  'party',
  'offers',
  'scheduledPayments',
  'beneficiaries',
  'statements',
  'directDebits',
  'standingOrders',
  'product',
] as const;
export type AccountRead = (typeof accountReads)[number];

/** The reads for confirmation of funds, which a core may lack. */
export const fundsReads = ['findPaymentAccount', 'fundsAvailable'] as const;
export type FundsRead = (typeof fundsReads)[number];
