import type { CoreErrorKind } from '../../packages/core-adapter/core-error.js';
import type { CheckName, RefusingCheck } from '../open-banking/checks.js';
import type { ErrorKind } from '../open-banking/error-table.js';
import type { RefusalReason } from '../open-banking/reasons.js';
import type { Field, Rule } from '../open-banking/rules.js';
import type { Reason } from './reasons.js';
import type { Signature } from './root-record.js';
import type { CheckFacts } from './check-facts.js';
import type { WithdrawalEvent } from './withdrawal-event.js';

/** The version of the events' schema. docs/operate/trail.md describes it. */
export const eventVersion = 1;

/** No line of a segment is longer, in UTF-8 and with its line feed. */
export const mostLineBytes = 16 * 1024;

/** The members of every event that its writer adds. */
export interface WrittenMembers {
  readonly v: typeof eventVersion;
  /** Within the segment; the first is 1. */
  readonly seq: number;
  readonly instance: string;
  /** The version of the gateway. */
  readonly release: string;
  /** How many events before this one could not be written. */
  readonly lost?: number;
}

interface Named {
  /** The interaction id of a request; a UUID of any other event. */
  readonly id: string;
  /** When the request was received, or the event happened: ISO 8601 in UTC, with milliseconds. */
  readonly at: string;
}

/** A TPP, by the issuer of its tokens and its client id there. */
export interface TppMembers {
  readonly issuer?: string | undefined;
  readonly tpp?: string | undefined;
}

/** The first line of each segment. Its signature is over the segment's name. */
export interface SegmentEvent extends Named, Signature {
  readonly kind: 'segment';
  /** The process, in a form that tells it from an earlier one with the same id. */
  readonly process: string;
  /** How many events before this segment could not be written. */
  readonly lostBefore?: number;
}

export const listeners = ['api', 'bank', 'customers', 'tpps'] as const;
export type ListenerName = (typeof listeners)[number];

/** A request at any listener. */
export interface RequestEvent extends Named, TppMembers {
  readonly kind: 'request';
  readonly listener: ListenerName;
  readonly traceparent?: string | undefined;
  readonly method?: string | undefined;
  /** The name that the route declares, or its pattern; absent where the request met no route. */
  readonly endpoint?: string | undefined;
  readonly apiVersion?: string | undefined;
  /** 499 where the caller had gone; absent where TLS refused the connection. */
  readonly status?: number;
  /** With 499: the status of the answer that was made after the caller had gone. Absent where none was. */
  readonly unsentStatus?: number | undefined;
  readonly firstByteMs?: number | undefined;
  readonly lastByteMs?: number | undefined;
  /** The length of the answer's body, as sent. */
  readonly bytes?: number | undefined;
  /** At the bank's port: the caller, once its credential was found right. */
  readonly by?: Actor | undefined;
  readonly consent?: string | undefined;
  readonly acr?: string | undefined;
  readonly error?: ErrorKind | undefined;
  readonly refusedBy?: RefusingCheck | undefined;
  /** The check during which a fault ended the request. */
  readonly failedIn?: CheckName | undefined;
  /** The field of the request that broke a rule, by declared names only, and the rule. */
  readonly field?: Field | undefined;
  readonly rule?: Rule | undefined;
  readonly reason?: RefusalReason | undefined;
  readonly errorId?: string | undefined;
  /** The core that was asked; several have commas between them. */
  readonly core?: string | undefined;
  readonly coreMs?: number | undefined;
  readonly coreFault?: CoreErrorKind | undefined;
  readonly attended?: boolean | undefined;
  readonly unattended?: 'within' | 'beyond' | 'refused' | undefined;
  readonly product?: string | undefined;
  readonly rows?: number | undefined;
  readonly badRecords?: number | undefined;
  readonly customer?: string | undefined;
  readonly account?: string | undefined;
  /** Query parameters that were ignored though they are nearly right; names from a closed list. */
  readonly ignoredParameters?: readonly string[] | undefined;
  /** The cores whose accounts are missing in the answer, because they could not be read. */
  readonly unreachableCores?: readonly string[] | undefined;
  readonly facts?: CheckFacts | undefined;
  /** The number of requests, where the event is of several in one second whose callers proved nothing. Its id is of the first. */
  readonly count?: number;
}

