import { clockToleranceSeconds, earlyFault, extensionFault } from '../../security/tokens/signed-jwt.js';

/** The longest lifetime of a client assertion. No clock tolerance is added: TPPs' libraries ask for one minute. */
const longestAssertionMs = 5 * 60_000;

interface AssertionTerms {
  /** Our issuer. */
  readonly issuer: string;
  /** Whether the client speaks FAPI 2.0; otherwise FAPI 1.0 Advanced. */
  readonly fapi2: boolean;
  readonly nowMs: number;
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * The reason, in words for the TPP, why a client assertion is refused although it is well signed and names us in its
 * audience. If it also names another server, that server could use it here. If it is good for a long time, a thief of it
 * has the TPP's access for as long.
 */
export function assertionFault(claims: Claims, header: Claims, terms: AssertionTerms): string | undefined {
  const extension = extensionFault(header);
  if (extension !== undefined) return `the client assertion ${extension}`;
  return audienceFault(claims, terms) ?? timeFault(claims, terms.nowMs);
}

function audienceFault({ aud }: Claims, { issuer, fapi2 }: AssertionTerms): string | undefined {
  if (Array.isArray(aud) && aud.length !== 1)
    return 'the aud of the client assertion must be one value, which names this server';
  // FAPI 2.0 Security Profile, section 5.3.2.1.
  if (fapi2 && aud !== issuer)
    return 'in FAPI 2.0 the aud of the client assertion must be the issuer of this server, as a string';
  return undefined;
}

function timeFault(claims: Claims, nowMs: number): string | undefined {
  const { exp } = claims;
  if (typeof exp !== 'number' || exp * 1_000 > nowMs + longestAssertionMs)
    return 'the client assertion must expire within 5 minutes';
  if ((exp + clockToleranceSeconds) * 1_000 <= nowMs) return 'the client assertion has expired';
  const early = earlyFault(claims, nowMs);
  return early && `the client assertion ${early}`;
}
