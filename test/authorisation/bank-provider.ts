import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import type { ClientMetadata, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { strongAuthentication } from '../../src/open-banking/authentication-classes.js';
import type { CertificateAuthority } from '../support/certificates.js';
import { freePort } from '../support/free-port.js';
import { OpenIdServer } from '../support/openid-server.js';
import { realNowMs } from '../support/real-time.js';

export interface BankPerson {
  /** The subject at the provider, and the customer of the core. */
  readonly customerRef: string;
  readonly displayName: string;
  /** Where it is always another than the provider's. */
  readonly acr?: string;
}

type Claims = Record<string, unknown>;

export const providerClientId = 'account-information-gateway';

const signingKeys = generateKeyPair('ES256', { extractable: true });

/** The bank's own sign-on: another OpenID provider, over HTTP or TLS within this machine. */
export class BankProvider extends OpenIdServer {
  /** How the provider answers the next sign-ins. */
  readonly behaviour = {
    acr: strongAuthentication as string,
    authenticatedSecondsAgo: 0,
    /** Changes the claims of the ID token, which is then signed again. */
    tamper: undefined as ((claims: Claims) => Claims) | undefined,
    /** Signs ID tokens in place of the provider's key. */
    forgery: undefined as CryptoKey | undefined,
    /** More claims of each person. */
    claims: {} as Readonly<Claims>,
  };
  /** The parameters of each authorization request that came to the sign-in page. */
  readonly requests: Claims[] = [];
  /** How often a pushed request, and a token request, came. */
  readonly asked = { pushed: 0, tokens: 0 };
  private codes: InstanceType<Provider['AuthorizationCode']>[] = [];

  private constructor(
    private readonly people: readonly BankPerson[],
    ...address: ConstructorParameters<typeof OpenIdServer>
  ) {
    super(...address);
  }

  /** It has an address, and does not answer yet: the terms of {@link open} have the gateway's. */
  static async at(people: readonly BankPerson[], authority?: CertificateAuthority): Promise<BankProvider> {
    const own = authority?.issue('the bank');
    const tls = own && { cert: own.certificatePem, key: own.keyPem, ca: authority?.certificatePem ?? '' };
    return new BankProvider(people, await freePort(), tls);
  }

  /** Ends the time of every code that it has given. */
  async expireCodes(): Promise<void> {
    for (const code of this.codes.splice(0)) await code.destroy();
  }

  /** @param client how the gateway proves itself */
  async open(redirectUri: string, client: Partial<ClientMetadata>): Promise<void> {
    const { privateKey } = await signingKeys;
    const jwk = { ...(await exportJWK(privateKey)), kid: 'bank-key', alg: 'ES256', use: 'sig' };
    await this.serve(
      {
        clients: [
          {
            client_id: providerClientId,
            redirect_uris: [redirectUri],
            id_token_signed_response_alg: 'ES256',
            ...client,
          },
        ],
        jwks: { keys: [jwk] },
        acrValues: [strongAuthentication, 'password-only'],
        claims: { openid: ['sub', 'customers', 'amr'], profile: ['name'] },
        scopes: ['openid', 'profile'],
        features: { pushedAuthorizationRequests: { enabled: true } },
        clientAuthMethods: ['client_secret_basic', 'private_key_jwt', 'tls_client_auth'],
        pkce: { required: () => true },
        findAccount: (_ctx, sub) => ({
          accountId: sub,
          claims: () => ({ sub, name: this.person(sub)?.displayName, ...this.behaviour.claims }),
        }),
        loadExistingGrant: async ({
          oidc: {
            provider: { Grant },
            client: asking,
            session,
          },
        }) => {
          const grant = new Grant({ clientId: asking?.clientId, accountId: session?.accountId });
          grant.addOIDCScope('openid profile');
          await grant.save();
          return grant;
        },
      },
      (provider) => {
        provider.on('authorization_code.saved', (code) => void this.codes.push(code));
        provider.use(async (ctx, next) => {
          await next();
          if (ctx.path === '/request') this.asked.pushed++;
          if (ctx.path === '/token') await this.tokens(ctx as KoaContextWithOIDC, privateKey);
        });
        return (request, response) => this.signInPage(provider, request, response);
      },
    );
  }

  private person(sub: string): BankPerson | undefined {
    return this.people.find(({ customerRef }) => customerRef === sub);
  }

  /** One page: the customer's name, or a refusal. */
  private async signInPage(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { params } = await provider.interactionDetails(request, response);
    if (request.method === 'GET') {
      this.requests.push(params);
      const form = `<form method="post" action="${request.url}"><label>Customer <input name="customer" /></label><button>Sign in</button></form>`;
      return response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><html lang="en"><title>The bank</title><h1>The bank’s own sign-on</h1>${form}</html>`);
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const accountId = new URLSearchParams(body).get('customer') ?? '';
    const able = this.person(accountId)?.acr ?? this.behaviour.acr;
    // It authenticates strongly only where the gateway asks for that.
    const isAsked = String(params['acr_values']).split(' ').includes(strongAuthentication);
    const acr = able === strongAuthentication && !isAsked ? 'password-only' : able;
    const ts = Math.floor(realNowMs() / 1_000) - this.behaviour.authenticatedSecondsAgo;
    const login = { accountId, acr, amr: ['pwd', 'otp'], ts, remember: false };
    const result = accountId === '' ? { error: 'access_denied' } : { login };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  private async tokens(ctx: KoaContextWithOIDC, key: CryptoKey): Promise<void> {
    this.asked.tokens++;
    const body = ctx.body as { id_token?: string };
    const { tamper, forgery } = this.behaviour;
    if (body.id_token === undefined || (tamper === undefined && forgery === undefined)) return;
    const { alg = '', kid = '' } = decodeProtectedHeader(body.id_token);
    const claims = decodeJwt<Claims>(body.id_token);
    const signed = new SignJWT(tamper?.(claims) ?? claims).setProtectedHeader({ alg, kid });
    body.id_token = await signed.sign(forgery ?? key);
  }
}