export const consentChanges = [
  'created',
  'authorised',
  'reauthenticated',
  'rejected',
  'revoked',
  'authorisation-ended',
  'deleted',
  'abandoned',
] as const;
export type ConsentChange = (typeof consentChanges)[number];

/** The actor of an event. An operator has the name under which the bank knows the operator. `unknown`: a wrong credential. */
export type Actor = 'tpp' | 'customer' | 'bank' | 'gateway' | 'unknown' | `operator:${string}`;

interface Caused {
  /** The request that caused the event. */
  readonly interactionId?: string | undefined;
  readonly reason?: Reason | undefined;
}

export interface ConsentEvent extends Named, TppMembers, Caused {
  readonly kind: 'consent';
  readonly consent: string;
  readonly customer?: string | undefined;
  readonly event: ConsentChange;
  readonly by: Actor;
  /** With `created`. */
  readonly permissions?: readonly string[];
  /** With `authorised`: how many accounts the customer selected. */
  readonly accounts?: number;
  /** The end of the consent’s term, where it has one: ISO 8601 in UTC, with milliseconds. Nothing happens at that moment. */
  readonly expires?: string;
  /** After the change. */
  readonly status?: string;
}

export const authorisationSteps = [
  'begun',
  'sign-in-failed',
  'sign-in-blocked',
  'refused',
  'approved',
  'abandoned',
  'ended',
] as const;
export type AuthorisationStep = (typeof authorisationSteps)[number];

/** The page at which a customer stopped; `bank-step`: a code, an approval in the bank's app or the bank's own sign-on. */
export const journeyStages = ['sign-in', 'bank-step', 'customer-choice', 'accounts'] as const;
export type JourneyStage = (typeof journeyStages)[number];

/** A deciding step of a customer's way through the pages of the embedded authorization server. */
export interface AuthorisationEvent extends Named, TppMembers, Caused {
  readonly kind: 'authorisation';
  readonly step: AuthorisationStep;
  /** With `abandoned`. */
  readonly stage?: JourneyStage | undefined;
  readonly consent?: string | undefined;
  readonly customer?: string | undefined;
}

/** The subject of an operator's act. */
export interface Target extends TppMembers {
  readonly consent?: string;
  readonly customer?: string;
  readonly account?: string;
  /** The name of an operator. */
  readonly operator?: string;
}

/** An operator's command, or an act at the bank's port that changes something; refused ones too. */
export interface OperatorEvent extends Named, Caused {
  readonly kind: 'operator';
  readonly command: string;
  readonly by: Actor;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly target?: Target | undefined;
  readonly count?: number;
}

export const tppChanges = [
  'registered',
  'changed',
  'deleted',
  'suspended',
  'resumed',
  'withdrawn-by-directory',
  'consents-revoked',
] as const;
export type TppChange = (typeof tppChanges)[number];

export interface TppEvent extends Named, TppMembers, Caused {
  readonly kind: 'tpp';
  readonly event: TppChange;
  readonly by: Actor;
}

export const outageChanges = ['planned', 'removed'] as const;
export type OutageChange = (typeof outageChanges)[number];

/** An outage was planned, or removed before it began. Its text stays out of the trail. */
export interface OutageEvent extends Named, Pick<Caused, 'interactionId'> {
  readonly kind: 'outage';
  readonly event: OutageChange;
  /** The id of the outage, a UUID. */
  readonly outage: string;
  /** ISO 8601 in UTC, with milliseconds; the outage ends before `to`. */
  readonly from: string;
  readonly to: string;
  readonly by: Actor;
}

export type AnyEvent =
  | SegmentEvent
  | RequestEvent
  | ConsentEvent
  | AuthorisationEvent
  | OperatorEvent
  | TppEvent
  | OutageEvent
  | WithdrawalEvent;

/** An event as a line of a segment. */
export type WrittenEvent = AnyEvent & WrittenMembers;

/** The line of an event that did not fit into one. */
export interface TooLongEvent extends Named, WrittenMembers {
  readonly kind: AnyEvent['kind'];
  readonly tooLong: true;
}
