/** How the OpenAPI document describes an answer of one status. */
export interface ErrorAnswer {
  readonly name: string;
  readonly description: string;
  /** A header that every such answer has. */
  readonly header?: string;
  /** Only where a request may carry a body. */
  readonly ofBody?: boolean;
}

/** Every status that is not a success. The error table can have no other: none is answered that is not documented. */
export const errorAnswers = {
  400: { name: 'BadRequest', description: 'The request is wrong, or the account is in a state without access.' },
  401: {
    name: 'Unauthorised',
    description: 'No valid access token, or its consent is not live. Without a body.',
    header: 'WWW-Authenticate',
  },
  403: { name: 'Forbidden', description: 'The consent does not allow it, or the customer must authenticate again.' },
  404: { name: 'NotFound', description: 'The path is not part of this API.' },
  405: { name: 'MethodNotAllowed', description: 'The path does not have this method.', header: 'Allow' },
  406: { name: 'NotAcceptable', description: 'The Accept header excludes application/json in UTF-8.' },
  408: {
    name: 'RequestTimeout',
    description: 'The request did not arrive whole within 30 seconds. The connection is closed.',
  },
  413: { name: 'PayloadTooLarge', description: 'The request body is larger than 64 KiB.', ofBody: true },
  415: { name: 'UnsupportedMediaType', description: 'The request body is not application/json.', ofBody: true },
  421: {
    name: 'MisdirectedRequest',
    description: 'The Host header does not name this listener, which asks for certificates. The connection is closed.',
  },
  429: {
    name: 'TooManyRequests',
    description:
      'The TPP asks faster than the published limit, has too many requests under way, or reads too often without the customer.',
    header: 'Retry-After',
  },
  431: {
    name: 'HeadersTooLarge',
    description: 'The request line and headers are larger than 32 KiB. The connection is closed.',
  },
  500: { name: 'InternalServerError', description: 'A fault at the bank.' },
  503: {
    name: 'ServiceUnavailable',
    description:
      "The bank's systems cannot answer now. The message says where it is not known whether a change was made.",
    header: 'Retry-After',
  },
} as const satisfies Readonly<Record<number, ErrorAnswer>>;

export type ErrorStatus = keyof typeof errorAnswers;

/**
 * Every error that a TPP can be told, in one table: status, `Code`, and the standard's error code (namespaced
 * enumerations, "OBErrorResponseError1Code"). `{bank}` stands for the bank's own prefix, used only where no UK.OBIE code
 * fits. A row without `errorCode` is answered without a body (401: the standard's OpenAPI defines none).
 */
export const errorTable = {
  unauthorised: { status: 401, code: '401 Unauthorised' },
  reauthentication: { status: 403, code: '403 Reauthentication', errorCode: 'UK.OBIE.Reauthenticate' },
  'invalid-account': { status: 400, code: '400 Invalid Account', errorCode: 'UK.OBIE.Resource.NotFound' },
  'permission-missing': { status: 403, code: '403 Forbidden', errorCode: 'UK.{bank}.Consent.PermissionMissing' },
  'account-not-selected': { status: 403, code: '403 Forbidden', errorCode: 'UK.{bank}.Consent.AccountNotSelected' },
  'token-scope': { status: 403, code: '403 Forbidden', errorCode: 'UK.{bank}.Token.Scope' },
  'consent-of-another-tpp': { status: 403, code: '403 Forbidden', errorCode: 'UK.OBIE.Resource.ConsentMismatch' },
  'consent-not-found': { status: 400, code: '400 BadRequest', errorCode: 'UK.OBIE.Resource.NotFound' },
  'consent-status': { status: 400, code: '400 BadRequest', errorCode: 'UK.OBIE.Resource.InvalidConsentStatus' },
  'field-missing': { status: 400, code: '400 BadRequest', errorCode: 'UK.OBIE.Field.Missing' },
  'field-invalid': { status: 400, code: '400 BadRequest', errorCode: 'UK.OBIE.Field.Invalid' },
  'field-date': { status: 400, code: '400 BadRequest', errorCode: 'UK.OBIE.Field.InvalidDate' },
  'header-invalid': { status: 400, code: '400 BadRequest', errorCode: 'UK.OBIE.Header.Invalid' },
  'format-invalid': { status: 400, code: '400 BadRequest', errorCode: 'UK.OBIE.Resource.InvalidFormat' },
  'path-unknown': { status: 404, code: '404 NotFound', errorCode: 'UK.{bank}.Path.Unknown' },
  'method-not-allowed': { status: 405, code: '405 MethodNotAllowed', errorCode: 'UK.{bank}.Method.NotAllowed' },
  'not-acceptable': { status: 406, code: '406 NotAcceptable', errorCode: 'UK.OBIE.Header.Invalid' },
  'request-timeout': { status: 408, code: '408 RequestTimeout', errorCode: 'UK.OBIE.Resource.InvalidFormat' },
  'body-too-large': { status: 413, code: '413 PayloadTooLarge', errorCode: 'UK.OBIE.Resource.InvalidFormat' },
  'media-type': { status: 415, code: '415 UnsupportedMediaType', errorCode: 'UK.OBIE.Header.Invalid' },
  misdirected: { status: 421, code: '421 MisdirectedRequest', errorCode: 'UK.OBIE.Header.Invalid' },
  'too-many-requests': { status: 429, code: '429 TooManyRequests', errorCode: 'UK.{bank}.Requests.TooMany' },
  'headers-too-large': { status: 431, code: '431 HeadersTooLarge', errorCode: 'UK.OBIE.Header.Invalid' },
  unexpected: { status: 500, code: '500 InternalServerError', errorCode: 'UK.OBIE.UnexpectedError' },
  unavailable: { status: 503, code: '503 ServiceUnavailable', errorCode: 'UK.OBIE.UnexpectedError' },
} as const satisfies Record<string, { status: ErrorStatus; code: `${ErrorStatus} ${string}`; errorCode?: string }>;

export type ErrorKind = keyof typeof errorTable;

export interface ErrorDetail {
  /** For the TPP's developer: what happened and what to do. At most 500 characters. */
  readonly message: string;
  /** The JSON path, parameter, header or path segment at fault, e.g. `Data.Permissions[2]`. */
  readonly path?: string;
}

/** An answer other than success. `details` is what the TPP reads; `cause` is for the bank's log only. */
export class OpenBankingError extends Error {
  override readonly name = 'OpenBankingError';
  readonly details: readonly ErrorDetail[];

  constructor(
    readonly kind: ErrorKind,
    detail: ErrorDetail | readonly ErrorDetail[],
    readonly options: { readonly headers?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(kind, { cause: options.cause });
    this.details = Array.isArray(detail) ? detail : [detail as ErrorDetail];
  }
}

export interface ErrorBody {
  Code: string;
  Id: string;
  Message: string;
  Errors: { ErrorCode: string; Message: string; Path?: string }[];
}

/** The standard's OBErrorResponse1, or `undefined` where the standard defines no body. */
export function errorBody(error: OpenBankingError, id: string, bankPrefix: string): ErrorBody | undefined {
  const row: { code: string; errorCode?: string } = errorTable[error.kind];
  if (row.errorCode === undefined) return undefined;
  const errorCode = row.errorCode.replace('{bank}', bankPrefix);
  return {
    Code: row.code,
    Id: id,
    Message: (error.details[0]?.message ?? row.code).slice(0, 500),
    Errors: error.details.map((detail) => ({
      ErrorCode: errorCode,
      Message: detail.message.slice(0, 500),
      ...(detail.path === undefined ? {} : { Path: detail.path.slice(0, 500) }),
    })),
  };
}
