import type { Actor, Caused, Named, TppMembers } from './event-members.js';

/** The subject of an operator's act. */
export interface Target extends TppMembers {
  /** A ConsentId. */
  readonly consent?: string;
  /** A pseudonym. */
  readonly customer?: string;
  /** A pseudonym. */
  readonly account?: string;
  /** The name of an operator. */
  readonly operator?: string;
}

/** An operator's command, or an act at the bank's port that changes something; refused ones too. */
export interface OperatorEvent extends Named, Caused {
  readonly kind: 'operator';
  /** The operation of docs/openapi/bank-facing.json, or the command. */
  readonly command: string;
  /** The actor; `unknown` where the credential was wrong. */
  readonly by: Actor;
  /** How it ended. */
  readonly outcome: 'done' | 'refused' | 'failed';
  /** The subject of the act. */
  readonly target?: Target | undefined;
  /** How many subjects the act changed. */
  readonly count?: number;
}

export type OutageChange = 'planned' | 'removed';

/** An outage was planned, or removed before it began. Its text stays out of the trail. */
export interface OutageEvent extends Named, Pick<Caused, 'interactionId'> {
  readonly kind: 'outage';
  /** The change. */
  readonly event: OutageChange;
  /** The id of the outage, a UUID. */
  readonly outage: string;
  /** ISO 8601 in UTC, with milliseconds; the outage ends before `to`. */
  readonly from: string;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly to: string;
  /** The actor. */
  readonly by: Actor;
}
