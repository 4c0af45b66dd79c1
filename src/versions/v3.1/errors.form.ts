import { Type } from 'typebox';
import type { ErrorForm } from '../../endpoint/api-version.js';
import { errorSchema } from '../../endpoint/envelope.js';
import type { ErrorCodes } from '../../open-banking/error-table.js';

/**
 * Namespaced enumerations of the standard, "OBErrorResponseError1Code"; the bank's own prefix where no UK.OBIE code fits.
 * The standard's OpenAPI defines no body for 401.
 */
const codes: ErrorCodes = {
  unauthorised: undefined,
  'token-expired': undefined,
  reauthentication: 'UK.OBIE.Reauthenticate',
  'invalid-account': 'UK.OBIE.Resource.NotFound',
  'permission-missing': 'UK.{bank}.Consent.PermissionMissing',
  'account-not-selected': 'UK.{bank}.Consent.AccountNotSelected',
  'token-scope': 'UK.{bank}.Token.Scope',
  'consent-of-another-tpp': 'UK.OBIE.Resource.ConsentMismatch',
  'consent-version': 'UK.OBIE.Resource.ConsentMismatch',
  'consent-mismatch': 'UK.OBIE.Resource.ConsentMismatch',
  'debtor-unknown': 'UK.OBIE.Unsupported.AccountIdentifier',
  'currency-unsupported': 'UK.OBIE.Unsupported.Currency',
  'reference-used': 'UK.OBIE.Rules.DuplicateReference',
  'consent-not-found': 'UK.OBIE.Resource.NotFound',
  'consent-status': 'UK.OBIE.Resource.InvalidConsentStatus',
  'field-missing': 'UK.OBIE.Field.Missing',
  'field-invalid': 'UK.OBIE.Field.Invalid',
  'field-date': 'UK.OBIE.Field.InvalidDate',
  'header-invalid': 'UK.OBIE.Header.Invalid',
  'format-invalid': 'UK.OBIE.Resource.InvalidFormat',
  'path-unknown': 'UK.{bank}.Path.Unknown',
  'method-not-allowed': 'UK.{bank}.Method.NotAllowed',
  'not-acceptable': 'UK.OBIE.Header.Invalid',
  'request-timeout': 'UK.OBIE.Resource.InvalidFormat',
  'body-too-large': 'UK.OBIE.Resource.InvalidFormat',
  'media-type': 'UK.OBIE.Header.Invalid',
  misdirected: 'UK.OBIE.Header.Invalid',
  'too-many-requests': 'UK.{bank}.Requests.TooMany',
  'headers-too-large': 'UK.OBIE.Header.Invalid',
  unexpected: 'UK.OBIE.UnexpectedError',
  unavailable: 'UK.OBIE.UnexpectedError',
  stale: 'UK.OBIE.UnexpectedError',
};

/** OBErrorResponse1. */
export const errorForm: ErrorForm = {
  codes,
  schema: errorSchema(Type.String({ pattern: '^UK\\.[A-Za-z0-9]+\\.[A-Za-z.]+$' }), {
    Code: Type.String({ minLength: 1, maxLength: 40, description: 'The status in short.' }),
  }),
  toBody: ({ code, id, message, faults }) => ({ Code: code, Id: id, Message: message, Errors: faults }),
};
