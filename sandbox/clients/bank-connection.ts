import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type CryptoKey, importJWK } from 'jose';
import * as oidc from 'openid-client';
import { Agent, fetch as undiciFetch } from 'undici';
import type { ApiScope } from '../../src/open-banking/scopes.js';
import { FaultyStart } from '../faulty-start.js';
import { type SandboxPki, readJwk } from '../pki/kept-pki.js';
import { reasonOf } from './bank-fault.js';
import { type PublishedFacts, publishedFactsPath } from './published-facts.js';

/** Where the bank answers, and where it sends customers back to. */
export interface BankEndpoint {
  /** The authorization server's issuer URL. */
  readonly issuer: string;
  /** The TPPs' listener, with mutual TLS, where the accounts are. */
  readonly tppUrl: string;
  readonly redirectUri: string;
}

/** The TPP authenticates to the authorization server with a signature of its key, or only with its certificate. */
export type ClientAuthentication = 'key' | 'certificate';

/** The bank's addresses, and the client id that it gave this TPP. */
export interface BankSettings extends BankEndpoint {
  readonly clientId: string;
  /** Default: by its key. */
  readonly auth?: ClientAuthentication;
  /** One that this TPP has. Default: `accounts`. */
  readonly scope?: ApiScope;
}

/** The files that a TPP needs: its authority, its certificate and its signing key. */
export type TppKeyFiles = Pick<SandboxPki, 'authorityFile' | 'tpp' | 'tppSigningKeyFile'>;

/** The key with which this TPP signs. */
export interface Signer {
  readonly key: CryptoKey;
  readonly kid?: string;
}

/** The bank as it describes itself, this TPP's key, and the connections over mutual TLS. */
export interface BankConnection {
  readonly config: oidc.Configuration;
  readonly facts: PublishedFacts;
  readonly signer: Signer;
  readonly agent: Agent;
  /** The subject of this TPP's certificate, in the form of RFC 4514. */
  readonly subject: string;
}

/** Finds the authorization server. Throws a {@link FaultyStart} where it cannot be reached. */
export async function openConnection(settings: BankSettings, pki: TppKeyFiles): Promise<BankConnection> {
  const [ca, cert, key] = await Promise.all(
    [pki.authorityFile, pki.tpp.certificateFile, pki.tpp.keyFile].map((file) => readFile(file)),
  );
  const agent = new Agent({ connect: { ca, cert, key } });
  // Node prints the attributes in the order of the encoding, one a line; RFC 4514 has the reverse.
  const subject = new X509Certificate(cert ?? '').subject.split('\n').reverse().join(',');
  const jwk = await readJwk(pki.tppSigningKeyFile);
  const signer = { key: (await importJWK(jwk, 'PS256')) as CryptoKey, kid: jwk.kid };
  try {
    const config = await discover(settings, signer, agent);
    const facts = await fetchOver(agent, settings.tppUrl + publishedFactsPath, {});
    return { config, facts: (await facts.json()) as PublishedFacts, signer, agent, subject };
  } catch (error) {
    await agent.close();
    throw new FaultyStart(
      `the authorization server cannot be found at ${settings.issuer} (${reasonOf(error)}): start the stack with npm start, without AUTHORISATION_SERVER=none`,
    );
  }
}

function discover({ issuer, clientId, auth }: BankSettings, signer: Signer, agent: Agent): Promise<oidc.Configuration> {
  const metadata = {
    id_token_signed_response_alg: 'PS256',
    authorization_signed_response_alg: 'PS256',
    use_mtls_endpoint_aliases: true,
  };
  const authentication = auth === 'certificate' ? oidc.TlsClientAuth() : oidc.PrivateKeyJwt(signer);
  return oidc.discovery(new URL(issuer), clientId, metadata, authentication, {
    [oidc.customFetch]: (url, options) => fetchOver(agent, url, options),
    execute: [
      oidc.useJwtResponseMode,
      // The sandbox's pages for browsers are plain HTTP on this machine: no browser knows the sandbox's authority.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated by the library to make it stand out
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ],
  });
}

/** Node's own fetch refuses an agent of the package undici, so this is undici's fetch. */
export function fetchOver(agent: Agent, url: string, options: RequestInit): Promise<Response> {
  return undiciFetch(url, { ...options, dispatcher: agent } as Parameters<typeof undiciFetch>[1]);
}
