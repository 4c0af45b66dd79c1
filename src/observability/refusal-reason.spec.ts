import { describe, expect, it } from '@jest/globals';
import { type Outcome, refusalReason } from './refusal-reason.js';

const reasonOf = (outcome: Partial<Outcome>, status: number): string | undefined =>
  refusalReason({ error: undefined, refusedBy: undefined, coreFault: undefined, ...outcome }, status);

describe('the reason of a request', () => {
  it('is absent where the request was answered', () => {
    expect(reasonOf({}, 200)).toBeUndefined();
  });

  it.each<[Partial<Outcome>, number, string]>([
    [{}, 499, 'client-gone'],
    [{ error: 'unauthorised', refusedBy: 'token' }, 401, 'token-invalid'],
    [{ error: 'unauthorised', refusedBy: 'live consent' }, 401, 'consent-ended'],
    [{ error: 'token-scope', refusedBy: 'scope' }, 403, 'scope-missing'],
    [{ error: 'too-many-requests', refusedBy: 'rate limit' }, 429, 'rate-limit'],
    [{ error: 'too-many-requests', refusedBy: 'unattended access' }, 429, 'unattended-limit'],
    [{ error: 'too-many-requests' }, 429, 'reads-waiting'],
    [{ error: 'reauthentication', refusedBy: 'authentication window' }, 403, 'window-closed'],
    [{ error: 'permission-missing', refusedBy: 'permission' }, 403, 'permission-missing'],
    [{ error: 'unavailable', coreFault: 'timeout' }, 503, 'core-timeout'],
    [{ error: 'invalid-account', coreFault: 'account-not-found' }, 400, 'core-account-not-found'],
    [{ error: 'unavailable' }, 503, 'system-away'],
    [{ error: 'unexpected' }, 500, 'fault'],
  ])('of %j with status %i is %s', (outcome, status, reason) => {
    expect(reasonOf(outcome, status)).toBe(reason);
  });
});
