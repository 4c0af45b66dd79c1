import { clientLimits } from './rate-limits.js';
import { defaultSignIn, type AuthorisationServerConfig, type DirectoryConfig } from './config.js';
import type { Environment } from './environment.dto.js';
import { allOrNone, sayHowToMake, type Setting } from './all-or-none.js';

/** Whether the bank has no authorization server, so that the gateway embeds one. */
export function isEmbedded({
  AUTHORISATION_SERVER: chosen,
  ISSUERS_FILE,
  TOKEN_ISSUER,
  TOKEN_AUDIENCE,
  TOKEN_JWKS,
}: Environment): boolean {
  if (chosen !== undefined) return chosen === 'embedded';
  return [ISSUERS_FILE, TOKEN_ISSUER, TOKEN_AUDIENCE, TOKEN_JWKS].every((value) => value === undefined);
}

const neededToEmbed = [
  'KEY_ENCRYPTION_KEY',
  'MTLS_CERT_FILE',
  'MTLS_KEY_FILE',
  'MTLS_CLIENT_CA_FILE',
  'CUSTOMER_AUTHENTICATION_URL',
] as const satisfies readonly Setting[];

/**
 * Adds a line to `faults` for each missing setting. The result is then unusable.
 * @param behindProxy the settings name a proxy that passes the TPP's certificate on, so that it may end TLS here too
 */
export function readAuthorisationServer(
  environment: Environment,
  behindProxy: boolean,
  faults: string[],
): AuthorisationServerConfig {
  const { MTLS_CERT_FILE: certFile, MTLS_KEY_FILE: keyFile } = environment;
  const proxyEndsTls = behindProxy && certFile === undefined && keyFile === undefined;
  const browser = browserListener(environment, faults);
  refuseMissing(environment, proxyEndsTls, faults);
  const directory = readDirectory(environment, faults);
  return {
    browser,
    tpp: tppListener(environment, proxyEndsTls, faults),
    keyEncryptionKey: Buffer.from(environment.KEY_ENCRYPTION_KEY ?? '', 'hex'),
    acrValues: environment.CUSTOMER_AUTHENTICATION_ACR.split(' ').filter((value) => value !== ''),
    signIn: { ...defaultSignIn, proxies: environment.SIGN_IN_PROXIES ?? [] },
    limits: clientLimits(environment.TPP_REQUESTS_PER_SECOND),
    ...(environment.BRAND_FILE !== undefined && { brandFile: environment.BRAND_FILE }),
    ...(environment.TPPS_FILE !== undefined && { tppsFile: environment.TPPS_FILE }),
    ...(directory && { directory }),
  };
}

function refuseMissing(environment: Environment, proxyEndsTls: boolean, faults: string[]): void {
  const missing = neededToEmbed.filter(
    (name) => environment[name] === undefined && !(proxyEndsTls && ['MTLS_CERT_FILE', 'MTLS_KEY_FILE'].includes(name)),
  );
  if (missing.length > 0)
    faults.push(
      `the embedded authorization server lacks ${missing.join(', ')}: set them or, where the bank has an authorization server, ISSUERS_FILE`,
    );
  sayHowToMake(missing, faults);
}

function browserListener(environment: Environment, faults: string[]): AuthorisationServerConfig['browser'] {
  const { HOST: host, BROWSER_PORT: port } = environment;
  const files = allOrNone(environment, ['BROWSER_TLS_CERT_FILE', 'BROWSER_TLS_KEY_FILE'], faults);
  const tls = files && { certFile: files[0], keyFile: files[1] };
  const given = environment.BROWSER_URL ?? `${tls ? 'https' : 'http'}://localhost:${port}`;
  const url = originOf('BROWSER_URL', given, tls ? ['https:'] : ['http:', 'https:'], faults);
  return { host, port, url, ...(tls && { tls }) };
}

function tppListener(
  environment: Environment,
  proxyEndsTls: boolean,
  faults: string[],
): AuthorisationServerConfig['tpp'] {
  const { HOST: host, MTLS_PORT: port, MTLS_CLIENT_CA_FILE: clientCaFile = '' } = environment;
  const {
    MTLS_CERT_FILE: certFile = '',
    MTLS_KEY_FILE: keyFile = '',
    MTLS_CLIENT_CRL_FILE: clientCrlFile,
  } = environment;
  const url = originOf('MTLS_URL', environment.MTLS_URL ?? `https://localhost:${port}`, ['https:'], faults);
  if (proxyEndsTls && clientCrlFile !== undefined)
    faults.push('MTLS_CLIENT_CRL_FILE needs MTLS_CERT_FILE: a proxy that ends TLS checks revocation itself');
  const tls = { certFile, keyFile, clientCaFile, ...(clientCrlFile && { clientCrlFile }) };
  return { host, port, url, ...(proxyEndsTls ? { clientCaFile } : { tls }) };
}

function originOf(setting: Setting, given: string, protocols: readonly string[], faults: string[]): string {
  // An invalid URL already has its own fault.
  if (!URL.canParse(given)) return '';
  const { protocol, origin, pathname, search } = new URL(given);
  if (!protocols.includes(protocol) || pathname !== '/' || search !== '')
    faults.push(`${setting} must be ${protocols.join(' or ')}//host:port, without a path`);
  return origin;
}

function readDirectory(environment: Environment, faults: string[]): DirectoryConfig | undefined {
  const given = allOrNone(environment, ['DIRECTORY_ISSUER', 'DIRECTORY_JWKS'], faults);
  const { DIRECTORY_STATEMENTS: statements, DIRECTORY_CA_FILE: caFile, DIRECTORY_BANK_ID: bankId } = environment;
  if (given === undefined) {
    if ((statements ?? caFile ?? bankId) !== undefined)
      faults.push(
        'DIRECTORY_STATEMENTS, DIRECTORY_CA_FILE and DIRECTORY_BANK_ID need DIRECTORY_ISSUER and DIRECTORY_JWKS',
      );
    return undefined;
  }
  return {
    issuer: given[0],
    jwks: given[1],
    ...(statements !== undefined && { statements }),
    ...(caFile !== undefined && { caFile }),
    ...(bankId !== undefined && { bankId }),
  };
}
