import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import * as oidc from 'openid-client';
import { fetch, type Agent, type buildConnector, type RequestInit } from 'undici';
import type { Tpp as Registered } from '../../src/authorisation-server/tpps/tpp.store.js';
import type { Certified } from '../support/certificates.js';
import { base } from '../support/stack.js';
import { routedAgent, type Ports } from './routed-agent.js';
import { realNowMs } from '../support/real-time.js';
import { unsigned } from '../support/token-forge.js';

export interface ServerUrls {
  readonly issuer: string;
  readonly tppUrl: string;
  readonly ca: string;
  /** The clock of the gateway and of TPPs; the machine's unless said. */
  readonly nowMs?: () => number;
}

export interface TppOptions {
  /** Registered in addition to, or in place of, the members of {@link TestTpp.registration}. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly clientAuth?: 'private_key_jwt' | 'tls_client_auth' | 'self_signed_tls_client_auth';
  /** The algorithm of all signatures, by it and for it; PS256 by default. */
  readonly algorithm?: 'PS256' | 'ES256';
  /** The key to which its tokens are bound (RFC 9449). */
  readonly proofKey?: KeyPair;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the assertion itself checks it.
  readonly json: any;
}

export const redirectUri = 'https://tpp.example/callback';
export const strongAuthentication = 'urn:openbanking:psd2:sca';

/** A TPP keeps it from a request until the answer comes. */
export interface StartedRequest {
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

const keyPairs = new Map<string, Promise<KeyPair>>();

/** A TPP keeps its keys from setting to setting: making them takes longer than registering it. */
function signingKeys(clientId: string, alg: string): Promise<KeyPair> {
  const name = `${clientId} ${alg}`;
  const known = keyPairs.get(name) ?? generateKeyPair(alg, { extractable: true });
  keyPairs.set(name, known);
  return known;
}

/** A TPP that does all by `openid-client`, with its own certificate on real mutual TLS. */
export class TestTpp {
  /** The codes and the tokens that it received. */
  readonly secrets: string[] = [];
  private readonly agents: Agent[] = [];
  readonly fetch: oidc.CustomFetch;

  private constructor(
    readonly clientId: string,
    readonly places: ServerUrls,
    readonly certified: Certified,
    readonly privateKey: CryptoKey,
    readonly publicJwk: JWK,
    private readonly options: TppOptions,
  ) {
    this.fetch = this.fetchWith(certified);
  }

  static async make(
    clientId: string,
    places: ServerUrls,
    certified: Certified,
    options: TppOptions = {},
  ): Promise<TestTpp> {
    const { algorithm: alg = 'PS256' } = options;
    const keys = await signingKeys(clientId, alg);
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: `${clientId}-key`, alg, use: 'sig' };
    return new TestTpp(clientId, places, certified, keys.privateKey, jwk, options);
  }

  get registration(): Registered {
    const { clientAuth: method } = this;
    const { algorithm } = this.options;
    const x5c = this.certified.certificate.raw.toString('base64');
    const certificateJwk = { ...this.certified.certificate.publicKey.export({ format: 'jwk' }), x5c: [x5c] };
    return {
      clientId: this.clientId,
      name: `The ${this.clientId} app`,
      status: 'registered',
      metadata: {
        client_id: this.clientId,
        redirect_uris: [redirectUri],
        response_types: ['code id_token', 'code'],
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
        token_endpoint_auth_method: method,
        ...(method === 'private_key_jwt' && { token_endpoint_auth_signing_alg: algorithm ?? 'PS256' }),
        ...(method === 'tls_client_auth' && { tls_client_auth_subject_dn: `CN=${this.clientId}` }),
        require_signed_request_object: true,
        request_object_signing_alg: algorithm ?? 'PS256',
        ...(algorithm && { id_token_signed_response_alg: algorithm, authorization_signed_response_alg: algorithm }),
        jwks: { keys: [this.publicJwk, ...(method === 'self_signed_tls_client_auth' ? [certificateJwk] : [])] },
        ...this.options.metadata,
      } as never,
    };
  }

  /** The same TPP, under the name that an authorization server has issued to it. */
  as(clientId: string): TestTpp {
    return new TestTpp(clientId, this.places, this.certified, this.privateKey, this.publicJwk, this.options);
  }

  private get clientAuth() {
    return this.options.clientAuth ?? 'private_key_jwt';
  }

  get keyId(): string {
    return this.publicJwk.kid ?? '';
  }

