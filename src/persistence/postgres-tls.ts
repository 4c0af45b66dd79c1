import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { BootError } from '../config/boot-error.js';
import type { DatabaseAddress } from '../config/database-url.js';

/** The PEM files that a PostgreSQL URL names, as the driver takes them. */
export function readTlsFiles({
  verify,
  caFile,
  certFile,
  keyFile,
}: Exclude<DatabaseAddress['tls'], false | undefined>) {
  const read = (name: string, file: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new BootError(
        `${name} of DATABASE_URL names a file that cannot be read (${(error as NodeJS.ErrnoException).code}): correct it.`,
      );
    }
  };
  const files = {
    ...(caFile !== undefined && { ca: read('sslrootcert', caFile) }),
    ...(certFile !== undefined && { cert: read('sslcert', certFile) }),
    ...(keyFile !== undefined && { key: read('sslkey', keyFile) }),
  };
  refuseUnusable(files);
  return { rejectUnauthorized: verify, ...files };
}

/** Before the driver sees them: amid a handshake OpenSSL's error would be nobody's. */
function refuseUnusable({ ca, cert, key }: { readonly ca?: string; readonly cert?: string; readonly key?: string }) {
  const usable = (make: () => unknown): boolean => {
    try {
      make();
      return true;
    } catch {
      return false;
    }
  };
  if (ca !== undefined && !usable(() => new X509Certificate(ca)))
    throw new BootError('sslrootcert of DATABASE_URL holds no certificates: name a PEM file of them.');
  if (!usable(() => createSecureContext({ ...(cert && { cert }), ...(key && { key }) })))
    throw new BootError(
      'sslcert and sslkey of DATABASE_URL are not a certificate and its own key: name the PEM files of both.',
    );
}
