import { describe, expect, it } from '@jest/globals';
import type { ApiVersion } from '../../src/endpoint/api-version.js';
import { errorTable, type ErrorKind } from '../../src/open-banking/error-table.js';
import { errorBody, OpenBankingError } from '../../src/open-banking/errors.js';
import { versions } from '../../src/versions/versions.js';
import { toOpenBankingError } from '../../src/server/error-responder.js';
import { CoreError, coreErrorKinds } from '../../packages/core-adapter/core-error.js';

const kinds = Object.keys(errorTable) as ErrorKind[];

const [v3_1] = versions;
const names = (bankPrefix: string, { errors }: ApiVersion = v3_1) => ({
  bankPrefix,
  helpUrl: 'https://bank.example/docs/errors',
  words: errors,
});

function codeOf(kind: ErrorKind, of: ReturnType<typeof names>): string | undefined {
  const error = new OpenBankingError(kind, { message: 'x' }, { reason: 'fault' });
  return (errorBody(error, 'id', of) as { Errors: { ErrorCode: string }[] } | undefined)?.Errors[0]?.ErrorCode;
}

/** One line for each error of the TPPs' API: kind, status, Code, and the ErrorCode of each version. */
const golden = `
unauthorised            401  401 Unauthorised          (no body)                             (no body)
token-expired           401  401 Unauthorised          (no body)                             TKXP
reauthentication        403  403 Reauthentication      UK.OBIE.Reauthenticate                U028
invalid-account         400  400 Invalid Account       UK.OBIE.Resource.NotFound             U011
permission-missing      403  403 Forbidden             UK.AIG.Consent.PermissionMissing      AG08
account-not-selected    403  403 Forbidden             UK.AIG.Consent.AccountNotSelected     AG08
token-scope             403  403 Forbidden             UK.AIG.Token.Scope                    AG08
consent-of-another-tpp  403  403 Forbidden             UK.OBIE.Resource.ConsentMismatch      U008
consent-version         403  403 Forbidden             UK.OBIE.Resource.ConsentMismatch      U008
consent-mismatch        400  400 BadRequest            UK.OBIE.Resource.ConsentMismatch      U008
debtor-unknown          400  400 BadRequest            UK.OBIE.Unsupported.AccountIdentifier U021
currency-unsupported    400  400 BadRequest            UK.OBIE.Unsupported.Currency          U023
reference-used          400  400 BadRequest            UK.OBIE.Rules.DuplicateReference      U013
consent-not-found       400  400 BadRequest            UK.OBIE.Resource.NotFound             U011
consent-status          400  400 BadRequest            UK.OBIE.Resource.InvalidConsentStatus U009
field-missing           400  400 BadRequest            UK.OBIE.Field.Missing                 U004
field-invalid           400  400 BadRequest            UK.OBIE.Field.Invalid                 U002
field-date              400  400 BadRequest            UK.OBIE.Field.InvalidDate             U003
header-invalid          400  400 BadRequest            UK.OBIE.Header.Invalid                U006
format-invalid          400  400 BadRequest            UK.OBIE.Resource.InvalidFormat        U010
path-unknown            404  404 NotFound              UK.AIG.Path.Unknown                   U042
method-not-allowed      405  405 MethodNotAllowed      UK.AIG.Method.NotAllowed              U042
not-acceptable          406  406 NotAcceptable         UK.OBIE.Header.Invalid                U006
request-timeout         408  408 RequestTimeout        UK.OBIE.Resource.InvalidFormat        U010
body-too-large          413  413 PayloadTooLarge       UK.OBIE.Resource.InvalidFormat        U010
media-type              415  415 UnsupportedMediaType  UK.OBIE.Header.Invalid                U006
misdirected             421  421 MisdirectedRequest    UK.OBIE.Header.Invalid                U006
too-many-requests       429  429 TooManyRequests       UK.AIG.Requests.TooMany               U042
headers-too-large       431  431 HeadersTooLarge       UK.OBIE.Header.Invalid                U006
unexpected              500  500 InternalServerError   UK.OBIE.UnexpectedError               U000
unavailable             503  503 ServiceUnavailable    UK.OBIE.UnexpectedError               U000
stale                   503  503 ServiceUnavailable    UK.OBIE.UnexpectedError               U000
`;

