import { isOfAuthorisationServer } from '../open-banking/authorisation-paths.js';
import { checks } from '../open-banking/checks.js';
import { explainedCheck, neededToPass, type ExplainedCheck } from './explained-checks.js';
import type { ReasonText } from './reason-text.js';
import { reasons, type Reason } from './reasons.js';
import { printable } from '../open-banking/printable.js';
import { numberIn, partIn, textIn, type StoredEvent } from './stored-event.js';
import { count, duration, unserved } from './words.js';

/** One event in words, for a person who asks why the gateway did this. */
export interface Explanation {
  readonly at: string;
  readonly kind: string;
  readonly instance: string;
  /** The caller, the endpoint and the consent; or the change. */
  readonly asked: string;
  /** The answer, and where the request stopped. */
  readonly outcome: string;
  /** In their order; empty where the event does not say how far the request came. */
  readonly checks: readonly ExplainedCheck[];
  readonly reason?: ReasonText & { readonly name: string };
  /** The condition of the refusing check that the request did not meet. */
  readonly neededToPass?: string;
  /** The core's part in it. */
  readonly core?: string;
  /** The id of the error that the caller received. */
  readonly errorId?: string;
  /** The event as it was written. */
  readonly event: StoredEvent;
}

/** Explains an event of any kind; one of an unknown kind is shown with its members. */
export function explain(event: StoredEvent): Explanation {
  const common = { at: textIn(event, 'at'), kind: textIn(event, 'kind'), instance: textIn(event, 'instance'), event };
  const reason = reasonOf(event);
  const because = reason !== undefined && { reason };
  if (common.kind !== 'request')
    return { ...common, asked: happened(event), outcome: ending(event), checks: [], ...because };
  const needed = neededToPass(event);
  const core = coreWords(event);
  const errorId = textIn(event, 'errorId');
  return {
    ...common,
    asked: askedFor(event),
    outcome: answered(event),
    checks: checksOf(event),
    ...because,
    ...(needed !== undefined && { neededToPass: needed }),
    ...(core !== undefined && { core }),
    ...(errorId !== '' && { errorId }),
  };
}

function reasonOf(event: StoredEvent): Explanation['reason'] {
  const name = textIn(event, 'reason');
  if (name === '') return undefined;
  const unknown = {
    meaning: 'This release does not know the reason.',
    remedy: 'Use the commands of the release that wrote the event.',
  };
  return { name, ...(Object.hasOwn(reasons, name) ? reasons[name as Reason] : unknown) };
}

const callers: Readonly<Record<string, string>> = {
  api: 'a caller without an accepted token',
  bank: 'a caller at the bank’s port',
  customers: 'a customer’s browser',
  tpps: 'a caller at the TPPs’ listener',
};

function askedFor(event: StoredEvent): string {
  const [method, endpoint, version] = ['method', 'endpoint', 'apiVersion'].map((name) => textIn(event, name));
  const consent = textIn(event, 'consent');
  const present = typeof event['attended'] === 'boolean' ? (event['attended'] ? 'present' : 'absent') : undefined;
  return [
    `${callerOf(event)} asked ${method} ${endpoint || unserved}${version && ` (${version})`}`,
    consent && `under the consent ${consent}`,
    present && `with the customer ${present}`,
    grantWords(partIn(event, 'facts')),
    certificateWords(partIn(event, 'facts')),
    settledWords(partIn(event, 'facts')),
  ]
    .filter(Boolean)
    .join(', ');
}

/** The proof and the grant of a client of the authorization server. */
function grantWords(facts: StoredEvent): string {
  const [proof, grant] = ['clientAuthentication', 'grantType'].map((name) => textIn(facts, name));
  return [grant && `with the grant ${grant}`, proof && `proven by ${proof}`].filter(Boolean).join(', ');
}

/** The TPP’s answer to the events that it was given. */
function settledWords(facts: StoredEvent): string {
  const [acknowledged, faulty] = ['acknowledged', 'faultyEvents'].map((name) => numberIn(facts, name));
  if (acknowledged === undefined || faulty === undefined) return '';
  return `with ${count(acknowledged, 'acknowledged event')} and ${count(faulty, 'event')} that it could not use`;
}

/** A certificate that no accepted authority issued. */
function certificateWords(facts: StoredEvent): string {
  const [issuer, serial, tls] = ['certificateIssuer', 'certificateSerial', 'tls'].map((name) => textIn(facts, name));
  if (!serial) return '';
  return `with the certificate ${serial} of the issuer ${issuer}, which is not accepted${tls && ` (${tls})`}`;
}

function workWords(event: StoredEvent): string {
  const unsent = numberIn(event, 'unsentStatus');
  return unsent === undefined ? '' : `. The gateway finished the work; its answer would have been ${unsent}`;
}

function callerOf(event: StoredEvent): string {
  const [by, tpp, issuer] = ['by', 'tpp', 'issuer'].map((name) => textIn(event, name));
  if (by) return actorOf(by);
  if (tpp) return `the TPP ${tpp}${issuer && ` of the issuer ${issuer}`}`;
  return callers[textIn(event, 'listener')] ?? 'a caller';
}

