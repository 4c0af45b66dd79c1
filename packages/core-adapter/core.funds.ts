import type { CoreAccount, CoreMoney } from './core.records.js';

/**
 * The account that a TPP named when it asked for a consent to funds checks. The gateway has checked the number: it has no
 * blanks and no dashes, and capital letters only.
 */
export interface StatedAccount {
  /** `sort-code`: six digits of sort code and eight of account number, joined. */
  readonly scheme: 'sort-code' | 'iban';
  readonly identification: string;
  /** A further number of the account at its bank, such as the roll number of a building society, as the TPP wrote it. */
  readonly secondaryIdentification?: string;
}

export interface FoundAccount {
  /** Its record has the number by which it was found. */
  readonly account: CoreAccount;
  /** The names of its holders, as the bank writes them: several of a joint account. */
  readonly holderNames: readonly string[];
}

/** Whether at least this much can be spent now. */
export interface FundsQuestion {
  /** Not negative. */
  readonly amount: CoreMoney;
  /** Whether the agreed limit of an overdraft counts. The rest of a credit line always does. */
  readonly countOverdraft: boolean;
}

export interface CoreFunds {
  readonly account: CoreAccount;
  /** False in another currency than the account's, and while access to the account is not permitted. */
  readonly available: boolean;
}
