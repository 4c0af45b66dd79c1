/**
 * The stub's data, in Fineract's words and with its numbers as decimal text (`DECIMAL(19,6)`), so that nothing of
 * them is lost before they are sent.
 */
export type Decimal = string;
/** `2026-06-15` of the tenant's calendar. */
export type Day = string;

export interface ClientRow {
  readonly id: number;
  readonly displayName: string;
  /** 1 person, 2 entity; absent where the client has none. */
  readonly legalForm?: 1 | 2;
}

export interface ProductRow {
  readonly id: number;
  readonly name: string;
  readonly shortName: string;
}

export interface SavingsRow {
  readonly id: number;
  readonly clientId: number;
  readonly productId: number;
  readonly currency: string;
  /** 100 submitted, 200 approved, 300 active, 303 and 304 transfer, 400 withdrawn, 500 rejected, 600 closed. */
  status?: number;
  /** 0 none, 100 inactive, 200 dormant, 300 escheat, 400 block, 500 block credit, 600 block debit. */
  subStatus?: number;
  /** 100 savings, 200 fixed, 300 recurring. */
  readonly depositType?: number;
  balance: Decimal;
  /** The part of it that is held. */
  readonly onHold?: Decimal;
  readonly allowOverdraft?: boolean;
  readonly overdraftLimit?: Decimal;
  readonly enforceMinRequiredBalance?: boolean;
  readonly minRequiredBalance?: Decimal;
  readonly transactions: TransactionRow[];
}

export interface TransactionRow {
  readonly id: number;
  /** `SavingsAccountTransactionType`. */
  readonly type: number;
  /** The value date. */
  readonly date: Day;
  /** The booking date. */
  readonly submittedOnDate: Day;
  readonly amount: Decimal;
  /** Fineract computes it later; until then the column is null. */
  readonly runningBalance?: Decimal;
  /** Each of `m_note`, of which the search makes a row. */
  readonly notes?: readonly string[];
  /** `is_reversed`: undone, but still found. */
  reversed?: boolean;
  /** `is_reversal`: the counter-entry, which the search leaves out. */
  readonly isReversal?: boolean;
  /** On a hold: the transaction that released it. */
  releaseTransactionId?: number;
  readonly paymentType?: string;
  readonly transferDescription?: string;
}

export interface StandingInstructionRow {
  readonly id: number;
  readonly fromAccountId: number;
  readonly toAccountId: number;
  readonly name: string;
  /** 1 active, 2 disabled, 3 deleted. */
  readonly status?: number;
  /** 1 fixed amount, 2 the amount due. */
  readonly instructionType?: number;
  /** 1 account transfer, 2 loan repayment. */
  readonly transferType?: number;
  /** 1 loan, 2 savings account. */
  readonly toAccountType?: 1 | 2;
  readonly amount?: Decimal;
  readonly validFrom: Day;
  readonly validTill?: Day;
  /** 1 periodic, 2 as per dues. */
  readonly recurrenceType?: number;
  /** 0 days, 1 weeks, 2 months, 3 years. */
  readonly recurrenceFrequency: number;
  readonly recurrenceInterval: number;
  /** Month and day. */
  readonly recurrenceOnMonthDay?: readonly [month: number, day: number];
}

export type DataTableValue = string | number | null;
export interface DataTable {
  readonly columns: readonly string[];
  /** By the id of the account or client to which the rows belong. */
  readonly rows: Map<number, DataTableValue[][]>;
}

export interface FineractModel {
  readonly clients: ClientRow[];
  readonly products: ProductRow[];
  readonly accounts: SavingsRow[];
  readonly instructions: StandingInstructionRow[];
  readonly tables: Map<string, DataTable>;
}
