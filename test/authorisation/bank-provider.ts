import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { CertificateAuthority } from '../support/certificates.js';
import { realNowMs } from '../support/real-time.js';
import { strongAuthentication } from './tpp.js';

export interface BankPerson {
  /** The subject at the provider, and the customer of the core. */
  readonly customerRef: string;
  readonly displayName: string;
  /** Where it is always another than the provider's. */
  readonly acr?: string;
}

export interface ProviderTerms {
  readonly redirectUri: string;
  readonly clientSecret?: string;
  /** The gateway's public key, where it proves itself by a signed assertion. */
  readonly clientJwk?: JWK;
  /** The common name in the gateway's certificate, where it proves itself by mutual TLS. */
  readonly clientName?: string;
  readonly pushed?: boolean;
}

/** How the provider answers the next sign-ins. */
interface Behaviour {
  acr: string;
  amr: readonly string[];
  /** How long ago the customer authenticated. */
  authenticatedSecondsAgo: number;
  /** Changes the claims of the ID token, which is then signed again. */
  tamper: ((claims: Record<string, unknown>) => Record<string, unknown>) | undefined;
  /** Signs ID tokens in place of the provider's key. */
  forgery: CryptoKey | undefined;
  /** More claims of each person. */
  claims: Readonly<Record<string, unknown>>;
}

export const providerClientId = 'account-information-gateway';

/** How the gateway proves itself. */
function authenticationOf({ clientSecret = '', clientJwk, clientName }: Partial<ProviderTerms>): object {
  if (clientName !== undefined)
    return { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: `CN=${clientName}` };
  if (clientJwk === undefined)
    return { token_endpoint_auth_method: 'client_secret_basic', client_secret: clientSecret };
  return {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: clientJwk.alg,
    jwks: { keys: [clientJwk] },
  };
}

const socketOf = (ctx: KoaContextWithOIDC): TLSSocket => ctx.req.socket as TLSSocket;
const mTLS: NonNullable<NonNullable<Configuration['features']>['mTLS']> = {
  enabled: true,
  tlsClientAuth: true,
  getCertificate: (ctx) => socketOf(ctx).getPeerX509Certificate?.()?.toString(),
  certificateAuthorized: (ctx) => socketOf(ctx).authorized,
  certificateSubjectMatches: (ctx, _property, expected) => socketOf(ctx).getPeerX509Certificate()?.subject === expected,
};

