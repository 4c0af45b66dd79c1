import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { importPKCS8 } from 'jose';
import * as client from 'openid-client';
import {
  SignOnSettingFault,
  type CustomerAuthenticationSettings,
  type SignOnHttpTerms,
} from '../../../../packages/customer-authentication/published-port.js';

/** The settings that only this adapter needs: docs/operate/settings.md lists them. */
export const oidcVariables = {
  CUSTOMER_AUTHENTICATION_CLIENT_ID: 'Client id of the gateway at the OpenID provider.',
  CUSTOMER_AUTHENTICATION_KEY_FILE: 'Private key (PKCS #8 PEM) by which the gateway proves itself there.',
  CUSTOMER_AUTHENTICATION_KEY_ID: 'Id of that key.',
  CUSTOMER_AUTHENTICATION_METADATA_FILE: 'Metadata of a provider without discovery, as a JSON file.',
  CUSTOMER_AUTHENTICATION_TLS_CERT_FILE: 'Certificate (PEM) of the gateway for mutual TLS.',
  CUSTOMER_AUTHENTICATION_TLS_KEY_FILE: 'Key (PEM) of that certificate.',
  CUSTOMER_AUTHENTICATION_CA_FILE: 'Authorities (PEM) of the provider’s certificate, where Node does not know them.',
  CUSTOMER_AUTHENTICATION_SCOPE: 'Scope of the request, by default `openid profile`.',
  CUSTOMER_AUTHENTICATION_CUSTOMER_CLAIM: 'Claim with the core’s reference of the customer, by default `sub`.',
  CUSTOMER_AUTHENTICATION_NAME_CLAIM: 'Claim with the customer’s name, by default `name`.',
} as const;

/** The settings of the bank's OpenID provider. */
export interface OidcSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientAuth: client.ClientAuth;
  readonly scope: string;
  /** The claim that is the core's reference of the customer. */
  readonly customerClaim: string;
  readonly nameClaim: string;
  /** The provider's metadata, where they are not discovered. */
  readonly metadata?: client.ServerMetadata;
  readonly terms: SignOnHttpTerms;
}

type Variables = Readonly<Record<string, string>>;
const prefix = 'CUSTOMER_AUTHENTICATION_';

/** @throws SignOnSettingFault */
export async function readOidcSettings({ url, variables }: CustomerAuthenticationSettings): Promise<OidcSettings> {
  const clientId = variables[`${prefix}CLIENT_ID`];
  if (clientId === undefined)
    throw new SignOnSettingFault(`${prefix}CLIENT_ID`, 'must be set: the gateway’s client id at the OpenID provider');
  const metadata = fileOf(variables, 'METADATA_FILE');
  const terms = readTerms(variables);
  return {
    issuer: new URL(url),
    clientId,
    clientAuth: await readClientAuth(variables, terms.cert !== undefined),
    scope: readScope(variables),
    customerClaim: variables[`${prefix}CUSTOMER_CLAIM`] ?? 'sub',
    nameClaim: variables[`${prefix}NAME_CLAIM`] ?? 'name',
    ...(metadata !== undefined && { metadata: readMetadata(metadata) }),
    terms,
  };
}

function readScope(variables: Variables): string {
  const scope = variables[`${prefix}SCOPE`] ?? 'openid profile';
  if (scope.split(' ').includes('openid')) return scope;
  throw new SignOnSettingFault(`${prefix}SCOPE`, 'must have the word openid');
}

/** A signed assertion, where there is a key for it; otherwise a secret; otherwise the certificate of the connection. */
async function readClientAuth(variables: Variables, hasCertificate: boolean): Promise<client.ClientAuth> {
  const key = fileOf(variables, 'KEY_FILE');
  if (key !== undefined) return client.PrivateKeyJwt(await privateKeyOf(key, variables[`${prefix}KEY_ID`]));
  const secret = variables[`${prefix}CREDENTIAL`];
  if (secret !== undefined) return client.ClientSecretBasic(secret);
  if (hasCertificate) return client.TlsClientAuth();
  throw new SignOnSettingFault(
    `${prefix}KEY_FILE`,
    `must name the private key by which the gateway proves itself to the OpenID provider, or set ${prefix}CREDENTIAL or ${prefix}TLS_CERT_FILE`,
  );
}

/** PS256 for an RSA key, and ES256 for one on the curve P-256: the algorithms of FAPI. */
async function privateKeyOf(pem: string, kid: string | undefined): Promise<client.PrivateKey> {
  try {
    const { asymmetricKeyType: type } = createPrivateKey(pem);
    const key = await importPKCS8(pem, type === 'rsa' ? 'PS256' : 'ES256');
    return { key, ...(kid !== undefined && { kid }) };
  } catch {
    // The library's message may quote the key.
    throw new SignOnSettingFault(
      `${prefix}KEY_FILE`,
      'must be a PKCS #8 PEM of an RSA key or of one on the curve P-256',
    );
  }
}

function readTerms(variables: Variables): SignOnHttpTerms {
  const [ca, cert, key] = ['CA_FILE', 'TLS_CERT_FILE', 'TLS_KEY_FILE'].map((name) => fileOf(variables, name));
  if ((cert === undefined) !== (key === undefined))
    throw new SignOnSettingFault(`${prefix}TLS_CERT_FILE`, `and ${prefix}TLS_KEY_FILE must be set together`);
  return { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
}

function readMetadata(text: string): client.ServerMetadata {
  const setting = `${prefix}METADATA_FILE`;
  const metadata = parsed(text, setting);
  for (const name of ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'])
    if (typeof metadata[name] !== 'string')
      throw new SignOnSettingFault(setting, `must have ${name}, as the provider’s discovery document has`);
  return metadata as client.ServerMetadata;
}

function parsed(text: string, setting: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new SignOnSettingFault(setting, 'must be a file of JSON');
  }
}

function fileOf(variables: Variables, name: string): string | undefined {
  const path = variables[prefix + name];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new SignOnSettingFault(prefix + name, 'must name a readable file');
  }
}