describe('the table of errors', () => {
  it('is equal to the published table', () => {
    const lines = kinds.map((kind) => {
      const { status, code } = errorTable[kind];
      return [
        kind.padEnd(24),
        String(status).padEnd(5),
        code.padEnd(26),
        ...versions.map((version) => (codeOf(kind, names('AIG', version)) ?? '(no body)').padEnd(38)),
      ]
        .join('')
        .trimEnd();
    });
    expect(`\n${lines.join('\n')}\n`).toBe(golden);
  });

  it('has codes of at most 40 characters that begin with their status', () => {
    for (const kind of kinds) expect(errorTable[kind].code).toMatch(new RegExp(`^${errorTable[kind].status} .{1,36}$`));
  });

  it("puts the bank's prefix where no code of the standard fits", () => {
    const codes = kinds.flatMap((kind) => codeOf(kind, names('Acme')) ?? []);
    expect(codes.filter((code) => code.includes('Acme'))).toEqual([
      'UK.Acme.Consent.PermissionMissing',
      'UK.Acme.Consent.AccountNotSelected',
      'UK.Acme.Token.Scope',
      'UK.Acme.Path.Unknown',
      'UK.Acme.Method.NotAllowed',
      'UK.Acme.Requests.TooMany',
    ]);
  });

  it('gives the body of the standard, within its lengths', () => {
    const Url = 'https://bank.example/docs/errors#field-invalid';
    const details = [{ message: 'm'.repeat(600), path: 'p'.repeat(600) }, { message: 'second' }];
    expect(errorBody(new OpenBankingError('field-invalid', details), 'the-id', names('AIG'))).toEqual({
      Code: '400 BadRequest',
      Id: 'the-id',
      Message: 'm'.repeat(500),
      Errors: [
        { ErrorCode: 'UK.OBIE.Field.Invalid', Message: 'm'.repeat(500), Path: 'p'.repeat(500), Url },
        { ErrorCode: 'UK.OBIE.Field.Invalid', Message: 'second', Url },
      ],
    });
  });

  it('has one answer for each error of the core', () => {
    const answers = coreErrorKinds.map((kind) => [kind, toOpenBankingError(new CoreError(kind, 'detail')).kind]);
    expect(Object.fromEntries(answers)).toEqual({
      'account-not-found': 'invalid-account',
      'account-not-permitted': 'invalid-account',
      unavailable: 'unavailable',
      timeout: 'unavailable',
      'rate-limited': 'unavailable',
      'bad-record': 'unexpected',
      stale: 'stale',
    });
  });

  it.each([
    [403, 'path-unknown'],
    [404, 'path-unknown'],
    [414, 'path-unknown'],
    [400, 'format-invalid'],
    [413, 'body-too-large'],
    [415, 'media-type'],
    [411, 'format-invalid'],
    [500, 'unexpected'],
    [200, 'unexpected'],
  ])('answers an error of the HTTP framework with status %d as %s', (statusCode, kind) => {
    const framework = Object.assign(new Error('x'), { code: 'FST_ERR_X', statusCode });
    expect(toOpenBankingError(framework).kind).toBe(kind);
    const foreign = Object.assign(new Error('x'), { code: 'ERR_BAD_REQUEST', statusCode, status: statusCode });
    expect(toOpenBankingError(foreign).kind).toBe('unexpected');
  });

  it('has 500 for an unforeseen error', () => {
    for (const thrown of [new Error('x'), 'text', undefined, null, 7, { statusCode: 404 }])
      expect(toOpenBankingError(thrown).kind).toBe('unexpected');
  });
});
