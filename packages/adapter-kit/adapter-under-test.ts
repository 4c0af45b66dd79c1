import type { AccountRead } from '../core-adapter/core.adapter.js';
import type {
  CoreAccount,
  CoreBalance,
  CoreBeneficiary,
  CoreDirectDebit,
  CoreMoney,
  CoreOffer,
  CoreParty,
  CoreProductDetail,
  CoreScheduledPayment,
  CoreStandingOrder,
  CoreStatement,
  CoreTime,
  CoreTransaction,
} from '../core-adapter/core.records.js';
import type { CoreErrorKind } from '../core-adapter/core-error.js';
import type { CreateAdapter } from '../core-adapter/core-services.js';
import type { ClauseId, CoreSource } from './clauses.js';

/** Everything that the kit must know about an adapter. See `docs/bank/port.md`, "The test core". */
export interface AdapterUnderTest {
  /** Decides the clauses. Absent: `http` or `tcp`, as the URL of the test core says. */
  readonly source?: CoreSource;
  /**
   * Starts the test core, or takes hold of one that runs. Asked several times; each time its data must be as `truth`
   * says, as {@link WantedCore} has it.
   */
  readonly core: (wanted: WantedCore) => Promise<TestCore>;
  /** The adapter's `createAdapter`. */
  readonly create: CreateAdapter;
  /** The customers of the test core. Asked once it has started. */
  readonly personas: () => readonly TestPersona[] | Promise<readonly TestPersona[]>;
  /** The truth about an account, which the core's owner knows without the adapter. */
  readonly truth: (customerRef: string, accountRef: string) => AccountTruth | Promise<AccountTruth>;
  /**
   * For a truth that the kit derives from a mapping, and so with each of its mistakes: the clauses that the bank's examples do
   * not bear out, and why. Each of them is broken.
   */
  readonly unproved?: () => Promise<Readonly<Partial<Record<ClauseId, string>>>>;
  /**
   * Why a clause cannot hold here, where the clause allows that. Clauses about reads and pending transactions that the adapter
   * declares missing are omitted without an entry.
   */
  readonly without?: Readonly<Partial<Record<ClauseId, string>>>;
  /** For each setting, values that must be refused; `undefined` where the setting must not be absent. */
  readonly badSettings?: Readonly<Record<string, readonly (string | undefined)[]>>;
  /**
   * For a core over HTTP: the fields of its records whose words the adapter turns into the port's codes, by read and member,
   * such as `{ accounts: { permitted: 'status', product: 'prod', holder: [] } }`. A field inside a record is `payee.form`.
   * An empty list where no word decides the member. The clause about unknown words names the members that are missing.
   */
  readonly codes?: Readonly<
    Partial<Record<AccountRead | 'accounts', Readonly<Record<string, string | readonly string[]>>>>
  >;
  readonly faults?: CoreFaults;
  /** Repeats the cases that the kit has generated: the number that a failure names. Default: others each time. */
  readonly seed?: number;
}

/** In what a test core may differ from the others. */
export interface WantedCore {
  /** The core lives there: its data are the same, its clocks are not. */
  readonly timeZone?: string;
}

export interface TestCore {
  /** The value of `CORE_URL`, without a trailing slash; with a port where the core does not speak HTTP. */
  readonly url: string;
  /** The other `CORE_*` variables. Where one holds the core's own address, it follows the kit's proxy. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Ends the customer's access to the account (it is no longer permitted), or changes the account's booked balance. */
  readonly change?: (what: 'access' | 'balance', customerRef: string, accountRef: string) => Promise<void>;
  /** Opens `count` accounts of the customer, in addition to the others, to which access is permitted. */
  readonly open?: (customerRef: string, count: number) => Promise<void>;
  /** Books one more transaction on the account, newer than all others. */
  readonly book?: (customerRef: string, accountRef: string) => Promise<void>;
  /** Books a pending transaction, named by the id that the adapter gave it. */
  readonly settle?: (customerRef: string, accountRef: string, transactionId: string) => Promise<void>;
  /**
   * Makes records of a read unreadable for the adapter, in a list of two records or more, and returns the function that
   * restores them. Only for a core that does not speak HTTP: the kit spoils HTTP answers itself.
   */
  readonly spoil?: (
    spoiling: Spoiling,
    read: AccountRead | 'accounts',
    customerRef: string,
    accountRef: string,
  ) => Promise<() => Promise<void>>;
  /**
   * Ends every login that the core has given out, a token say, as a core does when it restarts or when its operators change a
   * secret: it refuses a caller until the caller signs in again. The settings stay right.
   */
  readonly endLogins?: () => Promise<void>;
  /**
   * Puts these customers, their accounts, balances and transactions in the place of all others, exactly as they are
   * given; the core chooses all that is not given. The kit then generates customers, accounts and histories.
   */
  readonly fill?: (customers: readonly GivenCustomer[]) => Promise<void>;
  /** Only, and always, for the source `replica`. There `change`, `book` and `settle` each deliver what they change. */
  readonly replica?: TestReplica;
  readonly close: () => Promise<void>;
}

