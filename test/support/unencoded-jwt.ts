import { FlattenedSign, type CryptoKey, type JWTHeaderParameters } from 'jose';

/**
 * A JWT with the header `b64` (forbidden by RFC 7797, section 7). With `false` it is signed over its raw payload. A reader
 * that ignores the header but decodes the payload still reads the claims.
 */
export async function jwtWithB64(
  claims: object,
  header: JWTHeaderParameters,
  key: CryptoKey,
  b64: boolean,
): Promise<string> {
  const json = Buffer.from(JSON.stringify(claims));
  const encoded = json.toString('base64url');
  const jws = await new FlattenedSign(b64 ? json : Buffer.from(encoded))
    .setProtectedHeader({ ...header, b64, crit: ['b64'] })
    .sign(key);
  return `${jws.protected}.${encoded}.${jws.signature}`;
}
