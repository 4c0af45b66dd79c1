import { createHash, randomUUID } from 'node:crypto';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import * as oidc from 'openid-client';
import { Agent, fetch, type RequestInit } from 'undici';
import type { Certified } from '../support/certificates.js';
import type { Clock } from '../../src/clock/clock.js';
import { Browser } from '../authorisation/browser.js';
import { base } from '../support/stack.js';

/** The faults that a test puts into a proof (RFC 9449). */
export interface ProofChanges {
  readonly claims?: JWTPayload;
  readonly header?: Partial<JWTHeaderParameters>;
  readonly key?: ProofKey;
}

export interface ProofKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
  readonly thumbprint: string;
}

export async function proofKey(alg = 'ES256'): Promise<ProofKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, publicKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: unknown;
}

export interface ServerUrls {
  /** The address of the gateway, and the host name in its URLs. */
  readonly gateway: string;
  readonly baseUrl: string;
  readonly issuer: string;
  readonly clock: Clock;
}

/** A TPP with its own certificate, which uses `openid-client` and real mutual TLS for every step. */
export class Tpp {
  private readonly agent: Agent;
  /** For requests with a different host name, which the server's certificate does not have. */
  private readonly liar: Agent;
  private configuration: oidc.Configuration | undefined;

  private constructor(
    readonly clientId: string,
    private readonly places: ServerUrls,
    certified: Certified,
    private readonly ca: string,
    readonly key: ProofKey,
    private readonly binding: 'mtls' | 'dpop' | 'none',
  ) {
    const credentials = { cert: certified.certificatePem, key: certified.keyPem, ca };
    this.agent = new Agent({ connect: credentials });
    this.liar = new Agent({ connect: { ...credentials, checkServerIdentity: () => undefined } });
  }

  static async make(
    clientId: string,
    places: ServerUrls,
    certified: Certified,
    ca: string,
    binding: 'mtls' | 'dpop' | 'none' = 'mtls',
  ): Promise<Tpp> {
    return new Tpp(clientId, places, certified, ca, await proofKey(), binding);
  }

  async close(): Promise<void> {
    await Promise.all([this.agent.destroy(), this.liar.destroy()]);
  }

  /** The TPP's client-credentials token, with which it creates consents. */
  async ownToken(): Promise<string> {
    const grant = await oidc.clientCredentialsGrant(await this.config(), { scope: 'accounts' }, await this.dpop());
    return grant.access_token;
  }

  async createConsent(permissions: readonly string[]): Promise<string> {
    const payload = { Data: { Permissions: permissions }, Risk: {} };
    const answer = await this.ask('POST', '/account-access-consents', await this.ownToken(), { payload });
    if (answer.status !== 201) throw new Error(`no consent: ${answer.status} ${JSON.stringify(answer.json)}`);
    return (answer.json as { Data: { ConsentId: string } }).Data.ConsentId;
  }

  /** Sends the customer to the bank and back, in a browser without cookies of earlier visits. */
  async authorise(consentId: string, loginHint: string): Promise<{ accessToken: string; refreshToken: string }> {
    const config = await this.config();
    const verifier = oidc.randomPKCECodeVerifier();
    const start = oidc.buildAuthorizationUrl(config, {
      redirect_uri: 'https://tpp.example/callback',
      scope: 'openid accounts',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: 'state',
      login_hint: loginHint,
      consent: consentId,
    });
    const browser = new Browser(new URL(this.places.issuer).origin, this.ca);
    const { url: back } = await browser.open(start);
    await browser.close();
    const tokens = await oidc.authorizationCodeGrant(
      config,
      back,
      { pkceCodeVerifier: verifier, expectedState: 'state' },
      undefined,
      await this.dpop(),
    );
    return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? '' };
  }

  async refresh(refreshToken: string): Promise<string> {
    return (await oidc.refreshTokenGrant(await this.config(), refreshToken, undefined, await this.dpop())).access_token;
  }

  async revoke(token: string): Promise<void> {
    await oidc.tokenRevocation(await this.config(), token);
  }

  /** Asks the gateway. A token that is bound to a key comes with a proof, by default a valid one. */
  async ask(
    method: string,
    path: string,
    token: string,
    options: { payload?: object; scheme?: string; proof?: string | string[] | undefined; host?: string } = {},
  ): Promise<ApiAnswer> {
    const dpop = this.binding === 'dpop';
    const proof = 'proof' in options ? options.proof : dpop ? await this.proof(method, path, token) : undefined;
    const answer = await (options.host === undefined ? this.agent : this.liar).request({
      origin: this.places.gateway,
      path: base + path,
      method: method,
      headers: {
        authorization: `${options.scheme ?? (dpop ? 'DPoP' : 'Bearer')} ${token}`,
        ...(proof !== undefined && { dpop: proof }),
        ...(options.host !== undefined && { host: options.host }),
        ...(options.payload && { 'content-type': 'application/json' }),
      },
      body: options.payload === undefined ? null : JSON.stringify(options.payload),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, json: text === '' ? undefined : JSON.parse(text) };
  }

  /** A proof for a request to the gateway, right in all that the test does not change. */
  proof(method: string, path: string, token: string, { key = this.key, ...changes }: ProofChanges = {}) {
    const claims = {
      htm: method,
      htu: `${this.places.baseUrl}${base}${path}`,
      ath: createHash('sha256').update(token).digest('base64url'),
      jti: randomUUID(),
      iat: Math.floor(this.places.clock.nowMs() / 1_000),
    };
    return new SignJWT({ ...claims, ...changes.claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk, ...changes.header })
      .sign(key.privateKey);
  }

  private async config(): Promise<oidc.Configuration> {
    if (this.configuration !== undefined) return this.configuration;
    const withCertificate: oidc.CustomFetch = async (url, options) =>
      await fetch(url, { ...(options as RequestInit), dispatcher: this.agent });
    const config = await oidc.discovery(
      new URL(this.places.issuer),
      this.clientId,
      { id_token_signed_response_alg: 'PS256' },
      oidc.TlsClientAuth(),
      { [oidc.customFetch]: withCertificate },
    );
    this.configuration = config;
    return config;
  }

  private async dpop(): Promise<{ DPoP?: oidc.DPoPHandle }> {
    if (this.binding !== 'dpop') return {};
    const { privateKey, publicKey } = this.key;
    return { DPoP: oidc.getDPoPHandle(await this.config(), { privateKey, publicKey }) };
  }
}
