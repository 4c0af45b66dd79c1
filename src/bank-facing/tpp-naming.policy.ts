import { embeddedIssuer } from '../open-banking/tpp-id.js';

/** The issuer of the TPP that a caller names, or the reason why the caller must name a different one. */
export type Naming =
  { readonly issuer: string } | { readonly fault: 'unknown' | 'ambiguous'; readonly issuers: readonly string[] };

/**
 * The issuer of the TPP with a client id. A caller may leave the issuer out only where it is certain: a measure against the
 * wrong issuer's TPP would leave the right TPP as it was.
 *
 * A TPP of another authorization server may be named before the gateway knows it. The embedded authorization server knows
 * all its TPPs, so a client id unknown to it is an error.
 * @param asked the issuer that the caller names
 * @param known the issuers of the TPPs with this client id that the gateway knows
 * @param accepted the issuers whose tokens are accepted now
 */
export function issuerOf(asked: string | undefined, known: readonly string[], accepted: readonly string[]): Naming {
  const others = accepted.filter((issuer) => issuer !== embeddedIssuer);
  const issuers = [...new Set([...known, ...others])];
  if (asked !== undefined) return issuers.includes(asked) ? { issuer: asked } : { fault: 'unknown', issuers };
  const [only] = known.length > 0 ? known : others;
  if (only === undefined || (known.length === 0 && others.length < accepted.length))
    return { fault: 'unknown', issuers };
  // An issuer that is no longer configured may have a new name now, and so may the TPP.
  const isSure = known.length > 0 ? known.length === 1 && accepted.includes(only) : others.length === 1;
  return isSure ? { issuer: only } : { fault: 'ambiguous', issuers };
}
