import type { BeneficiaryKind } from '../../packages/core-adapter/core.records.js';
import type { AccountSubType, AccountType } from '../open-banking/account-types.js';
import type { BookedBalanceType, CreditLimitType } from '../open-banking/balance-types.js';

/** A product of the bank, from its profile: which data of its accounts TPPs may read, and how the data are shown. */
export interface BankProduct {
  /** The endpoints that serve its accounts. If the list is empty, TPPs cannot read the accounts of this product. */
  readonly endpoints: readonly string[];
  readonly accountSubType: AccountSubType;
  /** Where it is absent, the holder of each account decides. */
  readonly accountType?: AccountType;
  /** `account` (the default): by account number and IBAN. `card`: by the last four digits of the card. */
  readonly identifiedBy?: 'account' | 'card';
  /** `InterimBooked` where it is absent. */
  readonly bookedBalance?: BookedBalanceType;
  /** The credit that the balances show. Where it is absent they show none, whatever limit the core has. */
  readonly credit?: ProductCredit;
  /** Pending transactions are not shown. */
  readonly postedOnly?: boolean;
  /** The kinds of beneficiaries that are shown: every kind where it is absent. */
  readonly beneficiaries?: readonly BeneficiaryKind[];
}

export interface ProductCredit {
  /** `overdraft`: the available balance leaves it out. `credit-line`: the available balance is the rest of it. */
  readonly kind: 'overdraft' | 'credit-line';
  /** The type under which the agreed limit is shown. Where it is absent, only the rest is shown. */
  readonly limitType?: CreditLimitType;
}
