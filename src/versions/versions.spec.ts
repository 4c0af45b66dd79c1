import { describe, expect, it } from '@jest/globals';
import type { ConsentState } from '../open-banking/consent-state.js';
import type { ErrorCodes } from '../open-banking/error-table.js';
import { endpointNames } from '../resources/endpoints.js';
import { v3_1 } from './v3.1/v3.1.js';
import { documentPath, defaultVersion, versionAt, versions } from './versions.js';

describe('the versions of the API', () => {
  it('lie below different paths, the oldest first', () => {
    expect(versions[0]).toBe(defaultVersion);
    for (const member of ['name', 'basePath'] as const)
      expect(new Set(versions.map((version) => version[member])).size).toBe(versions.length);
  });

  it.each(versions)('$name has one form for each of its paths', ({ forms }) => {
    expect(new Set(forms.map(({ path }) => path)).size).toBe(forms.length);
  });

  it.each(versions)('$name has error codes of the form that its document states', (version) => {
    for (const code of Object.values(version.errorCodes))
      if (code !== undefined) expect(code.replace('{bank}', 'AIG')).toMatch(new RegExp(version.errorCodePattern));
  });

  it('serve every endpoint that a profile may list', () => {
    const served = versions.flatMap(({ forms }) => forms.map(({ rule }) => rule.name));
    expect(endpointNames.filter((name) => !served.includes(name))).toEqual([]);
  });

  it('do not compile without an error code for a row of the error table', () => {
    const { unexpected: _, ...incomplete } = v3_1.errorCodes;
    // @ts-expect-error -- the row "unexpected" has no code
    const codes: ErrorCodes = incomplete;
    expect(codes).not.toHaveProperty('unexpected');
  });

  it.each([
    ['below its path', `${v3_1.basePath}/nothing?query`],
    ['above every path', '/open-banking'],
    ['next to its path', `${v3_1.basePath}x/accounts`],
    ['in another spelling', '/open%2Dbanking/v3.1/aisp/accounts'],
    ['that is no path', '*'],
  ])('answer an address %s in the words of one version', (_, url) => {
    expect(versionAt(url)).toBe(v3_1);
  });

  it('have a document each: that of the oldest one has the plain name', () => {
    expect(documentPath(defaultVersion)).toBe('/openapi.json');
    expect(documentPath({ ...v3_1, name: 'v5.0' })).toBe('/openapi-v5.0.json');
  });
});

describe('the statuses of a consent in v3.1', () => {
  const [createdAt, authorisedAt, since] = [1, 2, 3].map((hour) => new Date(Date.UTC(2026, 5, 15, hour))) as [
    Date,
    Date,
    Date,
  ];
  const [given, changed] = ['2026-06-15T02:00:00+00:00', '2026-06-15T03:00:00+00:00'];
  const consent = { consentId: 'aac-1', permissions: [], createdAt, authorisedAt, statusUpdatedAt: since };
  const shown = (state: Partial<ConsentState>, statusAfterWithdrawal: 'cancelled' | 'authorised' = 'cancelled') => {
    const all = { status: 'authorised', since, isFinal: false, ...state } as const;
    const { Status, StatusUpdateDateTime } = v3_1.consent.toData(consent, all, { statusAfterWithdrawal });
    return [Status, StatusUpdateDateTime];
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
});
