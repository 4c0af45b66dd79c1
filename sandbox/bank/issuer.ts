import { randomUUID } from 'node:crypto';
import { SignJWT, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JSONWebKeySet, JWK } from 'jose';
import type { Clock } from '../../src/clock/clock.js';

export const issuerAlgorithms = ['PS256', 'ES256'] as const;
export type IssuerAlgorithm = (typeof issuerAlgorithms)[number];

/** The private keys, one for each algorithm, as they are kept in a file. */
export interface IssuerKeys {
  readonly keys: readonly JWK[];
}

export async function makeIssuerKeys(): Promise<IssuerKeys> {
  return { keys: await Promise.all(issuerAlgorithms.map(makeSigningKey)) };
}

/** A private signing key for the algorithm, with a new key id. */
export async function makeSigningKey(alg: IssuerAlgorithm): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `sandbox-${alg.toLowerCase()}-${randomUUID()}` };
}

export interface TokenRequest {
  readonly clientId: string;
  /** Without one the token is a client-credentials token. */
  readonly consentId?: string;
  /** Default `accounts`. */
  readonly scope?: string;
  /** Default PS256. */
  readonly alg?: IssuerAlgorithm;
  /** Certificate binding (RFC 8705). */
  readonly cnf?: Readonly<Record<string, string>>;
  /** Default one hour; below zero for a token that has expired. */
  readonly expiresInSeconds?: number;
}

export const defaultTokenLifeSeconds = 3600;

/** The sandbox's token issuer: JWT access tokens (RFC 9068) for anyone whom the sandbox trusts. */
export class Issuer {
  private constructor(
    private readonly name: string,
    readonly audience: string,
    readonly publicKeys: JSONWebKeySet,
    private readonly privateKeys: ReadonlyMap<string, { readonly key: CryptoKey | Uint8Array; readonly kid?: string }>,
    private readonly clock: Clock,
  ) {}

  static async from(keys: IssuerKeys, name: string, audience: string, clock: Clock): Promise<Issuer> {
    const imported = keys.keys.map(async (jwk) => {
      const alg = jwk.alg ?? '';
      return [alg, { key: await importJWK(jwk, alg), kid: jwk.kid }] as const;
    });
    return new Issuer(name, audience, { keys: keys.keys.map(publicPart) }, new Map(await Promise.all(imported)), clock);
  }

  async mint(request: TokenRequest): Promise<string> {
    const alg = request.alg ?? 'PS256';
    const signer = this.privateKeys.get(alg);
    if (signer === undefined) throw new Error(`the issuer has no key for ${alg}`);
    const issuedAt = Math.floor(this.clock.nowMs() / 1000);
    return new SignJWT({
      client_id: request.clientId,
      scope: request.scope ?? 'accounts',
      ...(request.consentId === undefined ? {} : { openbanking_intent_id: request.consentId }),
      ...(request.cnf === undefined ? {} : { cnf: request.cnf }),
    })
      .setProtectedHeader({ alg, typ: 'at+jwt', kid: signer.kid })
      .setIssuer(this.name)
      .setAudience(this.audience)
      .setSubject(request.consentId ?? request.clientId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + (request.expiresInSeconds ?? defaultTokenLifeSeconds))
      .setJti(randomUUID())
      .sign(signer.key);
  }
}

/** The public part of a key. It lists the public members, so that no private one can slip through. */
export function publicPart({ kty, n, e, crv, x, y, alg, use, kid }: JWK): JWK {
  return { kty, n, e, crv, x, y, alg, use, kid };
}
