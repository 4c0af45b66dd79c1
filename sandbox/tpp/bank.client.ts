import { readFile } from 'node:fs/promises';
import { SignJWT, importJWK } from 'jose';
import type { CryptoKey } from 'jose';
import * as oidc from 'openid-client';
import { Agent, fetch as undiciFetch } from 'undici';
import { FaultyStart } from '../faulty-start.js';
import { type SandboxPki, readJwk } from '../pki/kept-pki.js';

/** Where the bank is, and where it sends customers back to. */
export interface BankPlace {
  /** The authorization server's issuer URL. */
  readonly issuer: string;
  /** The TPPs' listener, with mutual TLS, where the accounts are. */
  readonly tppUrl: string;
  readonly redirectUri: string;
}

/** ... and as what it knows us. */
export interface BankSettings extends BankPlace {
  readonly clientId: string;
}

/** What has to be remembered between sending a customer to the bank and their coming back. */
export interface Departure {
  readonly consentId: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The access that a customer gave. */
export interface Access {
  readonly consentId: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAtMs: number;
  /** When the customer authenticated at the bank. */
  readonly authenticatedAtMs: number;
}

/** One request to the bank's API and its answer, as they went over the line; of tokens, the beginning only. */
export interface Exchange {
  readonly request: {
    readonly line: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** The answer's JSON; `undefined` where there is none. */
  readonly json: unknown;
}

export interface ConsentWish {
  readonly permissions: readonly string[];
  /** ISO 8601; absent: until the customer withdraws it. */
  readonly expires?: string;
  /** ISO 8601, of the oldest transactions; absent: all that there are. */
  readonly from?: string;
}

/** The standard's name of strong customer authentication. */
const strongAuthentication = 'urn:openbanking:psd2:sca';
const apiPath = '/open-banking/v3.1/aisp';

/** The bank did something that the standard does not say. */
export class NotAsTheStandardSays extends Error {
  override readonly name = 'NotAsTheStandardSays';
}

/** The bank does not want us as a TPP. */
export class NotRegistered extends Error {
  override readonly name = 'NotRegistered';
}

/**
 * A TPP's side of the standard: FAPI 1.0 Advanced with pushed, signed request objects and signed responses (JARM),
 * `private_key_jwt`, and everything over mutual TLS with the TPP's own certificate.
 */
export class BankClient {
  private constructor(
    private readonly settings: BankSettings,
    private readonly config: oidc.Configuration,
    private readonly signer: { readonly key: CryptoKey; readonly kid?: string },
    private readonly agent: Agent,
  ) {}