/** The bank's own sign-on: another OpenID provider, over HTTP or TLS within this machine. */
export class BankProvider {
  readonly behaviour: Behaviour = {
    acr: strongAuthentication,
    amr: ['pwd', 'otp'],
    authenticatedSecondsAgo: 0,
    tamper: undefined,
    forgery: undefined,
    claims: {},
  };
  /** The parameters of each authorization request that came to the sign-in page. */
  readonly requests: Record<string, unknown>[] = [];
  /** How often a pushed request, and a token request, came. */
  readonly asked = { pushed: 0, tokens: 0 };
  private codes: InstanceType<Provider['AuthorizationCode']>[] = [];
  private handler: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(503).end();

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'http' | 'https',
    readonly people: readonly BankPerson[],
    private readonly keys: Awaited<ReturnType<typeof generateKeyPair>>,
  ) {}

  /** @param authority of its certificate, and of those that clients show; absent: over plain HTTP */
  static async start(people: readonly BankPerson[], authority?: CertificateAuthority): Promise<BankProvider> {
    const holder: { made?: BankProvider } = {};
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      holder.made?.handler(request, response);
    const own = authority?.issue('the bank');
    const server =
      own === undefined
        ? createServer(answer)
        : createTlsServer(
            {
              cert: own.certificatePem,
              key: own.keyPem,
              ca: authority?.certificatePem,
              requestCert: true,
              rejectUnauthorized: false,
            },
            answer,
          );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const keys = await generateKeyPair('ES256', { extractable: true });
    return (holder.made = new BankProvider(server, own === undefined ? 'http' : 'https', people, keys));
  }

  get issuer(): string {
    return `${this.scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on it breaks every connection. */
  goAway(): void {
    this.handler = (_, response) => void response.destroy();
  }

  /** Ends the time of every code that it has given. */
  async expireCodes(): Promise<void> {
    for (const code of this.codes.splice(0)) await code.destroy();
  }

  /** The gateway must run before: its address is in the terms. */
  async open({ redirectUri, clientSecret, clientJwk, clientName, pushed = true }: ProviderTerms): Promise<void> {
    const { keys } = this;
    const jwk = { ...(await exportJWK(keys.privateKey)), kid: 'bank-key', alg: 'ES256', use: 'sig' };
    const configuration: Configuration = {
      clients: [
        {
          client_id: providerClientId,
          redirect_uris: [redirectUri],
          id_token_signed_response_alg: 'ES256',
          ...authenticationOf({ clientSecret, clientJwk, clientName }),
        } as never,
      ],
      jwks: { keys: [jwk] },
      acrValues: [strongAuthentication, 'password-only'],
      claims: { openid: ['sub', 'customers', 'amr'], profile: ['name'] },
      scopes: ['openid', 'profile'],
      features: { devInteractions: { enabled: false }, pushedAuthorizationRequests: { enabled: pushed }, mTLS },
      clientAuthMethods: ['client_secret_basic', 'private_key_jwt', 'tls_client_auth'],
      pkce: { required: () => true },
      cookies: { keys: ['a-key-of-tests'] },
      interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
      findAccount: (_ctx, sub) => ({
        accountId: sub,
        claims: () => ({
          sub,
          name: this.people.find((one) => one.customerRef === sub)?.displayName,
          ...this.behaviour.claims,
        }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
        grant.addOIDCScope('openid profile');
        await grant.save();
        return grant;
      },
    };
    const provider = new Provider(this.issuer, configuration);
    provider.on('authorization_code.saved', (code) => void this.codes.push(code));
    provider.use(async (ctx, next) => {
      await next();
      if (ctx.path === '/request') this.asked.pushed++;
      if (ctx.path === '/token') await this.tokens(ctx as KoaContextWithOIDC, keys.privateKey);
    });
    const library = provider.callback();
    this.handler = (request, response) => {
      const uid = /^\/sign-in\/([\w-]+)/.exec(request.url ?? '')?.[1];
      if (uid === undefined) void library(request, response);
      else void this.signInPage(provider, uid, request, response);
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** One page: the customer's name, or a refusal. */
  private async signInPage(
    provider: Provider,
    uid: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (request.method === 'GET') {
      this.requests.push((await provider.interactionDetails(request, response)).params);
      const form = `<form method="post" action="/sign-in/${uid}"><label>Customer <input name="customer" /></label><button>Sign in</button></form>`;
      return void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><html lang="en"><title>The bank</title><h1>The bank’s own sign-on</h1>${form}</html>`);
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const customer = new URLSearchParams(body).get('customer') ?? '';
    const { params } = await provider.interactionDetails(request, response);
    const { amr, authenticatedSecondsAgo } = this.behaviour;
    const able = this.people.find((one) => one.customerRef === customer)?.acr ?? this.behaviour.acr;
    // It authenticates strongly only where the gateway asks for that.
    const isAsked = String(params['acr_values']).split(' ').includes(strongAuthentication);
    const acr = able === strongAuthentication && !isAsked ? 'password-only' : able;
    const ts = Math.floor(realNowMs() / 1_000) - authenticatedSecondsAgo;
    const login = { accountId: customer, acr, amr: [...amr], ts, remember: false };
    const result = customer === '' ? { error: 'access_denied' } : { login };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  private async tokens(ctx: KoaContextWithOIDC, key: CryptoKey): Promise<void> {
    this.asked.tokens++;
    const body = ctx.body as { id_token?: string };
    const { tamper = (claims: Record<string, unknown>) => claims, forgery } = this.behaviour;
    if (body.id_token === undefined || (this.behaviour.tamper === undefined && forgery === undefined)) return;
    const { alg = 'ES256', kid = '' } = decodeProtectedHeader(body.id_token);
    const claims = tamper(decodeJwt(body.id_token));
    body.id_token = await new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(forgery ?? key);
  }
}
