import type { CoreErrorKind } from '../../packages/core-adapter/core-error.js';
import type { CheckName } from '../open-banking/checks.js';
import type { ErrorKind } from '../open-banking/error-table.js';

/** The members of a request's context that tell its outcome. */
export interface Outcome {
  readonly error: ErrorKind | undefined;
  readonly refusedBy: CheckName | undefined;
  readonly coreFault: CoreErrorKind | undefined;
}

/** Errors that have one reason, whichever check refused. The others have the error's own name. */
const ofError: Partial<Readonly<Record<ErrorKind, string>>> = {
  reauthentication: 'window-closed',
  'consent-not-found': 'consent-unknown',
  'field-date': 'date-invalid',
  'format-invalid': 'body-invalid',
  misdirected: 'host-foreign',
  unexpected: 'fault',
  unavailable: 'system-away',
};

/** Errors that several checks raise, each for its own reason. */
const ofCheck: Partial<Readonly<Record<ErrorKind, Partial<Readonly<Record<CheckName, string>>>>>> = {
  unauthorised: { token: 'token-invalid', 'live consent': 'consent-ended' },
  'token-scope': { 'live consent': 'client-token-needed', scope: 'scope-missing' },
  'too-many-requests': { 'rate limit': 'rate-limit', 'unattended access': 'unattended-limit' },
  'header-invalid': { host: 'host-repeated', token: 'token-repeated', headers: 'interaction-id-invalid' },
};

/** Why a request was not answered as the caller wished: a word of a closed list. `undefined` where it was. */
export function refusalReason({ error, refusedBy, coreFault }: Outcome, status: number): string | undefined {
  if (status === 499) return 'client-gone';
  if (error === undefined) return undefined;
  if (coreFault !== undefined) return `core-${coreFault}`;
  const byCheck = refusedBy && ofCheck[error]?.[refusedBy];
  if (byCheck !== undefined) return byCheck;
  return error === 'too-many-requests' ? 'reads-waiting' : (ofError[error] ?? error);
}
