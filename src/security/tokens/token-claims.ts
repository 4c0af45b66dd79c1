import type { IssuerConfig } from '../../config/config.js';
import type { AccessToken } from '../../request/request-context.js';
import type { RefusalReason } from '../../open-banking/reasons.js';
import { tppId } from '../../open-banking/tpp-id.js';

/** The gateway does not accept the token. The reason is for `WWW-Authenticate`. */
export class InvalidToken extends Error {
  override readonly name: string = 'InvalidToken';

  constructor(
    description: string,
    readonly reason: RefusalReason = 'token-invalid',
  ) {
    super(description);
  }
}

type Claims = Readonly<Record<string, unknown>>;
type ClaimRules = Pick<IssuerConfig, 'issuer' | 'claims' | 'binding' | 'acrValues' | 'subjectIsCustomer'>;

/**
 * Reads verified claims, or the answer of an introspection, by the issuer's names for them. The TPP is a client of the
 * issuer of these rules, also where the answer of an introspection lacks `iss` or has a different one.
 */
export function readClaims(claims: Claims, rules: ClaimRules): AccessToken {
  const names = rules.claims;
  const clientId = text(claims, names.clientId, 'the client id');
  if (clientId === undefined) throw new InvalidToken('the token names no client');
  const consentId = text(claims, names.consentId, 'the consent id');
  const authenticatedAtMs = authenticationTime(claims, names.authenticationTime);
  const acr = text(claims, names.acr, 'the acr');
  const subject = rules.subjectIsCustomer ? text(claims, names.subject, 'the subject') : undefined;
  // A client-credentials token has no customer: it proves no authentication and opens no account.
  if (consentId !== undefined) {
    if (rules.acrValues !== undefined && (acr === undefined || !rules.acrValues.includes(acr)))
      throw new InvalidToken('the customer was not authenticated strongly enough', 'authentication-too-weak');
    if (rules.subjectIsCustomer && subject === undefined) throw new InvalidToken('the token names no customer');
  }
  return {
    tpp: tppId(rules.issuer, clientId),
    scopes: scopes(claims['scope']),
    ...(consentId !== undefined && { consentId }),
    ...(authenticatedAtMs !== undefined && { authenticatedAtMs }),
    ...(acr !== undefined && { acr }),
    ...(consentId !== undefined && subject !== undefined && { customerRef: subject }),
    ...confirmation(claims['cnf'], rules.binding),
    expiresAtMs: typeof claims['exp'] === 'number' ? claims['exp'] * 1_000 : Number.POSITIVE_INFINITY,
  };
}

/** First by its whole name, because a name may contain dots (`https://bank.example/consent`), then by the path. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as Claims)[step] : undefined,
      claims,
    );
}

function text(claims: Claims, name: string, what: string): string | undefined {
  const value = claimAt(claims, name);
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '') throw new InvalidToken(`${what} in the token is not text`);
  return value;
}

function authenticationTime(claims: Claims, name: string): number | undefined {
  const seconds = claimAt(claims, name);
  if (seconds === undefined) return undefined;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds))
    throw new InvalidToken('the authentication time in the token is not a number of seconds');
  return seconds * 1_000;
}

/** RFC 9068 has one text; some servers send a list. */
function scopes(scope: unknown): ReadonlySet<string> {
  if (Array.isArray(scope)) return new Set(scope.filter((item) => typeof item === 'string'));
  return new Set(typeof scope === 'string' ? scope.split(' ') : []);
}

/** A confirmation that the gateway cannot check must not count as absent (RFC 7800, section 3.1). */
function confirmation(
  cnf: unknown,
  binding: IssuerConfig['binding'],
): Pick<AccessToken, 'certificateThumbprint' | 'keyThumbprint'> {
  const { 'x5t#S256': certificate, jkt } = (cnf ?? {}) as Claims;
  if (cnf !== undefined && typeof certificate !== 'string' && typeof jkt !== 'string')
    throw new InvalidToken('the token is bound to something other than a certificate or a key');
  if (binding === 'mtls' && typeof certificate !== 'string')
    throw new InvalidToken('the token is not bound to a certificate', 'token-unbound');
  if (binding === 'dpop' && typeof jkt !== 'string')
    throw new InvalidToken('the token is not bound to a key', 'token-unbound');
  if (binding === 'mtls-or-dpop' && cnf === undefined)
    throw new InvalidToken('the token is not bound to a certificate or a key', 'token-unbound');
  return {
    ...(typeof certificate === 'string' && { certificateThumbprint: certificate }),
    ...(typeof jkt === 'string' && { keyThumbprint: jkt }),
  };
}
