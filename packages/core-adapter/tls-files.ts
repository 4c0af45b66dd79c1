import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CoreSettingFault } from './core-settings.js';

/** A PEM file, and the setting that names it. */
export interface PemFile {
  /** The environment variable, e.g. `CORE_KEY_FILE`. */
  readonly setting: string;
  readonly path: string;
}

export interface TlsFiles {
  /** The authorities of the core's certificate, where they are not public ones. */
  readonly ca?: PemFile;
  /** The certificate that is shown to the core (mutual TLS), with those between it and the core's authority. */
  readonly certificate?: PemFile;
  /** The private key of `certificate`, not encrypted. */
  readonly key?: PemFile;
}

/** The content of {@link TlsFiles}, by the names of Node's `tls`. */
export interface TlsTerms {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The files that the settings of a core name. */
export function tlsFilesOf(variables: Readonly<Record<string, string>>): TlsFiles {
  const names = { ca: 'CORE_CA_FILE', certificate: 'CORE_CERT_FILE', key: 'CORE_KEY_FILE' };
  const files: Record<string, PemFile> = {};
  for (const [name, setting] of Object.entries(names)) {
    const path = variables[setting]?.trim();
    if (path !== undefined && path !== '') files[name] = { setting, path };
  }
  return files;
}

/**
 * @throws CoreSettingFault if a file cannot be read, holds something else, or certificate and key do not belong
 * together
 */
export function readTlsFiles({ ca, certificate, key }: TlsFiles): TlsTerms {
  if (certificate !== undefined && key === undefined)
    throw new CoreSettingFault(certificate.setting, 'needs a key: name its file, too');
  if (certificate === undefined && key !== undefined)
    throw new CoreSettingFault(key.setting, 'needs a certificate: name its file, too');
  return { ...(ca && { ca: certificatesIn(ca)[0] }), ...(certificate && key && readPair(certificate, key)) };
}

function readPair(certificate: PemFile, key: PemFile): TlsTerms {
  const [cert, first] = certificatesIn(certificate);
  const keyPem = textOf(key);
  const privateKey = parsed(key, 'a private key that is not encrypted', () => createPrivateKey(keyPem));
  if (!first.checkPrivateKey(privateKey))
    throw new CoreSettingFault(key.setting, `must be the key of the certificate in ${certificate.setting}`);
  return { cert, key: keyPem };
}

/** The file's text, and its first certificate. */
function certificatesIn(file: PemFile): [string, X509Certificate] {
  const pem = textOf(file);
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [''];
  const [first] = parsed(file, 'certificates', () => blocks.map((block) => new X509Certificate(block)));
  return [pem, first as X509Certificate];
}

function textOf({ setting, path }: PemFile): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CoreSettingFault(setting, 'must be a file that can be read');
  }
}

/** OpenSSL's message is omitted: it may quote the file. */
function parsed<T>({ setting }: PemFile, content: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new CoreSettingFault(setting, `must be a PEM file with ${content}`);
  }
}
