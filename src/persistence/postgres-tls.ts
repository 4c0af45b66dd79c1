import { createSecureContext } from 'node:tls';
import { BootError } from '../config/boot-error.js';
import type { DatabaseAddress } from '../config/database-url.js';
import { certificatesOf, readPem } from '../config/pem-files.js';

/** Reads the PEM files that a PostgreSQL URL names, for the driver. @throws BootError for files that cannot be used */
export function readTlsFiles({
  verify,
  caFile,
  certFile,
  keyFile,
}: Exclude<DatabaseAddress['tls'], false | undefined>) {
  const files = {
    ...(caFile !== undefined && { ca: authorities(caFile) }),
    ...(certFile !== undefined && { cert: readPem(named('sslcert', certFile)) }),
    ...(keyFile !== undefined && { key: readPem(named('sslkey', keyFile)) }),
  };
  refuseUnusable(files);
  return { rejectUnauthorized: verify, ...files };
}

const named = (parameter: string, path: string) => ({ setting: `${parameter} of DATABASE_URL`, path });

function authorities(path: string): Buffer {
  const file = named('sslrootcert', path);
  const pem = readPem(file);
  certificatesOf(file, pem);
  return pem;
}

/** Checked before the driver uses them: an error of OpenSSL during a handshake does not name the file. */
function refuseUnusable({ cert, key }: { readonly cert?: Buffer; readonly key?: Buffer }): void {
  try {
    createSecureContext({ ...(cert && { cert }), ...(key && { key }) });
  } catch {
    throw new BootError(
      'sslcert and sslkey of DATABASE_URL are not a certificate and its own key: name the PEM files of both.',
    );
  }
}
