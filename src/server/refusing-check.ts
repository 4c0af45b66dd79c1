import type { FastifyReply, FastifyRequest } from 'fastify';
import { declarationOf } from '../endpoint/request-context.js';
import type { CheckName } from '../open-banking/checks.js';
import { errorTable, type ErrorKind } from '../open-banking/error-table.js';
import { errorKindOf } from './error-responder.js';

/** Errors that one check alone gives. Any other error depends on where the request was when it came. */
const checkOfError: Partial<Readonly<Record<ErrorKind, CheckName>>> = {
  misdirected: 'host',
  'path-unknown': 'path',
  'method-not-allowed': 'method',
  'not-acceptable': 'headers',
  'media-type': 'headers',
  'body-too-large': 'body',
  'permission-missing': 'permission',
  'account-not-selected': 'account',
  reauthentication: 'authentication window',
  'invalid-account': 'access state',
};
/** Faults of a body or of a query. */
const ofWhatWasSent: readonly ErrorKind[] = ['format-invalid', 'field-missing', 'field-invalid', 'field-date'];

/** Requests that a check before Nest refused. Written for refused requests only. */
const refusedOnEntry = new WeakMap<FastifyRequest, CheckName>();

export function noteRefusalOnEntry(request: FastifyRequest, check: CheckName): void {
  refusedOnEntry.set(request, check);
}

/** Why a request of a TPP got no data: the error that it was told, and the check that refused it, both from closed lists. */
export interface Refusal {
  readonly error: ErrorKind | undefined;
  /** `undefined` where no check refused: a fault, or a consent that is not as the request needs it. */
  readonly refusedBy: CheckName | undefined;
}

export function refusalOf(request: FastifyRequest, reply: FastifyReply): Refusal {
  const error = errorKindOf(reply);
  return { error, refusedBy: error && refusingCheck(error, request) };
}

function refusingCheck(error: ErrorKind, request: FastifyRequest): CheckName | undefined {
  if (errorTable[error].status >= 500) return undefined;
  const check = checkOfError[error] ?? refusedOnEntry.get(request);
  if (check !== undefined) return check;
  if (error === 'token-scope') return 'scope';
  if (ofWhatWasSent.includes(error)) return declarationOf(request)?.kind === 'resource' ? 'query' : 'body';
  // Otherwise too many reads wait for the core, which is no check.
  return request.unattended?.outcome === 'refused' ? 'unattended access' : undefined;
}
