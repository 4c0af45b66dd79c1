import type { CoreErrorKind } from '../../packages/core-adapter/core-error.js';
import type { CheckName, RefusingCheck } from '../open-banking/checks.js';
import type { ErrorKind } from '../open-banking/error-table.js';
import type { RefusalReason } from '../open-banking/reasons.js';
import type { Field, Rule } from '../open-banking/rules.js';
import type { Signature } from './root-record.js';
import type { CheckFacts } from './check-facts.js';
import type { Actor, Caused, Named, TppMembers } from './event-members.js';
import type { OperatorEvent, OutageEvent } from './operator-event.js';
import type { WithdrawalEvent } from './withdrawal-event.js';

/** The version of the events' schema. docs/operate/trail-events.md, which `npm run event-schema` makes of these types, has the members. */
export const eventVersion = 1;

/** No line of a segment is longer, in UTF-8 and with its line feed. */
export const mostLineBytes = 16 * 1024;

/** The members of every event that its writer adds. */
export interface WrittenMembers {
  /** The version of the schema. */
  readonly v: typeof eventVersion;
  /** The number of the event in its segment; the first is 1. */
  readonly seq: number;
  /** The run of the process: host name, process id and eight random hexadecimal digits. */
  readonly instance: string;
  /** The version of the gateway. */
  readonly release: string;
  /** How many events before this one could not be written. */
  readonly lost?: number;
}

/** The first line of each segment. Its signature is over `account-information-gateway opened <segment>`. */
export interface SegmentEvent extends Named, Signature {
  readonly kind: 'segment';
  /** The process, in a form that distinguishes it from an earlier one with the same id. */
  readonly process: string;
  /** How many events before this segment could not be written. */
  readonly lostBefore?: number;
}

export const listeners = ['api', 'bank', 'customers', 'tpps'] as const;
export type ListenerName = (typeof listeners)[number];

/**
 * A request at any listener, written when its work has ended. Callers that proved nothing have one event each up to five a second
 * of a listener and a reason; the rest is one event for each listener, endpoint, status, reason and second, with `count`.
 */
export interface RequestEvent extends Named, TppMembers {
  readonly kind: 'request';
  /** `customers` is for browsers, `tpps` the authorization server's listener for TPPs. */
  readonly listener: ListenerName;
  /** Only a valid one. */
  readonly traceparent?: string | undefined;
  /** The method of the request. */
  readonly method?: string | undefined;
  /** The name that the route declares, or its pattern; absent where the request met no route. */
  readonly endpoint?: string | undefined;
  /** Such as v4.0. */
  readonly apiVersion?: string | undefined;
  /** 499 where the caller had gone; absent where TLS refused the connection. */
  readonly status?: number;
  /** With 499: the status of the answer that was made after the caller had gone. Absent where none was. */
  readonly unsentStatus?: number | undefined;
  /** From the arrival to the first byte of the answer, without the time in which a poll waited for an event. */
  readonly firstByteMs?: number | undefined;
  /** The same to the end of the answer, or until the caller had gone; with `TRAIL_FAULT=refuse` until it was ready. */
  readonly lastByteMs?: number | undefined;
  /** The length of the answer's body, as sent; absent for a stream, and with 499. */
  readonly bytes?: number | undefined;
  /** At the bank's port: the caller, once its credential was found right. */
  readonly by?: Actor | undefined;
  /** The ConsentId of the token; or of the path, for the bank and for the TPP and the customer of the consent. */
  readonly consent?: string | undefined;
  /** How strongly the customer was authenticated, in the issuer's word. */
  readonly acr?: string | undefined;
  /** The error of the answer: docs/tpp/errors.md. */
  readonly error?: ErrorKind | undefined;
  /** The check that refused the request: docs/specification.md, "The checks of a request", or one of the authorization server. */
  readonly refusedBy?: RefusingCheck | undefined;
  /** The check during which a fault ended the request. Those before it passed. */
  readonly failedIn?: CheckName | undefined;
  /** The field that broke a rule, such as `query:fromBookingDateTime`, without its value. */
  readonly field?: Field | undefined;
  /** The rule that the field broke. */
  readonly rule?: Rule | undefined;
  /** Why: src/trail/reasons.ts has the meaning and the remedy of each. */
  readonly reason?: RefusalReason | undefined;
  /** `Id` in the body of the answer. */
  readonly errorId?: string | undefined;
  /** The core that was asked; several have commas between them. */
  readonly core?: string | undefined;
  /** How long the request waited for the core; for several cores the longest. */
  readonly coreMs?: number | undefined;
  /** The kind of the core's fault. */
  readonly coreFault?: CoreErrorKind | undefined;
  /** Whether the customer was present, for a resource. */
  readonly attended?: boolean | undefined;
  /** The place of the request in the limit of reads without the customer. */
  readonly unattended?: 'within' | 'beyond' | 'refused' | undefined;
  /** The product of the account. */
  readonly product?: string | undefined;
  /** The number of records in the answer. */
  readonly rows?: number | undefined;
  /** The number of records of the core that could not be read and were omitted. */
  readonly badRecords?: number | undefined;
  /** A pseudonym; at the bank's port of the customer about whom the caller asked. */
  readonly customer?: string | undefined;
  /** A pseudonym, in the same way. */
  readonly account?: string | undefined;
  /** Query parameters that were ignored though they are nearly right; names from a closed list. */
  readonly ignoredParameters?: readonly string[] | undefined;
  /** The cores whose accounts are missing in the answer, because they could not be read. */
  readonly unreachableCores?: readonly string[] | undefined;
  /** The facts on which the check decided; of an answered resource those of the authentication window. */
  readonly facts?: CheckFacts | undefined;
  /** The number of requests, where the event is of several in one second whose callers proved nothing. Its id is of the first. */
  readonly count?: number;
}

