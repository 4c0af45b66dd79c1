import type { ErrorKind } from './error-table.js';
import type { OAuthReason } from './oauth-reasons.js';

/**
 * Why a request was not answered with success: finer than the error of the answer, and for the bank alone. A TPP never sees
 * a reason. `src/trail/reasons.ts` explains each one to operators.
 */
// prettier-ignore
export type RefusalReason =
  | OAuthReason
  // host, path, method, headers, body
  | 'host-repeated' | 'host-foreign' | 'path-unknown' | 'method-not-allowed' | 'host-missing'
  | 'interaction-id-invalid' | 'not-acceptable' | 'media-type' | 'body-too-large' | 'body-invalid'
  | 'field-missing' | 'field-invalid' | 'date-invalid'
  // token
  | 'token-missing' | 'token-repeated' | 'token-invalid' | 'token-expired' | 'token-issuer-unknown'
  | 'token-unbound' | 'certificate-missing' | 'certificate-of-another' | 'proof-missing' | 'proof-invalid'
  | 'authentication-too-weak' | 'tpp-suspended' | 'tpp-not-registered' | 'credential-wrong'
  | 'role-missing' | 'own-proposal' | 'proposal-gone' | 'second-person-needed'
  // rate limit, unattended access
  | 'rate-limit' | 'unattended-limit' | 'reads-waiting' | 'connections-taken' | 'credential-guesses'
  // live consent, scope, permission, account
  | 'consent-token-needed' | 'client-token-needed' | 'consent-ended' | 'authorisation-replaced'
  | 'customer-of-another-consent' | 'consent-of-another-kind' | 'scope-missing' | 'permission-missing' | 'account-not-selected'
  | 'consent-unknown' | 'consent-of-another-tpp' | 'consent-version' | 'consent-status' | 'consent-mismatch'
  // confirmation of funds
  | 'debtor-unknown' | 'currency-unsupported' | 'reference-used'
  // authentication window
  | 'window-closed' | 'history-start-missing' | 'history-older-than-90-days'
  // the core
  | 'core-account-not-found' | 'core-account-not-permitted' | 'core-unavailable' | 'core-timeout'
  | 'core-rate-limited' | 'core-bad-record' | 'core-stale'
  // the bank's side, and the connection
  | 'database-unreachable' | 'issuer-unreachable' | 'directory-unreachable' | 'withdrawal-unwritten'
  | 'trail-unavailable' | 'fault' | 'client-gone' | 'requests-at-once' | 'http-broken'
  | 'headers-too-large' | 'request-timeout' | 'tls-refused';

/** The reason of each error that has one only. Code that makes another error states its reason. */
export const soleReasons = {
  'invalid-account': 'core-account-not-permitted',
  'permission-missing': 'permission-missing',
  'account-not-selected': 'account-not-selected',
  'consent-of-another-tpp': 'consent-of-another-tpp',
  'consent-version': 'consent-version',
  'consent-not-found': 'consent-unknown',
  'consent-status': 'consent-status',
  'consent-mismatch': 'consent-mismatch',
  'debtor-unknown': 'debtor-unknown',
  'currency-unsupported': 'currency-unsupported',
  'reference-used': 'reference-used',
  'field-missing': 'field-missing',
  'field-invalid': 'field-invalid',
  'field-date': 'date-invalid',
  'path-unknown': 'path-unknown',
  'method-not-allowed': 'method-not-allowed',
  'not-acceptable': 'not-acceptable',
  'request-timeout': 'request-timeout',
  'body-too-large': 'body-too-large',
  'media-type': 'media-type',
  misdirected: 'host-foreign',
  'headers-too-large': 'headers-too-large',
  unexpected: 'fault',
  stale: 'core-stale',
} as const satisfies Partial<Record<ErrorKind, RefusalReason>>;
