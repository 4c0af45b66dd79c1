import { Type } from 'typebox';
import type { ErrorForm } from '../../endpoint/api-version.js';
import { errorSchema } from '../../endpoint/envelope.js';
import type { ErrorCodes } from '../../open-banking/error-table.js';

/**
 * OBExternalStatusReason1Code, which has no codes of a bank's own. AG08: the caller has no right to it. U042: another reason,
 * which `Message` and `Url` name. The standard's OpenAPI defines no body for 401; its text demands one for an expired token.
 */
const codes: ErrorCodes = {
  unauthorised: undefined,
  'token-expired': 'TKXP',
  reauthentication: 'U028',
  'invalid-account': 'U011',
  'permission-missing': 'AG08',
  'account-not-selected': 'AG08',
  'token-scope': 'AG08',
  'consent-of-another-tpp': 'U008',
  'consent-version': 'U008',
  'consent-mismatch': 'U008',
  'debtor-unknown': 'U021',
  'currency-unsupported': 'U023',
  'reference-used': 'U013',
  'consent-not-found': 'U011',
  'consent-status': 'U009',
  'field-missing': 'U004',
  'field-invalid': 'U002',
  'field-date': 'U003',
  'header-invalid': 'U006',
  'format-invalid': 'U010',
  'path-unknown': 'U042',
  'method-not-allowed': 'U042',
  'not-acceptable': 'U006',
  'request-timeout': 'U010',
  'body-too-large': 'U010',
  'media-type': 'U006',
  misdirected: 'U006',
  'too-many-requests': 'U042',
  'headers-too-large': 'U006',
  unexpected: 'U000',
  unavailable: 'U000',
  stale: 'U000',
};

/** OBErrorResponse1, without its deprecated `Code`. */
export const errorForm: ErrorForm = {
  codes,
  schema: errorSchema(Type.String({ pattern: '^[A-Z0-9]{4}$' })),
  toBody: ({ id, message, faults }) => ({ Id: id, Message: message, Errors: faults }),
};
