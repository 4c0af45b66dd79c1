import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { oauthChecks, oauthReasons } from '../../open-banking/oauth-reasons.js';
import { packageRoot } from '../../persistence/package-root.js';
import { reasons } from '../../trail/reasons.js';
import { reasonOfFault, reasonsByError, refuse } from './refusal-reasons.js';

const sourcesIn = (folder: string, extension: string): string =>
  readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension) && !name.includes('.spec.') && !name.includes('refusal-reasons'))
    .map((name) => readFileSync(join(packageRoot(), folder, name), 'utf8'))
    .join('\n');
const library = sourcesIn('node_modules/oidc-provider/lib', '.js').replaceAll('${label}', 'authorization code');
const written =
  library + sourcesIn('src/authorisation-server', '.ts').replaceAll('${intentClaim}', 'openbanking_intent_id');

/** The words for which a file of the library refuses, as `throw new InvalidGrant('…')` and its like have them. */
function wordsOf(error: string, file: string): string[] {
  const text = readFileSync(join(packageRoot(), 'node_modules/oidc-provider/lib', file), 'utf8');
  return [...text.matchAll(new RegExp(`throw new ${error}\\(['\`]([^'\`]+)['\`]`, 'g'))].map(([, words = '']) => words);
}

describe('the reasons of errors of OAuth', () => {
  const rows = Object.entries(reasonsByError).flatMap(([error, words]) =>
    words.map(([part, reason]) => [error, part, reason] as const),
  );

  it.each(rows.filter(([, part]) => part !== ''))('of %s know words that are still said: %s', (_, part) => {
    expect(written.includes(part)).toBe(true);
  });

  it.each(rows)('of %s with “%s” find %s, and a text of the trail for it', (error, part, reason) => {
    expect(reasonOfFault({ error, error_detail: part })).toBe(reason);
    expect(reasonOfFault({ error, error_description: `more ${part} more` })).toBe(reason);
    expect(reasons[reason].meaning).toBeTruthy();
  });

  it.each(['helpers/grant_source.js', 'actions/grants/authorization_code.js', 'actions/grants/refresh_token.js'])(
    'tell every refused grant of %s from others, but those of kinds that are switched off',
    (file) => {
      const words = wordsOf('InvalidGrant', file).map((detail) => detail.replace('${label}', 'authorization code'));
      expect(words.length).toBeGreaterThan(1);
      const otherwise = words.filter(
        (error_detail) => reasonOfFault({ error: 'invalid_grant', error_detail }) === 'refused-otherwise',
      );
      // Proofs by DPoP, the certificates of public clients, and the rotation of refresh tokens.
      expect(otherwise.filter((detail) => !/jkt|x5t#S256|refresh token already used/.test(detail))).toEqual([]);
    },
  );

  it('are never a text of the error, whatever it says', () => {
    const error_description = 'redirect_uri https://tpp.example/?customer=4111111111111111';
    for (const error of ['invalid_grant', 'invalid_request', 'invented', '__proto__', 'constructor', undefined])
      expect(Object.keys(reasons)).toContain(
        reasonOfFault({ error, error_description, error_detail: error_description }),
      );
    expect(reasonOfFault({ error: 'invented' })).toBe('refused-otherwise');
  });

  it.each(Object.entries(oauthReasons))('name the check that refused for %s: %s', (reason, check) => {
    const context = { reason: undefined, refusedBy: undefined };
    refuse(context, reason as keyof typeof oauthReasons);
    expect(context).toEqual({ reason, refusedBy: check });
    expect([...oauthChecks, 'rate limit', 'scope']).toContain(check);
  });
});
