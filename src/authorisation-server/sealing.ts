import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM. A text that is sealed for one `purpose` does not open for another. */
export function seal(key: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString('base64');
}

/** @throws Error when key or purpose is another one, or the text was changed. */
export function open(key: Buffer, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8');
}

/** Under what a bearer value is kept: the value itself cannot be had from it. */
export function hashed(kind: string, bearer: string): string {
  return createHash('sha256').update(`${kind}:${bearer}`).digest('base64url');
}

/** The key that only who holds the bearer value has. */
export function keyOf(kind: string, bearer: string): Buffer {
  return Buffer.from(hkdfSync('sha256', bearer, '', `sealed ${kind}`, 32));
}

/**
 * The token of every form that is shown to who holds the cookie: nobody else can work it out, and it dies with the cookie.
 * @param bearer the cookie's value
 */
export function formToken(bearer: string): string {
  return hashed('form', bearer);
}

/** Another key for each purpose, from one that operators keep. */
export function derivedKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
}