export const consentChanges = [
  'created',
  'authorised',
  'reauthenticated',
  'account-left',
  'rejected',
  'revoked',
  'authorisation-ended',
  'deleted',
  'abandoned',
] as const;
export type ConsentChange = (typeof consentChanges)[number];

/** A change of a consent. When the bank revokes all consents of a TPP, only an event of the TPP says so. */
export interface ConsentEvent extends Named, TppMembers, Caused {
  readonly kind: 'consent';
  /** The ConsentId. */
  readonly consent: string;
  /** A pseudonym. */
  readonly customer?: string | undefined;
  /** The change. */
  readonly event: ConsentChange;
  /** The actor. */
  readonly by: Actor;
  /** With `created`: the permission codes. */
  readonly permissions?: readonly string[];
  /** With `authorised`: how many accounts the customer selected. */
  readonly accounts?: number;
  /** With `account-left`: its pseudonym. */
  readonly account?: string | undefined;
  /** The end of the consent’s term, where it has one: ISO 8601 in UTC, with milliseconds. That moment has no event. */
  readonly expires?: string;
  /** The status after the change. */
  readonly status?: string;
}

export type AuthorisationStep =
  'begun' | 'sign-in-failed' | 'sign-in-blocked' | 'refused' | 'approved' | 'abandoned' | 'ended';

/** The page at which a customer stopped; `bank-step`: a code, an approval in the bank's app or the bank's own sign-on. */
export type JourneyStage = 'sign-in' | 'bank-step' | 'customer-choice' | 'accounts';

/** A deciding step of a customer's way through the pages of the embedded authorization server. */
export interface AuthorisationEvent extends Named, TppMembers, Caused {
  readonly kind: 'authorisation';
  /** The step. */
  readonly step: AuthorisationStep;
  /** With `abandoned`: the page at which the customer stopped. A closed browser is recorded when the request expires. */
  readonly stage?: JourneyStage | undefined;
  /** The ConsentId. */
  readonly consent?: string | undefined;
  /** A pseudonym, where the customer is known. */
  readonly customer?: string | undefined;
}

export type TppChange =
  'registered' | 'changed' | 'deleted' | 'suspended' | 'resumed' | 'withdrawn-by-directory' | 'consents-revoked';

/** A change of a TPP. */
export interface TppEvent extends Named, TppMembers, Caused {
  readonly kind: 'tpp';
  /** The change. */
  readonly event: TppChange;
  /** The actor. */
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
  /** The kind of the event. */
  readonly kind: AnyEvent['kind'];
  /** The event did not fit into a line, and has these members alone. */
  readonly tooLong: true;
}
