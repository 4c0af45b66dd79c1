import { earlyFault, extensionFault } from '../../security/tokens/signed-jwt.js';

/** FAPI 1.0 Advanced, section 5.2.2: the longest time from `nbf` to `exp`. Seconds. */
const longestSeconds = 60 * 60;

type Claims = Readonly<Record<string, unknown>>;

/**
 * The reason, in words for the TPP, why a request object is refused. The library checks signature, audience, issuer
 * and expiry.
 */
export function requestObjectFault(claims: Claims, header: Claims, nowMs: number): string | undefined {
  const fault = extensionFault(header) ?? lifeFault(claims) ?? earlyFault(claims, nowMs);
  return fault && `the request object ${fault}`;
}

function lifeFault(claims: Claims): string | undefined {
  const { exp, nbf } = claims;
  const missing = ['exp', 'aud', 'nbf'].find((name) => claims[name] === undefined);
  if (missing !== undefined) return `lacks the claim ${missing}`;
  const seconds = Number(exp) - Number(nbf);
  return seconds > 0 && seconds <= longestSeconds ? undefined : 'must expire after its nbf, within an hour';
}
