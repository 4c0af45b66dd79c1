import { describe, expect, it } from '@jest/globals';
import type { errorSchema } from '../endpoint/envelope.js';
import { neutralErrors } from '../endpoint/neutral-errors.js';
import type { ConsentState } from '../open-banking/consent-state.js';
import type { ErrorCodes } from '../open-banking/error-table.js';
import { endpointNames } from '../resources/endpoints.js';
import { documentPath, versionAt, versions, versionsNamed } from './versions.js';

const [v3_1, v4_0] = versions;

describe('the versions of the API', () => {
  it('lie below different paths, the oldest first', () => {
    expect(versions.map(({ name }) => name)).toEqual(['v3.1', 'v4.0']);
    for (const member of ['name', 'basePath'] as const)
      expect(new Set(versions.map((version) => version[member])).size).toBe(versions.length);
  });

  it.each(versions)('$name has one form for each of its paths', ({ forms }) => {
    expect(new Set(forms.map(({ path }) => path)).size).toBe(forms.length);
  });

  it.each([...versions, { name: 'no version', errors: neutralErrors }])(
    '$name has error codes of the form that its document states',
    ({ errors: { codes, schema } }) => {
      const { pattern } = (schema as unknown as ReturnType<typeof errorSchema>).properties.Errors.items.properties
        .ErrorCode as unknown as { pattern: string };
      for (const code of Object.values(codes))
        if (code !== undefined) expect(code.replace('{bank}', 'AIG')).toMatch(new RegExp(pattern));
    },
  );

  it('serve every endpoint that a profile may list', () => {
    const served = versions.flatMap(({ forms }) => forms.map(({ rule }) => rule.name));
    expect(endpointNames.filter((name) => !served.includes(name))).toEqual([]);
  });

  it('do not compile without an error code for a row of the error table', () => {
    const { unexpected: _, ...incomplete } = v3_1.errors.codes;
    // @ts-expect-error -- the row "unexpected" has no code
    const codes: ErrorCodes = incomplete;
    expect(codes).not.toHaveProperty('unexpected');
  });

  it.each([
    ['below the path of a version', `${v4_0.basePath}/nothing?query`, v4_0],
    ['above every path', '/open-banking', undefined],
    ['of another API of the standard', `${v3_1.rootPath}/pisp/accounts`, v3_1],
    ['next to the path of a version', `${v3_1.rootPath}x/aisp/accounts`, undefined],
    ['in another spelling', '/open%2Dbanking/v3.1/aisp/accounts', undefined],
    ['that is not a path', '*', undefined],
  ])('answer an address %s in the words of its version, or of none', (_, url, version) => {
    expect(versionAt(url, versions)).toBe(version);
  });

  it('do not know the address of a version that the bank does not serve', () => {
    expect(versionAt(`${v3_1.basePath}/accounts`, versionsNamed(['v4.0']))).toBeUndefined();
  });

  it('have a document each: that of the oldest one has the plain name', () => {
    expect(versions.map(documentPath)).toEqual(['/openapi.json', '/openapi-v4.0.json']);
  });
});

describe('the statuses of a consent', () => {
  const [createdAt, authorisedAt, since] = [1, 2, 3].map((hour) => new Date(Date.UTC(2026, 5, 15, hour))) as [
    Date,
    Date,
    Date,
  ];
  const [given, changed] = ['2026-06-15T02:00:00+00:00', '2026-06-15T03:00:00+00:00'];
  const consent = {
    consentId: 'aac-1',
    kind: 'account-access' as const,
    permissions: [],
    createdAt,
    authorisedAt,
    statusUpdatedAt: since,
  };
  const shown = (state: Partial<ConsentState>, statusAfterWithdrawal: 'cancelled' | 'authorised' = 'cancelled') => {
    const all = { status: 'authorised', since, isFinal: false, ...state } as const;
    const { Status, StatusUpdateDateTime } = v3_1.consent.toData(consent, all, { statusAfterWithdrawal });
    return [Status, StatusUpdateDateTime];
  };
  const shownInV4 = (state: Partial<ConsentState>): unknown => {
    const all = { status: 'authorised', since, isFinal: false, ...state } as const;
    const { Status, StatusReason } = v4_0.consent.toData(consent, all, { statusAfterWithdrawal: 'authorised' });
    const reasons = (StatusReason ?? []) as { StatusReasonCode: string }[];
    return [Status, ...reasons.map(({ StatusReasonCode }) => StatusReasonCode)];
  };

  it.each([
    ['awaiting', 'AwaitingAuthorisation'],
    ['authorised', 'Authorised'],
    ['rejected', 'Rejected'],
    ['cancelled', 'Revoked'],
  ] as const)('say of one that is %s that it is %s', (status, Status) => {
    expect(shown({ status })).toEqual([Status, changed]);
  });

  it('show an expired consent as Authorised since it was given', () => {
    expect(shown({ status: 'expired' })).toEqual(['Authorised', given]);
  });

  it('show a withdrawn consent as Authorised since it was given, where the profile says so', () => {
    expect(shown({ status: 'cancelled' }, 'authorised')).toEqual(['Authorised', given]);
    expect(shown({ status: 'authorised' }, 'authorised')).toEqual(['Authorised', given]);
  });

  it('show a consent that was withdrawn with all of its TPP as Revoked, whatever the profile says', () => {
    expect(shown({ status: 'cancelled', isFinal: true }, 'authorised')).toEqual(['Revoked', changed]);
  });

  it.each<[string[], Partial<ConsentState>]>([
    [['AWAU'], { status: 'awaiting' }],
    [['AUTH'], { status: 'authorised' }],
    [['RJCT', 'U037'], { status: 'rejected', reason: 'customer-refused' }],
    [['RJCT', 'U036'], { status: 'rejected', reason: 'not-completed' }],
    [['CANC', 'CUST'], { status: 'cancelled', reason: 'customer-withdrew' }],
    [['CANC', 'TKSP'], { status: 'cancelled', reason: 'bank-withdrew' }],
    [['CANC', 'TKSP'], { status: 'cancelled', reason: 'fraud' }],
    [['CANC', 'TKSP'], { status: 'cancelled', reason: 'withdrawn-with-tpp', isFinal: true }],
    [['EXPD', 'TKXP'], { status: 'expired' }],
  ])('are %j in v4.0 for the state %j', (words, state) => {
    expect(shownInV4(state)).toEqual(words);
  });
});
