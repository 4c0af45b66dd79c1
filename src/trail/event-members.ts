import type { Reason } from './reasons.js';

export interface Named {
  /** The interaction id of a request, and of the acts that it asked for; else a UUID. */
  readonly id: string;
  /** When the request was received, or the event happened: ISO 8601 in UTC, with milliseconds. */
  readonly at: string;
}

/** A TPP, by the issuer of its tokens and its client id there. */
export interface TppMembers {
  /** The issuer of the TPP's tokens. */
  readonly issuer?: string | undefined;
  /** The TPP's client id there. */
  readonly tpp?: string | undefined;
}

/** The actor of an event. An operator has the name under which the bank knows the operator. `unknown`: a wrong credential. */
export type Actor = 'tpp' | 'customer' | 'bank' | 'gateway' | 'unknown' | `operator:${string}`;

export interface Caused {
  /** The request that caused the event. */
  readonly interactionId?: string | undefined;
  /** Why: src/trail/reasons.ts has the meaning and the remedy of each. */
  readonly reason?: Reason | undefined;
}
