import { randomUUID } from 'node:crypto';
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';

export interface ForgedToken {
  readonly claims?: JWTPayload;
  /** Claims that the token must not have. */
  readonly without?: readonly string[];
  readonly header?: Partial<JWTHeaderParameters>;
  /** Default: the issuer's key for the header's algorithm. */
  readonly key?: JWK | Uint8Array;
}

/** Signs the token that a test asks for, by default a valid access token (RFC 9068). */
export class TokenForge {
  constructor(
    private readonly keys: readonly JWK[],
    private readonly issuer: string,
    private readonly audience: string,
    private readonly nowMs: () => number,
  ) {}

  async sign({ claims = {}, without = [], header = {}, key }: ForgedToken = {}): Promise<string> {
    const alg = header.alg ?? 'PS256';
    const issuers = this.keys.find((candidate) => candidate.alg === alg) ?? this.keys[0];
    const used = key ?? issuers;
    if (used === undefined) throw new Error(`no key for ${alg}`);
    const issuedAt = Math.floor(this.nowMs() / 1_000);
    const payload: JWTPayload = {
      iss: this.issuer,
      aud: this.audience,
      sub: 'tpp-one',
      client_id: 'tpp-one',
      scope: 'accounts',
      iat: issuedAt,
      exp: issuedAt + 3_600,
      jti: randomUUID(),
      ...claims,
    };
    for (const name of without) delete payload[name];
    const kid = issuers?.kid;
    return new SignJWT(payload)
      .setProtectedHeader({ alg, typ: 'at+jwt', ...(kid === undefined ? {} : { kid }), ...header })
      .sign(used instanceof Uint8Array ? used : await importJWK(used, alg));
  }
}

export async function privateJwk(alg: string, kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, kid, use: 'sig' };
}

/** An unsigned token: header and claims as they are, with any text in place of a signature. */
export function unsigned(header: object, claims: object, signature = ''): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.${signature}`;
}
