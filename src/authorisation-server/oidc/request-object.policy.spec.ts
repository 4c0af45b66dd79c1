import { describe, expect, it } from '@jest/globals';
import { requestObjectFault } from './request-object.policy.js';

const now = Date.UTC(2026, 5, 15) / 1_000;
const nowMs = now * 1_000;
const good = { aud: 'https://bank.example/as', iat: now, nbf: now, exp: now + 300 };
const faultOf = (changes: object, header: object = {}, atMs = nowMs): string | undefined =>
  requestObjectFault({ ...good, ...changes }, { alg: 'PS256', ...header }, atMs);

describe('a request object', () => {
  it.each([
    ['iat', now + 10, nowMs, true],
    ['iat', now + 11, nowMs + 999, false],
    ['iat', now + 11, nowMs + 1_000, true],
    ['iat', now + 10.5, nowMs, false],
    ['iat', `${now + 11}`, nowMs, false],
    ['iat', 'soon', nowMs, false],
    ['iat', undefined, nowMs, true],
    ['nbf', now + 10, nowMs, true],
    ['nbf', now + 11, nowMs + 999, false],
    ['nbf', now + 11, nowMs + 1_000, true],
  ])('whose %s is %s is accepted at %s ms: %s', (claim, time, atMs, accepted) => {
    const fault = `the request object has an ${claim} that is more than 10 seconds ahead of the gateway’s clock`;
    expect(faultOf({ [claim]: time }, {}, atMs)).toBe(accepted ? undefined : fault);
  });

  it.each([
    [now, now + 3_600, true],
    [now, now + 3_601, false],
    [now, now + 1, true],
    [now, now, false],
    [now, now - 1, false],
    [now, 'tomorrow', false],
  ])('that is good from %s until %s is accepted: %s', (nbf, exp, accepted) => {
    const fault = 'the request object must expire after its nbf, within an hour';
    expect(faultOf({ nbf, exp })).toBe(accepted ? undefined : fault);
  });

  it.each(['exp', 'aud', 'nbf'])('without %s is refused', (claim) => {
    expect(faultOf({ [claim]: undefined })).toBe(`the request object lacks the claim ${claim}`);
  });

  it.each([{ crit: ['b64'], b64: false }, { crit: ['b64'], b64: true }, { b64: true }, { crit: [] }, { crit: null }])(
    'with the header %j is refused',
    (header) => {
      expect(faultOf({}, header)).toBe('the request object must have neither crit nor b64 in its header');
    },
  );
});