  /** Finds the authorization server. A {@link FaultyStart} where it cannot be reached. */
  static async open(settings: BankSettings, pki: SandboxPki): Promise<BankClient> {
    const [ca, cert, key] = await Promise.all(
      [pki.authorityFile, pki.tpp.certificateFile, pki.tpp.keyFile].map((file) => readFile(file)),
    );
    const agent = new Agent({ connect: { ca, cert, key } });
    const jwk = await readJwk(pki.tppSigningKeyFile);
    const signer = { key: (await importJWK(jwk, 'PS256')) as CryptoKey, kid: jwk.kid };
    const config = await oidc
      .discovery(
        new URL(settings.issuer),
        settings.clientId,
        {
          id_token_signed_response_alg: 'PS256',
          authorization_signed_response_alg: 'PS256',
          use_mtls_endpoint_aliases: true,
        },
        oidc.PrivateKeyJwt(signer),
        {
          [oidc.customFetch]: (url, options) => over(agent, url, options as RequestInit),
          execute: [
            oidc.useJwtResponseMode,
            // The sandbox's pages for browsers are plain HTTP on this machine: no browser knows the sandbox's authority.
            // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated by the library to make it stand out
            ...(settings.issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
          ],
        },
      )
      .catch(async (error: unknown) => {
        await agent.close();
        throw new FaultyStart(
          `the authorization server cannot be found at ${settings.issuer} (${reasonOf(error)}): start the stack with npm start, without AUTHORISATION_SERVER=none`,
        );
      });
    return new BankClient(settings, config, signer, agent);
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  /** Whether the bank still knows us. */
  async isKnown(): Promise<boolean> {
    try {
      await this.clientToken();
      return true;
    } catch (error) {
      if (oauthErrorOf(error) === 'invalid_client') return false;
      throw error;
    }
  }

  /**
   * Registers us by a software statement, or, where the bank knows us, changes what is registered: Open Banking Dynamic
   * Client Registration 3.3.
   * @returns the client id
   */
  async register(
    software: { readonly id: string; readonly statement: string },
    method: 'POST' | 'PUT',
    nowMs: number,
  ): Promise<string> {
    const { issuer, registration_endpoint: endpoint } = this.config.serverMetadata();
    if (endpoint === undefined) throw new FaultyStart('the bank lets no TPP register itself: set its DIRECTORY_ISSUER');
    const nowSeconds = Math.floor(nowMs / 1000);
    const request = await new SignJWT({
      redirect_uris: [this.settings.redirectUri],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'PS256',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code'],
      application_type: 'web',
      id_token_signed_response_alg: 'PS256',
      request_object_signing_alg: 'PS256',
      scope: 'openid accounts',
      software_id: software.id,
      software_statement: software.statement,
    })
      .setProtectedHeader({ alg: 'PS256', typ: 'JWT', kid: this.signer.kid })
      .setIssuer(software.id)
      .setAudience(issuer)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + 300)
      .setJti(crypto.randomUUID())
      .sign(this.signer.key);
    const known = method === 'PUT';
    const answer = await over(this.agent, known ? `${endpoint}/${this.settings.clientId}` : endpoint, {
      method,
      headers: {
        'content-type': 'application/jose',
        accept: 'application/json',
        ...(known && { authorization: `Bearer ${await this.clientToken()}` }),
      },
      body: request,
    });
    const json = parsed(await answer.text());
    const clientId = textAt(json, 'client_id');
    if (answer.ok && clientId !== undefined) return clientId;
    const reason = textAt(json, 'error_description') ?? textAt(json, 'error') ?? 'without a reason';
    throw new NotRegistered(`the bank does not register us: ${answer.status}, ${reason}`);
  }

  /** Creates a consent, which the customer has yet to authorise. */
  async createConsent(wish: ConsentWish): Promise<{ consentId: string; exchange: Exchange }> {
    const { permissions, expires, from } = wish;
    const body = {
      Data: {
        Permissions: permissions,
        ...(expires !== undefined && { ExpirationDateTime: expires }),
        ...(from !== undefined && { TransactionFromDateTime: from }),
      },
      Risk: {},
    };
    const exchange = await this.send('POST', '/account-access-consents', await this.clientToken(), body);
    const consentId = textAt(exchange.json, 'Data', 'ConsentId');
    if (exchange.response.status !== 201 || consentId === undefined)
      throw new NotAsTheStandardSays(`creating a consent was answered ${exchange.response.status}`);
    return { consentId, exchange };
  }

  /** Ends the customer's access: our customer does not want it any more. */
  async deleteConsent(consentId: string): Promise<Exchange> {
    return this.send('DELETE', `/account-access-consents/${encodeURIComponent(consentId)}`, await this.clientToken());
  }

  /** Where to send the customer, for the first time or again, to authenticate for the consent. */
  async departure(consentId: string): Promise<{ url: URL; departure: Departure }> {
    const departure: Departure = {
      consentId,
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
    const signed = await oidc.buildAuthorizationUrlWithJAR(
      this.config,
      {
        redirect_uri: this.settings.redirectUri,
        scope: 'openid accounts',
        state: departure.state,
        nonce: departure.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(departure.codeVerifier),
        code_challenge_method: 'S256',
        claims: JSON.stringify({
          id_token: {
            openbanking_intent_id: { value: consentId, essential: true },
            acr: { value: strongAuthentication, essential: true },
          },
        }),
      },
      this.signer,
    );
    return { url: await oidc.buildAuthorizationUrlWithPAR(this.config, signed.searchParams), departure };
  }

  /**
   * The customer came back: what they gave. Throws openid-client's own errors where the bank sent them back without, or
   * sent something that is not in order.
   */
  async arrival(url: URL, { consentId, state, nonce, codeVerifier }: Departure, nowMs: number): Promise<Access> {
    const tokens = await oidc.authorizationCodeGrant(this.config, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims?.openbanking_intent_id !== consentId)
      throw new NotAsTheStandardSays('the id token is of another consent than the one that was asked for');
    if (claims.acr !== strongAuthentication)
      throw new NotAsTheStandardSays('the id token does not say that the customer was strongly authenticated');
    if (typeof claims.auth_time !== 'number')
      throw new NotAsTheStandardSays('the id token does not say when the customer authenticated');
    return { ...accessIn(tokens, consentId, nowMs), authenticatedAtMs: claims.auth_time * 1000 };
  }

  /** A new access token; the window that the authentication opened stays as it was. */
  async refresh(access: Access, nowMs: number): Promise<Access> {
    if (access.refreshToken === undefined) throw new NotAsTheStandardSays('the bank gave no refresh token');
    const tokens = await oidc.refreshTokenGrant(this.config, access.refreshToken);
    return { ...access, ...accessIn(tokens, access.consentId, nowMs, access.refreshToken) };
  }

  /** Reads a path of the API, query and all. */
  read(path: string, access: Access): Promise<Exchange> {
    return this.send('GET', path, access.accessToken);
  }

  private async clientToken(): Promise<string> {
    return (await oidc.clientCredentialsGrant(this.config, { scope: 'accounts' })).access_token;
  }

  private async send(method: string, path: string, token: string, body?: unknown): Promise<Exchange> {
    const url = `${this.settings.tppUrl}${apiPath}${path}`;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      accept: 'application/json',
      'x-fapi-interaction-id': crypto.randomUUID(),
      ...(text !== undefined && { 'content-type': 'application/json' }),
    };
    const answer = await over(this.agent, url, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(text !== undefined && { body: text }),
    });
    const received = await answer.text();
    return {
      request: {
        line: `${method} ${url}`,
        headers: { ...headers, authorization: `Bearer ${token.slice(0, 12)}…` },
        ...(text !== undefined && { body: text }),
      },
      response: { status: answer.status, headers: Object.fromEntries(answer.headers), body: received },
      json: parsed(received),
    };
  }
}

/** Node's own fetch does not take another undici's agent: this is undici's. */
function over(agent: Agent, url: string, options: RequestInit): Promise<Response> {
  return undiciFetch(url, { ...options, dispatcher: agent } as Parameters<typeof undiciFetch>[1]);
}

function accessIn(
  tokens: oidc.TokenEndpointResponse,
  consentId: string,
  nowMs: number,
  refreshToken = tokens.refresh_token,
): Omit<Access, 'authenticatedAtMs'> {
  return {
    consentId,
    accessToken: tokens.access_token,
    ...(refreshToken !== undefined && { refreshToken }),
    expiresAtMs: nowMs + (tokens.expires_in ?? 0) * 1000,
  };
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    value,
  );
  return typeof found === 'string' ? found : undefined;
}

/** The records of an answer, by the name that the standard gives their list. */
export function listIn(json: unknown, name: string): readonly unknown[] {
  const list = ((json as { Data?: unknown } | undefined)?.Data as Record<string, unknown> | undefined)?.[name];
  return Array.isArray(list) ? list : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What went wrong between us and the bank, in a sentence; `undefined` for an error that is not of that kind. */
export function faultOfBank(error: unknown): string | undefined {
  if (error instanceof NotAsTheStandardSays || error instanceof NotRegistered || error instanceof FaultyStart)
    return error.message;
  if (error instanceof oidc.AuthorizationResponseError)
    return `the bank sent the customer back with ${oauthError(error)}`;
  if (error instanceof oidc.ResponseBodyError) return `the bank answered ${error.status} ${oauthError(error)}`;
  if (error instanceof oidc.ClientError) return `what the bank sent is not in order: ${reasonOf(error)}`;
  if (error instanceof TypeError && error.cause !== undefined) return `the bank cannot be reached (${reasonOf(error)})`;
  return undefined;
}

/** The OAuth error code of a refusal. */
function oauthErrorOf(error: unknown): string | undefined {
  return error instanceof oidc.ResponseBodyError ? error.error : undefined;
}

function oauthError({
  error,
  error_description: description,
}: oidc.ResponseBodyError | oidc.AuthorizationResponseError) {
  return description === undefined ? error : `${error}: ${description}`;
}

/** The innermost reason, which for a connection that failed is the one that says something. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Partial<Error>;
  return cause instanceof Error ? reasonOf(cause) : (message ?? String(error));
}
