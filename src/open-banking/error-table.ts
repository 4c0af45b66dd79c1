/** The OpenAPI document's description of an answer with one status. */
export interface ErrorAnswer {
  readonly name: string;
  readonly description: string;
  /** A header that every such answer has. */
  readonly header?: string;
  /** Only for requests that may carry a body. */
  readonly ofBody?: boolean;
}

/** Every status that is not a success. The error table can have no other, so each possible answer is documented. */
export const errorAnswers = {
  400: { name: 'BadRequest', description: 'The request is wrong, or the account is in a state without access.' },
  401: {
    name: 'Unauthorised',
    description: 'No valid access token, or its consent is not live.',
    header: 'WWW-Authenticate',
  },
  403: { name: 'Forbidden', description: 'The consent does not allow it, or the customer must authenticate again.' },
  404: { name: 'NotFound', description: 'The path is not part of this API.' },
  405: { name: 'MethodNotAllowed', description: 'The path does not have this method.', header: 'Allow' },
  406: { name: 'NotAcceptable', description: 'The Accept header excludes application/json in UTF-8.' },
  408: {
    name: 'RequestTimeout',
    description: 'The request did not arrive completely within 30 seconds. The connection is closed.',
  },
  413: { name: 'PayloadTooLarge', description: 'The request body is larger than 64 KiB.', ofBody: true },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The request body is not application/json, or it is compressed.',
    ofBody: true,
  },
  421: {
    name: 'MisdirectedRequest',
    description: 'The Host header does not name this listener, which asks for certificates. The connection is closed.',
  },
  429: {
    name: 'TooManyRequests',
    description:
      'The TPP sends requests faster than the published limit, has too many requests under way, or reads too often without the customer.',
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

export interface ErrorRow {
  readonly status: ErrorStatus;
  readonly code: `${ErrorStatus} ${string}`;
  readonly help: string;
}

/**
 * Every error of the TPPs' API, in one table: its status and its `Code`. Each version of the API has an error code for each
 * row ({@link ErrorCodes}). The page of the errors shows `help`, which explains the cause and the remedy.
 */
export const errorTable = {
  unauthorised: {
    status: 401,
    code: '401 Unauthorised',
    help: 'The token is missing or not valid, or its consent gives no access now. The header WWW-Authenticate says which, and the remedy, for example: Bearer realm="account-information", error="invalid_token", error_description="the customer ended the consent: create a new consent". Use the tokens of a later authorisation of the consent, or create a new consent.',
  },
  'token-expired': {
    status: 401,
    code: '401 Unauthorised',
    help: 'The token has expired. Refresh it, or have the customer authorise the consent again.',
  },
  reauthentication: {
    status: 403,
    code: '403 Reauthentication',
    help: "The customer's last strong authentication is longer ago than the authentication window. Have the customer authenticate again, or read data that is exempt: accounts, balances, and transactions with a recent fromBookingDateTime.",
  },
  'invalid-account': {
    status: 400,
    code: '400 Invalid Account',
    help: 'The bank does not permit account information of this account at present. Ask GET /accounts which accounts can be read, and try again later.',
  },
  'permission-missing': {
    status: 403,
    code: '403 Forbidden',
    help: 'The consent lacks a permission that the endpoint needs; the message names it. Create a consent that has it.',
  },
  'account-not-selected': {
    status: 403,
    code: '403 Forbidden',
    help: 'The customer did not select this account for the consent. Ask GET /accounts for the accounts of the consent.',
  },
  'token-scope': {
    status: 403,
    code: '403 Forbidden',
    help: 'The token is of another kind than the endpoint needs. Consents are managed with a client-credentials token; accounts are read, and funds confirmed, with the token of a consent of that kind. Consents for account access and their tokens have the scope accounts, those for confirmation of funds the scope fundsconfirmations.',
  },
  'consent-of-another-tpp': {
    status: 403,
    code: '403 Forbidden',
    help: 'Another TPP created the consent. Use the ConsentId of a consent that you created.',
  },
  'consent-version': {
    status: 403,
    code: '403 Forbidden',
    help: 'The consent was created in a later version of this API, which the message names. Use the consent in that version.',
  },
  'consent-mismatch': {
    status: 400,
    code: '400 BadRequest',
    help: 'The ConsentId of the body is not the one to which the token is bound. Use the token of that consent.',
  },
  'debtor-unknown': {
    status: 400,
    code: '400 BadRequest',
    help: 'The bank has no account with this scheme, identification and name for which it confirms funds; it does not say which of them is wrong. Compare them with the details that the customer gave you.',
  },
  'currency-unsupported': {
    status: 400,
    code: '400 BadRequest',
    help: 'The currency is not the one of the account. Ask with the currency of the account.',
  },
  'reference-used': {
    status: 400,
    code: '400 BadRequest',
    help: 'An earlier request under this consent was answered with the same Reference. Give each request another Reference.',
  },
  'consent-not-found': {
    status: 400,
    code: '400 BadRequest',
    help: 'There is no consent with this id, or it was deleted, or it was not begun in time. Create a new one.',
  },
  'consent-status': {
    status: 400,
    code: '400 BadRequest',
    help: 'The consent is in a state that does not allow this. Read the consent, or create a new one.',
  },
  'field-missing': {
    status: 400,
    code: '400 BadRequest',
    help: 'A mandatory member of the body is missing. Path names it.',
  },
  'field-invalid': {
    status: 400,
    code: '400 BadRequest',
    help: 'The value of a member or parameter breaks a rule, which the message states. Path names the member or parameter.',
  },
  'field-date': {
    status: 400,
    code: '400 BadRequest',
    help: 'A date is not an ISO 8601 date-time, or breaks a rule, which the message states. In a consent, a date of the history must not be in the future: omit it for an open-ended history.',
  },
  'header-invalid': {
    status: 400,
    code: '400 BadRequest',
    help: 'A header is missing, is not valid, or was sent twice. Path names it.',
  },
  'format-invalid': {
    status: 400,
    code: '400 BadRequest',
    help: 'The request is not valid HTTP or JSON, or its body has a missing, unknown or wrongly typed member. Path names the member.',
  },
  'path-unknown': {
    status: 404,
    code: '404 NotFound',
    help: 'The path is not part of the API. The OpenAPI document lists the paths that this bank serves.',
  },
  'method-not-allowed': {
    status: 405,
    code: '405 MethodNotAllowed',
    help: 'The path does not have this method. The header Allow lists those that it has.',
  },
  'not-acceptable': {
    status: 406,
    code: '406 NotAcceptable',
    help: 'The header Accept excludes JSON in UTF-8, which is all that the gateway sends. Accept application/json.',
  },
  'request-timeout': {
    status: 408,
    code: '408 RequestTimeout',
    help: 'The request did not arrive completely within 30 seconds. Send it again.',
  },
  'body-too-large': {
    status: 413,
    code: '413 PayloadTooLarge',
    help: 'The body has more than 64 KiB. Send a smaller one.',
  },
  'media-type': {
    status: 415,
    code: '415 UnsupportedMediaType',
    help: 'The body is not declared as JSON, or it is compressed. Send Content-Type: application/json, without Content-Encoding.',
  },
  misdirected: {
    status: 421,
    code: '421 MisdirectedRequest',
    help: 'The connection and the header Host name different listeners. Open a separate connection to that host.',
  },
  'too-many-requests': {
    status: 429,
    code: '429 TooManyRequests',
    help: 'You send requests faster than the bank allows, have too many requests under way, send more than two at once on one connection, or read too often without the customer. Wait for as long as Retry-After says.',
  },
  'headers-too-large': {
    status: 431,
    code: '431 HeadersTooLarge',
    help: 'The request line and the headers have more than 32 KiB. Send fewer or shorter headers.',
  },
  unexpected: {
    status: 500,
    code: '500 InternalServerError',
    help: 'A fault at the bank. Report it with the Id of the error and the x-fapi-interaction-id.',
  },
  unavailable: {
    status: 503,
    code: '503 ServiceUnavailable',
    help: "The bank's systems cannot answer now. Try again after as many seconds as Retry-After says.",
  },
  stale: {
    status: 503,
    code: '503 ServiceUnavailable',
    help: "The bank's data are older than it allows to be shown, and newer ones have not arrived. Nothing is wrong with the request or the consent. Try again after as many seconds as Retry-After says.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorKind = keyof typeof errorTable;

/**
 * The error code that a version has for each row of the table. `{bank}` stands for the bank's own prefix. A row without a
 * code has no body in its answer.
 */
export type ErrorCodes = Readonly<Record<ErrorKind, string | undefined>>;
