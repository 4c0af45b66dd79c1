import type { GatewayConfig } from './config.js';
import { readDatabaseUrl } from './database-url.js';
import { BootError } from './boot-error.js';
import { certificatesOf, type NamedFile, readPem } from './pem-files.js';

type Sources = Pick<GatewayConfig, 'issuers' | 'database' | 'cores' | 'customerAuthentication'>;

/**
 * When the certificates end that the gateway shows to other servers, by their files as they are now; `undefined` for one that
 * cannot be read. The gateway goes on with the certificate of its start, and the next start would fail.
 */
export function outgoingCertificates(config: Sources): { setting: string; expiresAtMs: number | undefined }[] {
  return clientCertificateFiles(config).map((file) => ({ setting: file.setting, expiresAtMs: endOf(file) }));
}

function endOf(file: NamedFile): number | undefined {
  try {
    return Math.min(...certificatesOf(file, readPem(file)).map(({ validTo }) => Date.parse(validTo)));
  } catch (error) {
    if (error instanceof BootError) return undefined;
    throw error;
  }
}

/** Each by the setting that names it. */
function clientCertificateFiles({ issuers, database, cores, customerAuthentication }: Sources): NamedFile[] {
  const ofIssuers = issuers.flatMap((issuer) =>
    'introspection' in issuer
      ? [{ setting: `ISSUERS_FILE: ${issuer.issuer}`, path: issuer.introspection.certificateFile }]
      : [],
  );
  const databaseTls = database.url !== undefined && readDatabaseUrl(database.url).tls;
  const sslcert = databaseTls ? databaseTls.certFile : undefined;
  return [
    ...ofIssuers,
    ...(sslcert === undefined ? [] : [{ setting: 'DATABASE_URL: sslcert', path: sslcert }]),
    ...cores.flatMap(({ name, variables }) => named(variables, name === undefined ? '' : ` of the core ${name}`)),
    ...named(customerAuthentication?.variables ?? {}, ''),
  ];
}

/** An adapter outside the repository names its variables itself: by their endings, as ours do. */
function named(variables: Readonly<Record<string, string>>, owner: string): NamedFile[] {
  return Object.entries(variables)
    .filter(([name, path]) => /_CERT(?:IFICATE)?_FILE$/.test(name) && path !== '')
    .map(([name, path]) => ({ setting: `${name}${owner}`, path }));
}
