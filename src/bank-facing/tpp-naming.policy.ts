import { embeddedIssuer } from '../open-banking/tpp-id.js';

/** The issuer of the TPP that a caller names, or the reason why the caller must name another one. */
export type Naming =
  { readonly issuer: string } | { readonly fault: 'unknown' | 'ambiguous'; readonly issuers: readonly string[] };

/**
 * The issuer of the TPP with a client id. Where the caller names none, there must be no doubt: a measure that meets another
 * issuer's TPP leaves the right one as it was.
 *
 * A TPP of another server may be named before it is known here; the embedded authorization server knows all of its own, so
 * an unknown client id is a slip.
 * @param asked the issuer that the caller names
 * @param known the issuers of the TPPs with this client id of which there is anything here
 * @param accepted the issuers whose tokens are accepted now
 */
export function issuerOf(asked: string | undefined, known: readonly string[], accepted: readonly string[]): Naming {
  const others = accepted.filter((issuer) => issuer !== embeddedIssuer);
  const issuers = [...new Set([...known, ...others])];
  if (asked !== undefined) return issuers.includes(asked) ? { issuer: asked } : { fault: 'unknown', issuers };
  const [only] = known.length > 0 ? known : others;
  if (only === undefined || (known.length === 0 && others.length < accepted.length))
    return { fault: 'unknown', issuers };
  // An issuer that is no longer configured may have got another name, and the TPP with it.
  const isSure = known.length > 0 ? known.length === 1 && accepted.includes(only) : others.length === 1;
  return isSure ? { issuer: only } : { fault: 'ambiguous', issuers };
}
