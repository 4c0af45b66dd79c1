import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock/clock.js';
import { BootError } from '../config/boot-error.js';
import type { TokenConfig } from '../config/config.js';
import { unavailable } from '../http/error-responder.js';
import type { AccessToken } from '../http/request-context.js';

/** FAPI 1.0 Advanced, section 8.6: no other algorithm, whatever the key says. */
const algorithms = ['PS256', 'ES256'];

/** How long a verified signature is trusted without looking at the issuer's keys again. */
const trustMs = 60_000;

/** The token is not one that this gateway accepts; the reason is for `WWW-Authenticate`. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

/** Verifies JWT access tokens (RFC 9068) of one issuer. Signatures and claims are remembered, decisions never. */
export class TokenVerifier {
  private readonly keys: Parameters<typeof jwtVerify>[1];
  /** By SHA-256 of the token, so that no usable token lies in memory. */
  private readonly verified = new LRUCache<string, { token: AccessToken; untilMs: number }>({ max: 10_000 });

  constructor(
    private readonly config: TokenConfig,
    private readonly clock: Clock,
  ) {
    this.keys = keySource(config.jwks);
  }

  /** The token's claims. Throws or rejects with {@link InvalidToken}, or 503 when the issuer's keys are out of reach. */
  verify(jwt: string): AccessToken | Promise<AccessToken> {
    const digest = hash('sha256', jwt, 'base64');
    const nowMs = this.clock.nowMs();
    const known = this.verified.get(digest);
    if (known !== undefined && nowMs < known.untilMs) {
      if (known.token.expiresAtMs <= nowMs) throw new InvalidToken('the token has expired');
      return known.token;
    }
    return this.verifySignature(jwt, nowMs).then((token) => {
      this.verified.set(digest, { token, untilMs: nowMs + trustMs });
      return token;
    });
  }

  private async verifySignature(jwt: string, nowMs: number): Promise<AccessToken> {
    try {
      const { payload } = await jwtVerify(jwt, this.keys, {
        algorithms,
        issuer: this.config.issuer,
        audience: this.config.audience,
        typ: 'at+jwt',
        requiredClaims: ['exp', 'client_id'],
        currentDate: new Date(nowMs),
      });
      return readClaims(payload);
    } catch (error) {
      if (error instanceof InvalidToken) throw error;
      if (isTokenFault(error)) throw new InvalidToken('the token is not valid');
      // The issuer's keys cannot be had: the token may be good, so this is no 401.
      throw unavailable(error);
    }
  }
}

function keySource(jwks: string): Parameters<typeof jwtVerify>[1] {
  if (/^https?:\/\//.test(jwks))
    return createRemoteJWKSet(new URL(jwks), { timeoutDuration: 3_000, cooldownDuration: 10_000 });
  try {
    return createLocalJWKSet(JSON.parse(readFileSync(jwks, 'utf8')) as JSONWebKeySet);
  } catch {
    throw new BootError(`TOKEN_JWKS "${jwks}" is not a readable JSON Web Key Set: name a file or an http(s) URL`);
  }
}

function readClaims(payload: JWTPayload): AccessToken {
  const { client_id: clientId, scope, openbanking_intent_id: consentId, cnf, exp } = payload;
  if (typeof clientId !== 'string' || clientId === '') throw new InvalidToken('the token names no client');
  if (consentId !== undefined && (typeof consentId !== 'string' || consentId === ''))
    throw new InvalidToken('the consent id in the token is not text');
  return {
    clientId,
    scopes: new Set(typeof scope === 'string' ? scope.split(' ') : []),
    ...(consentId === undefined ? {} : { consentId }),
    ...certificateBinding(cnf),
    expiresAtMs: (exp ?? 0) * 1_000,
  };
}

/** A confirmation that we cannot check must not count as none (RFC 7800, section 3.1). */
function certificateBinding(cnf: unknown): { certificateThumbprint?: string } {
  if (cnf === undefined) return {};
  const thumbprint = (cnf as Record<string, unknown> | null)?.['x5t#S256'];
  if (typeof thumbprint !== 'string')
    throw new InvalidToken('the token is bound to something other than a certificate');
  return { certificateThumbprint: thumbprint };
}

function isTokenFault(error: unknown): boolean {
  return (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}