/** A customer whom the kit has generated. */
export interface GivenCustomer {
  readonly customerRef: string;
  readonly accounts: readonly GivenAccount[];
}

/** An account of any product, to which access is permitted. */
export interface GivenAccount {
  readonly ref: string;
  readonly currency: string;
  /** The booked balance, in minor units. */
  readonly booked: bigint;
  /** In no particular order, without running balances. */
  readonly transactions: readonly CoreTransaction[];
}

/** One record among good ones; every record; or a transaction that has lost its time and is well otherwise. */
export type Spoiling = 'one' | 'all' | 'undated';

export interface TestPersona {
  readonly customerRef: string;
  /** Every account that the core lists for the customer. */
  readonly accountRefs: readonly string[];
}

/** The funds that the customer can spend from an account. */
export interface TruthOfFunds {
  /** Without an overdraft; below zero where the account is overdrawn. On a credit line, its rest. */
  readonly spendable: CoreMoney;
  /** The agreed limit of the overdraft; absent without one. */
  readonly overdraft?: CoreMoney;
}

/**
 * The right answer of each read; a read that the adapter lacks is omitted. The order within a list is of no account.
 */
export interface AccountTruth {
  readonly account: CoreAccount;
  readonly balances?: readonly CoreBalance[];
  readonly transactions?: readonly CoreTransaction[];
  readonly party?: readonly CoreParty[];
  readonly offers?: readonly CoreOffer[];
  /** The domestic ones. */
  readonly scheduledPayments?: readonly CoreScheduledPayment[];
  readonly beneficiaries?: readonly CoreBeneficiary[];
  /** The latest. */
  readonly statements?: readonly CoreStatement[];
  readonly directDebits?: readonly CoreDirectDebit[];
  /** The domestic ones. */
  readonly standingOrders?: readonly CoreStandingOrder[];
  readonly product?: readonly CoreProductDetail[];
  /** The names of all holders, as the bank writes them. */
  readonly holderNames?: readonly string[];
  readonly funds?: TruthOfFunds;
  /** Ids of scheduled payments and standing orders that the core has and that are not domestic. */
  readonly international?: readonly string[];
  /** When the earlier statement cycles ended. */
  readonly earlierStatements?: readonly CoreTime[];
}

export interface CoreErrorAnswer {
  readonly body: string;
  readonly kind: CoreErrorKind;
  /** The wait that the body states. */
  readonly retryAfterSeconds?: number;
}

/** Where the kit cannot find out by itself how to spoil the core's answers. */
export interface CoreFaults {
  /**
   * Errors that the core sends in an answer of status 200, each with its kind: `{ body: '{"ok":false,"error":"BUSY"}', kind:
   * 'rate-limited', retryAfterSeconds: 9 }`. A core without such errors says so in `without`, by CORE-82.
   */
  readonly answers?: readonly CoreErrorAnswer[];
  /**
   * The list of records in an answer of the core (its JSON, which may be changed in place), `[]` if it has none, or nothing
   * for the default: the longest list of records in the last answer that has one.
   */
  readonly records?: (read: AccountRead | 'accounts', answer: unknown) => unknown[] | undefined;
}

/** How the kit delivers data to an adapter that reads a replica. */
export interface TestReplica {
  /** The time of the data in use, in milliseconds since 1970. The adapter's clock shows it unless a clause moves the clock. */
  readonly asOfMs: () => number;
  /** The age that the settings of the test core allow. */
  readonly maxAgeMs: number;
  /** Delivers, and resolves with whether the delivery was taken. */
  readonly deliver: (delivery: TestDelivery) => Promise<boolean>;
}

export type TestDelivery =
  /** The data in use, as of a later time. */
  | 'newer'
  /** The same with a record that cannot be read, after good ones. */
  | 'broken'
  /** The same without some of its records, or one of its files. */
  | 'partial'
  /** The data in use, as of an earlier time. */
  | 'older'
  /** The delivery in use once more. */
  | 'repeated'
  /** A newer one, and the process that takes it is killed while it does. */
  | 'cut-off';
