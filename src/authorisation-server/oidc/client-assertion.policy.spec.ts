import { describe, expect, it } from '@jest/globals';
import { assertionFault } from './client-assertion.policy.js';

const issuer = 'https://bank.example/as';
const now = Date.UTC(2026, 5, 15) / 1_000;
const good = { aud: issuer, exp: now + 60 };
const faultOf = (changes: object, fapi2 = false, nowMs = now * 1_000): string | undefined =>
  assertionFault({ ...good, ...changes }, { alg: 'PS256' }, { issuer, fapi2, nowMs });

describe('a client assertion', () => {
  it.each([
    [now + 300, now * 1_000, true],
    [now + 301, now * 1_000 + 999, false],
    [now + 301, now * 1_000 + 1_000, true],
    [now + 300.5, now * 1_000, false],
    [Number.MAX_VALUE, now * 1_000, false],
    [undefined, now * 1_000, false],
    [`${now}`, now * 1_000, false],
  ])('that expires at %s is accepted at %s ms: %s', (exp, nowMs, accepted) => {
    const fault = 'the client assertion must expire within 5 minutes';
    for (const fapi2 of [false, true]) expect(faultOf({ exp }, fapi2, nowMs)).toBe(accepted ? undefined : fault);
  });

  it.each([
    [[issuer], true, false],
    [issuer, true, true],
    [`${issuer}/token`, true, false],
    [[issuer, issuer], false, false],
    [[issuer, 'https://other.example'], false, false],
    [[], false, false],
  ])('for %j is accepted in FAPI 1.0: %s, in FAPI 2.0: %s', (aud, in1, in2) => {
    expect([faultOf({ aud }) === undefined, faultOf({ aud }, true) === undefined]).toEqual([in1, in2]);
  });
});
