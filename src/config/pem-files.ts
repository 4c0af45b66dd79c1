import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BootError } from './boot-error.js';

/** Reads a file that a setting names. Each reader below throws a {@link BootError} of one line that names the setting. */
export interface NamedFile {
  readonly setting: string;
  readonly path: string;
}

export function readPem({ setting, path }: NamedFile): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new BootError(`${setting} "${path}" cannot be read: name a readable PEM file`);
  }
}

/** All certificates of a chain or of a list of authorities, in the order of the file: at least one. */
export function certificatesOf(
  { setting, path }: NamedFile,
  pem: Buffer,
): readonly [X509Certificate, ...X509Certificate[]] {
  // OpenSSL would omit it in silence, and the bank would believe that revoked certificates are refused.
  if (pem.includes('-----BEGIN X509 CRL-----'))
    throw new BootError(
      `${setting} "${path}" holds a certificate revocation list: move it to the file that TLS_CLIENT_CRL_FILE or MTLS_CLIENT_CRL_FILE names`,
    );
  const blocks = pem.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    const [first, ...others] = blocks.map((block) => new X509Certificate(block));
    if (first !== undefined) return [first, ...others];
  } catch {
    // The error below reports it.
  }
  throw new BootError(`${setting} "${path}" holds no certificates: name a readable PEM file`);
}

export function privateKeyOf({ setting, path }: NamedFile, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE' || /ENCRYPTED/.test(pem.toString('latin1')))
      throw new BootError(
        `${setting} "${path}" is encrypted: name a PEM file with the unencrypted key, which only the gateway’s user can read`,
      );
    throw new BootError(`${setting} "${path}" holds no private key: name a readable PEM file`);
  }
}
