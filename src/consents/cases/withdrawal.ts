import type { AccountAtCore } from '../../core-banking/account-at-core.js';
import type { TppId } from '../../open-banking/tpp-id.js';
import type { WithdrawalReason } from '../../trail/withdrawal-reasons.js';
import type { Consent } from '../consent.js';
import type { Role } from './operator-roles.js';

/** One consent, or the consents of one customer, of one account, or of one TPP. */
export type Scope =
  | { readonly kind: 'consent'; readonly consentId: string }
  | { readonly kind: 'customer'; readonly customerRef: string }
  | {
      readonly kind: 'account';
      readonly account: AccountAtCore;
      /** Only in the consents that this customer gave. */
      readonly customerRef?: string;
    }
  | { readonly kind: 'tpp'; readonly tpp: TppId };

/** The withdrawal of every consent of a scope. An account leaves them, and those that have no other account end. */
export interface Withdrawal {
  readonly scope: Scope;
  readonly reason: WithdrawalReason;
  /** The operator's words. They are kept with the consents, and are in no event and no log. */
  readonly text?: string | undefined;
}

export type OperatorActor = `operator:${string}`;
export type Withdrawer = OperatorActor | 'bank';

export interface Withdrawn {
  readonly at: Date;
  /** How many consents gave access, or of a TPP also awaited the customer, until then; of an account, how many it left. */
  readonly count: number;
  /** Those consents; absent for a TPP, which may have millions. */
  readonly consents?: readonly Consent[];
}

type ScopeOfTpp = Extract<Scope, { kind: 'tpp' }>;

/** An act that needs a second operator. */
export type ProposedAct =
  | ({ readonly kind: 'withdrawal' } & Withdrawal)
  | { readonly kind: 'suspension' | 'reinstatement'; readonly scope: ScopeOfTpp }
  | {
      /** A change of a TPP's registered metadata: its keys, its redirect URIs. */
      readonly kind: 'registration';
      readonly scope: ScopeOfTpp;
      /** The TPP as the bank would register it. */
      readonly entry: object;
    };

export interface Proposal {
  readonly proposalId: string;
  readonly act: ProposedAct;
  readonly proposedBy: string;
  readonly proposedAt: Date;
  /** From this time on it cannot be approved. */
  readonly expiresAt: Date;
}

/** The approval of a proposal. The transaction that carries out the proposal also removes it, so no operator can use it twice. */
export interface Approval {
  readonly proposalId: string;
  readonly by: OperatorActor;
  /** Which the act needs. */
  readonly role: Role;
  readonly at: Date;
}