  async close(): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.destroy()));
  }

  /** Connects with this certificate; `undefined` shows none. */
  agentWith(certified: Certified | undefined, ports?: Ports, options: buildConnector.BuildOptions = {}): Agent {
    const credentials = certified && { cert: certified.certificatePem, key: certified.keyPem };
    const agent = routedAgent({ ca: this.places.ca, ...credentials, ...options }, ports);
    this.agents.push(agent);
    return agent;
  }

  /** Sends everything by an agent with these. */
  fetchWith(...given: Parameters<TestTpp['agentWith']>): oidc.CustomFetch {
    const agent = this.agentWith(...given);
    return async (url, options) => await fetch(url, { ...(options as RequestInit), dispatcher: agent });
  }

  async config(customFetch: oidc.CustomFetch = this.fetch): Promise<oidc.Configuration> {
    const { algorithm = 'PS256' } = this.options;
    const auth =
      this.clientAuth === 'private_key_jwt'
        ? oidc.PrivateKeyJwt(
            { key: this.privateKey, kid: this.keyId },
            { [oidc.modifyAssertion]: (_header, payload) => void Object.assign(payload, this.times('assertion')) },
          )
        : oidc.TlsClientAuth();
    return oidc.discovery(
      new URL(this.places.issuer),
      this.clientId,
      { id_token_signed_response_alg: algorithm, authorization_signed_response_alg: algorithm },
      auth,
      { [oidc.customFetch]: customFetch },
    );
  }

  /** The option of its token requests that binds the tokens to its key. */
  binding(config: oidc.Configuration): oidc.DPoPOptions | undefined {
    return this.options.proofKey && { DPoP: oidc.getDPoPHandle(config, this.options.proofKey) };
  }

  async ownToken(scope = 'accounts'): Promise<string> {
    const config = await this.config();
    return (await oidc.clientCredentialsGrant(config, { scope }, this.binding(config))).access_token;
  }

  async createConsent(permissions: readonly string[], data: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const answer = await this.ask('/account-access-consents', await this.ownToken(), {
      method: 'POST',
      payload: { Data: { Permissions: permissions, ...data }, Risk: {} },
    });
    if (answer.status !== 201) throw new Error(`no consent: ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer.json.Data.ConsentId as string;
  }

  /** The parameters of every authorization request. */
  parameters(consentId: string) {
    const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    const claims = JSON.stringify(claimsFor(consentId));
    const parameters = { redirect_uri: redirectUri, scope: 'openid accounts', state, nonce, claims };
    return { state, nonce, verifier, parameters };
  }

  /** FAPI 1.0 Advanced: `code id_token`, the request as a signed request object in the browser's address. */
  async begin(consentId: string, more: Readonly<Record<string, string>> = {}): Promise<StartedRequest> {
    const config = await this.config();
    oidc.useCodeIdTokenResponseType(config);
    const { parameters, state, nonce, verifier } = this.parameters(consentId);
    const signer = { key: this.privateKey, kid: this.keyId };
    const url = await oidc.buildAuthorizationUrlWithJAR(config, { ...parameters, ...more }, signer, {
      [oidc.modifyAssertion]: (_header, payload) => void Object.assign(payload, this.times('request object')),
    });
    return { url, state, nonce, verifier };
  }

  /** An authorization request whose signed object a test has changed. */
  async beginWith(object: string): Promise<URL> {
    const { authorization_endpoint: endpoint = '' } = (await this.config()).serverMetadata();
    // Where the redirect URI is right, errors of an object that cannot be trusted go there as well.
    const expected = { scope: 'openid accounts', response_type: 'code id_token', redirect_uri: redirectUri };
    const outer = { ...expected, client_id: this.clientId, request: object };
    return new URL(`${endpoint}?${new URLSearchParams(outer)}`);
  }

  /** A request object, right in all that is not changed; `undefined` removes a claim. */
  async requestObject(
    consentId: string,
    changes: Readonly<Record<string, unknown>> = {},
    header: { readonly alg: string; readonly key?: CryptoKey } = { alg: 'PS256' },
  ): Promise<string> {
    const { parameters } = this.parameters(consentId);
    const payload = {
      ...parameters,
      claims: claimsFor(consentId),
      response_type: 'code id_token',
      client_id: this.clientId,
      iss: this.clientId,
      aud: this.places.issuer,
      ...this.times('request object'),
      ...changes,
    };
    const given = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
    if (header.alg === 'none') return unsigned({ alg: 'none' }, given);
    return new SignJWT(given)
      .setProtectedHeader({ alg: header.alg, kid: this.keyId })
      .sign(header.key ?? this.privateKey);
  }

  /** Exchanges the code of the address to which the customer came back. */
  async finish(
    begun: StartedRequest,
    back: URL,
    customFetch = this.fetch,
  ): Promise<oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers> {
    const config = await this.config(customFetch);
    oidc.useCodeIdTokenResponseType(config);
    oidc.enableDetachedSignatureResponseChecks(config);
    const { state: expectedState, nonce: expectedNonce, verifier } = begun;
    this.secrets.push(
      expectedState,
      expectedNonce,
      verifier,
      new URLSearchParams(back.hash.slice(1)).get('code') ?? '',
    );
    const checks = { expectedState, expectedNonce };
    return this.received(await oidc.authorizationCodeGrant(config, back, checks));
  }

  async refresh(refreshToken: string, customFetch = this.fetch): Promise<oidc.TokenEndpointResponse> {
    return this.received(await oidc.refreshTokenGrant(await this.config(customFetch), refreshToken));
  }

  private received<Tokens extends oidc.TokenEndpointResponse>(tokens: Tokens): Tokens {
    this.secrets.push(tokens.access_token, tokens.refresh_token ?? '');
    return tokens;
  }

  /** Posts to an endpoint of the authorization server, and proves itself by a new assertion or by its certificate. */
  async post(
    endpoint: 'token' | 'par' | 'revoke',
    parameters: Readonly<Record<string, string>>,
    customFetch = this.fetch,
  ): Promise<ApiAnswer> {
    const proof = this.clientAuth === 'private_key_jwt' ? await this.assertion() : { client_id: this.clientId };
    return answerOf(
      await customFetch(`${this.places.tppUrl}/as/${endpoint}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams({ ...proof, ...parameters }).toString(),
      } as never),
    );
  }

  push(parameters: Readonly<Record<string, string>>, customFetch = this.fetch): Promise<ApiAnswer> {
    return this.post('par', { client_id: this.clientId, ...parameters }, customFetch);
  }

  /** The parameters by which it proves itself; with another key than its own they prove nothing. */
  async assertion(key: CryptoKey = this.privateKey): Promise<Record<string, string>> {
    const claims = {
      iss: this.clientId,
      sub: this.clientId,
      aud: this.places.issuer,
      jti: randomUUID(),
      ...this.times('assertion'),
    };
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await new SignJWT(claims)
        .setProtectedHeader({ alg: this.publicJwk.alg ?? '', kid: this.keyId })
        .sign(key),
    };
  }

  async ask(
    path: string,
    token: string,
    options: { method?: string; payload?: object; fetch?: oidc.CustomFetch } = {},
  ): Promise<ApiAnswer> {
    const address = path.startsWith('/open-banking/') ? path : `${base}${path}`;
    const answer = await (options.fetch ?? this.fetch)(`${this.places.tppUrl}${address}`, {
      method: options.method ?? 'GET',
      headers: { authorization: `Bearer ${token}`, ...(options.payload && { 'content-type': 'application/json' }) },
      body: options.payload && JSON.stringify(options.payload),
    } as never);
    return answerOf(answer);
  }

  /**
   * The gateway checks times by the test's clock, and its library by the machine's: these are right for both. Neither a
   * test that moves its clock nor a slow machine on which that clock stands still makes them wrong.
   */
  private times(of: 'assertion' | 'request object'): { iat: number; nbf: number; exp: number } {
    const [bank, machine] = [this.places.nowMs?.() ?? realNowMs(), realNowMs()].map((ms) => Math.floor(ms / 1_000)) as [
      number,
      number,
    ];
    const earlier = Math.min(bank, machine);
    // The library alone checks the end of a request object.
    const end = of === 'assertion' ? Math.min(Math.max(bank, machine) + 60, bank + 300) : machine + 300;
    return { iat: earlier, nbf: earlier, exp: end };
  }
}

async function answerOf(answer: Response): Promise<ApiAnswer> {
  const body = await answer.text();
  return { status: answer.status, headers: answer.headers, json: body === '' ? undefined : JSON.parse(body) };
}

/** The `claims` of the standard's own example. */
export function claimsFor(consentId: string): object {
  const intent = { value: consentId, essential: true };
  return {
    userinfo: { openbanking_intent_id: intent },
    id_token: { openbanking_intent_id: intent, acr: { essential: true, values: [strongAuthentication] } },
  };
}