function answered(event: StoredEvent): string {
  const status = numberIn(event, 'status');
  const [error, refusedBy] = [textIn(event, 'error'), textIn(event, 'refusedBy')];
  const [lastByteMs, bytes] = [numberIn(event, 'lastByteMs'), numberIn(event, 'bytes')];
  const tls = textIn(partIn(event, 'facts'), 'tls');
  const took = lastByteMs === undefined ? '' : ` after ${duration(lastByteMs)}`;
  if (status === undefined) return tls ? `TLS refused the connection: ${tls}` : 'the event records no answer';
  if (status === 499)
    return `the caller closed the connection before the answer${took && `,${took}`}${workWords(event)}`;
  const answer = `the gateway answered ${status}${took}`;
  const refused = `the check “${refusedBy}” refused it${error && ` (error ${error})`}`;
  // OAuth brings an error to the TPP by the customer's browser.
  if (refusedBy && status < 400) return `${answer}, and sent the browser back to the TPP with the error: ${refused}`;
  if (refusedBy) return `${answer}: ${refused}`;
  if (status >= 500) return `${answer}: the gateway failed${error && ` (error ${error})`}`;
  if (status >= 400)
    return `${answer}: no check refused it: the request itself was wrong${error && ` (error ${error})`}`;
  const given = textIn(event, 'endpoint') === 'events' ? numberIn(event, 'rows') : undefined;
  return (
    answer +
    (bytes === undefined ? '' : ` with ${count(bytes, 'byte')}`) +
    (given === undefined ? '' : `, in them ${count(given, 'event')}`)
  );
}

/** The listener that asks TPPs for certificates has the routes of the API, and those of the authorization server. */
function isOfApi(event: StoredEvent): boolean {
  const listener = textIn(event, 'listener');
  if (isOfAuthorisationServer(textIn(event, 'endpoint'))) return false;
  // Both have paths that are not served: those of the API are known to be so after its check of the token.
  const isUnserved = textIn(event, 'refusedBy') === 'path' && textIn(event, 'tpp') === '';
  const isChecked = textIn(event, 'apiVersion') !== '' || (textIn(event, 'refusedBy') !== '' && !isUnserved);
  return listener === 'api' || (listener === 'tpps' && isChecked);
}

/** How far a request to the API came. Its checks have a fixed order; those of other listeners do not. */
function checksOf(event: StoredEvent): readonly ExplainedCheck[] {
  if (!isOfApi(event)) return [];
  const stop = stopOf(event);
  if (stop === undefined) return [];
  return checks.map((name, index) => {
    const outcome = index < stop.index ? 'passed' : index === stop.index && stop.refused ? 'refused' : 'not reached';
    return explainedCheck(name, outcome, event);
  });
}

/** The check at which the request stopped; `undefined` where the event does not say it. */
function stopOf(event: StoredEvent): { index: number; refused: boolean } | undefined {
  const refusing = checks.findIndex((name) => name === textIn(event, 'refusedBy'));
  if (refusing >= 0) return { index: refusing, refused: true };
  const status = numberIn(event, 'status') ?? 0;
  if (status >= 200 && status < 400) return { index: checks.length, refused: false };
  const failing = checks.findIndex((name) => name === textIn(event, 'failedIn'));
  if (failing >= 0) return { index: failing, refused: false };
  // The core is asked after every check but its own.
  if (textIn(event, 'coreFault')) return { index: checks.length - 1, refused: false };
  return undefined;
}

function coreWords(event: StoredEvent): string | undefined {
  const core = textIn(event, 'core');
  if (!isOfApi(event)) return undefined;
  if (core === '') return 'the core was not asked';
  const [coreMs, rows, badRecords] = ['coreMs', 'rows', 'badRecords'].map((name) => numberIn(event, name));
  const [fault, product] = [textIn(event, 'coreFault'), textIn(event, 'product')];
  const took = `the core ${core} took ${coreMs === undefined ? 'an unknown time' : duration(coreMs)}`;
  if (fault) return `${took} and failed: ${fault}`;
  const records =
    rows === undefined ? '' : ` and gave ${count(rows, 'record')}${product && ` of the product ${product}`}`;
  const left = badRecords
    ? `; ${count(badRecords, 'further record')} could not be read, and the answer lacks them`
    : '';
  return took + records + left;
}

/** An event that is not a request. */
function happened(event: StoredEvent): string {
  const kind = textIn(event, 'kind');
  const [consent, tpp, by] = ['consent', 'tpp', 'by'].map((name) => textIn(event, name));
  const subject = [consent && `the consent ${consent}`, tpp && `the TPP ${tpp}`].filter(Boolean).join(' of ');
  const act = textIn(event, kind === 'operator' ? 'command' : kind === 'authorisation' ? 'step' : 'event');
  switch (kind) {
    case 'consent':
    case 'tpp':
      return `${subject}: ${act}${by && `, by ${actorOf(by)}`}`;
    case 'withdrawal':
      return `the withdrawal ${act}${subject && ` of ${subject}`} was written before it was made`;
    case 'outage': {
      const [outage, from, to] = ['outage', 'from', 'to'].map((name) => textIn(event, name));
      return `the planned outage ${outage} from ${from} to ${to}: ${act}${by && `, by ${actorOf(by)}`}`;
    }
    case 'authorisation':
      return `the authorisation of ${subject || 'a consent'}: ${act}`;
    case 'operator':
      return `the operators’ command ${act}${by && `, given by ${actorOf(by)}`}${targetWords(partIn(event, 'target'))}`;
    default:
      return `an event of the kind ${kind}: ${printable(JSON.stringify(event))}`;
  }
}

function actorOf(by: string): string {
  return by.startsWith('operator:')
    ? `the operator ${by.slice('operator:'.length)}`
    : `the ${by === 'tpp' ? 'TPP' : by}`;
}

function targetWords(target: StoredEvent): string {
  const named = Object.keys(target).map((name) => `${name} ${textIn(target, name)}`);
  return named.length === 0 ? '' : `, on ${named.join(', ')}`;
}

function ending(event: StoredEvent): string {
  const [outcome, status] = [textIn(event, 'outcome'), textIn(event, 'status')];
  const number = numberIn(event, 'count');
  return [outcome, status && `its status is then ${status}`, number !== undefined && `it concerned ${number}`]
    .filter(Boolean)
    .join(', ');
}
