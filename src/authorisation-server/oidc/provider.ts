import type { EventEmitter } from 'node:events';
import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Provider, {
  errors,
  interactionPolicy,
  type AdapterFactory,
  type ClaimsParameter,
  type Client,
  type Configuration,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { JWK } from 'jose';
import { tokenAlgorithms } from '../../config/config.js';
import type { Consent } from '../../consents/consent.js';
import { isCurrent, type ClientCertificate, type ClientCertificates } from '../../security/client-certificate.js';
import { assertionFault } from './client-assertion.policy.js';
import { useKeySets } from './client-keys.js';
import { isFapi2 } from '../tpps/client-metadata.policy.js';
import { intentClaim, intentFault, readIntent, strongAuthentication } from './intent.policy.js';
import { pageHeaders } from '../listeners/page-answer.js';
import { contextOf, rememberContexts } from './provider-context.js';
import { isSubject } from '../tpps/subject-dn.js';
import type { TppKeySets } from '../tpps/tpp-key-sets.js';

/** Where the authorization server is mounted, on every listener of its. */
export const mountPath = '/as';

export const paths = {
  authorization: '/authorize',
  token: '/token',
  pushed_authorization_request: '/par',
  introspection: '/introspect',
  revocation: '/revoke',
  jwks: '/jwks',
} as const;

/** Not the library's: its registration knows neither signed bodies nor client-credentials tokens. */
export const registrationPath = '/register';

/** The scope of the account information API. */
export const accountsScope = 'accounts';
const accessTokenSeconds = 10 * 60;
/** What the library keeps of an authorization request while the customer is on the way. */
export type Interaction = InstanceType<Provider['Interaction']>;

/** The customer's time for the whole journey, and a little: while it lasts, an error can still be sent to the TPP. */
export const interactionSeconds = 60 * 60;

export interface ProviderParts {
  /** The browser listener's origin and {@link mountPath}. */
  readonly issuer: string;
  /** The origin of the TPPs' listener, with mutual TLS; also the audience of access tokens. */
  readonly tppUrl: string;
  readonly jwks: { keys: JWK[] };
  readonly adapter: AdapterFactory;
  readonly nowMs: () => number;
  readonly certificates: ClientCertificates;
  /** The keys of TPPs that publish them. */
  readonly keySets: TppKeySets;
  /** Whether TPPs can register themselves. */
  readonly registration: boolean;
  readonly findConsent: (consentId: string) => Promise<Consent | undefined>;
  /** Makes the authorisation the consent's current one; false where none of its tokens may be issued (any more). */
  readonly beginAuthorisation: (consentId: string, authorisationId: string) => Promise<boolean>;
  /** Begins the customer's way through the pages: where the browser goes, and the `Set-Cookie` line that it needs there. */
  readonly beginJourney: (interaction: Interaction) => Promise<{ readonly location: string; readonly cookie: string }>;
  /** Shows the customer that a request cannot go on and that there is no way back to the TPP. */
  readonly renderError: (ctx: KoaContextWithOIDC) => void;
  /** The request is this client's, as far as it says. */
  readonly onClient: (request: IncomingMessage, clientId: string | undefined) => void;
  /** Something failed that is nobody's request's fault. */
  readonly onFault: (error: Error) => void;
}

/** The library, configured: FAPI 1.0 Advanced Final, and FAPI 2.0 for clients that registered `fapi_profile: 2.0`. */
export function createProvider(parts: ProviderParts): Provider {
  const provider = new Provider(parts.issuer, configuration(parts));
  // Its URLs come from the request; which request reaches it, and as what, is decided by the listeners.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    try {
      await next();
    } finally {
      // Only what is the library's own has this.
      const { oidc } = ctx as Partial<KoaContextWithOIDC>;
      parts.onClient(ctx.req, oidc?.entities.Client?.clientId);
    }
  });
  keepCookies(provider);
  guardPages(provider);
  completeDiscovery(provider, parts);
  acceptAudiences(provider, parts);
  rememberContexts(provider);
  bindRefreshTokens(provider);
  useKeySets(provider, parts.keySets);
  provider.on('server_error', (_ctx, error) => parts.onFault(error));
  // Koa itself would print them. Those of a connection that broke are nobody's fault: the access record says 499.
  (provider as EventEmitter).on('error', (error: Error, ctx?: KoaContextWithOIDC) => {
    if (ctx?.res.destroyed !== true) parts.onFault(error);
  });
  return provider;
}

function configuration(parts: ProviderParts): Configuration {
  const algorithms = [...tokenAlgorithms];
  const secure = parts.issuer.startsWith('https:');
  return {
    adapter: parts.adapter,
    jwks: parts.jwks,
    routes: paths,
    // Only what the library itself issues for: a resource scope in this list makes the consent prompt loop.
    scopes: ['openid'],
    responseTypes: ['code id_token', 'code'],
    acrValues: [strongAuthentication],
    claims: { openid: ['sub', intentClaim, 'acr', 'auth_time'] },
    subjectTypes: ['public'],
    clientAuthMethods: ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
      response_types: ['code id_token', 'code'],
      id_token_signed_response_alg: 'PS256',
      authorization_signed_response_alg: 'PS256',
      token_endpoint_auth_method: 'private_key_jwt',
      tls_client_certificate_bound_access_tokens: true,
    },
    extraClientMetadata: {
      properties: ['fapi_profile'],
      validator(_ctx, key, value, metadata) {
        if (key !== 'fapi_profile') return;
        if (value !== undefined && value !== '1.0' && value !== '2.0')
          throw new errors.InvalidClientMetadata('fapi_profile must be 1.0 or 2.0');
        if (metadata['tls_client_certificate_bound_access_tokens'] !== true)
          throw new errors.InvalidClientMetadata('access tokens are bound to certificates here');
      },
    },
    enabledJWA: {
      clientAuthSigningAlgValues: algorithms,
      idTokenSigningAlgValues: algorithms,
      requestObjectSigningAlgValues: algorithms,
      introspectionSigningAlgValues: algorithms,
      authorizationSigningAlgValues: algorithms,
      userinfoSigningAlgValues: algorithms,
    },
    assertJwtClientAuthClaimsAndHeader(_ctx, claims, _header, client) {
      const terms = { issuer: parts.issuer, fapi2: isFapi2(client), nowMs: parts.nowMs() };
      const fault = assertionFault(claims, terms);
      if (fault === undefined) return;
      // The library tells no reason, which a TPP's developer could only guess at; by now the TPP has proven its key.
      const refusal = new errors.InvalidClientAuth(fault);
      refusal.error_description = `${refusal.error_description}: ${fault}`;
      throw refusal;
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    // Its own guard against internal addresses hangs up only after it has connected, and nothing limits what it fetches.
    fetch: () => Promise.reject(new Error('the library fetches nothing here')),
    conformIdTokenClaims: false,
    cookies: {
      long: { httpOnly: true, sameSite: 'lax', secure },
      short: { httpOnly: true, sameSite: 'lax', secure },
    },
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      AuthorizationCode: 60,
      IdToken: 10 * 60,
      Interaction: interactionSeconds,
      // Nothing is kept of it (see artefact.store.ts); the library wants a number.
      Session: 60,
      // An authorisation is saved with its own end; a refresh token lives as long as it does.
      Grant: 60,
      RefreshToken: (_ctx, token) => Math.max(1, contextOf(token).entities.Grant?.remainingTTL ?? 1),
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      jwtResponseModes: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      requestObjects: { enabled: true },
      fapi: { enabled: true, profile: (_ctx, client) => (isFapi2(client) ? '2.0' : '1.0 Final') },
      mTLS: {
        enabled: true,
        certificateBoundAccessTokens: true,
        tlsClientAuth: true,
        selfSignedTlsClientAuth: true,
        getCertificate: (ctx) => acceptedCertificate(parts, ctx)?.toString(),
        certificateAuthorized: (ctx) => isTrusted(parts, parts.certificates.of(ctx.req)),
        certificateSubjectMatches: (ctx, property, expected) =>
          subjectMatches(parts.certificates.of(ctx.req)?.certificate, property, expected),
      },
      claimsParameter: {
        enabled: true,
        assertClaimsParameter: (ctx, claims, client) => assertIntent(parts, ctx, claims, client),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => parts.tppUrl,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource, client) {
          if (resource !== parts.tppUrl) throw new errors.InvalidTarget();
          // What the client registered limits what it gets; one that registered nothing may have all that there is.
          const registered = client.scope?.split(' ') ?? [accountsScope];
          return {
            scope: registered.includes(accountsScope) ? accountsScope : '',
            audience: parts.tppUrl,
            accessTokenFormat: 'jwt',
            accessTokenTTL: accessTokenSeconds,
            jwt: { sign: { alg: 'PS256' } },
          };
        },
      },
    },
    extraTokenClaims: (_ctx, token) => consentClaims(parts, token),
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: false,
    expiresWithSession: () => false,
    // Each authorisation has a grant of its own, made with the customer's approval: never "the session's".
    loadExistingGrant: (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? Promise.resolve(undefined) : ctx.oidc.provider.Grant.find(grantId);
    },
    // The TPP's name of the customer is the consent: the bank's own, or one that is the same for all TPPs, is not its business.
    findAccount: (_ctx, consentId) => ({
      accountId: consentId,
      claims: () => ({ sub: consentId, [intentClaim]: consentId }),
    }),
    interactions: {
      policy: policy(),
      url: async (ctx, interaction) => {
        const { location, cookie } = await parts.beginJourney(interaction);
        ctx.res.appendHeader('set-cookie', cookie);
        return location;
      },
    },
    renderError: parts.renderError,
  };
}

/** Every authorisation is a sign-in and an approval, whatever happened before; `prompt=none` can only be refused. */
function policy(): interactionPolicy.DefaultPolicy {
  const prompts = interactionPolicy.base();
  const login = prompts.get('login');
  const consent = prompts.get('consent');
  if (login === undefined || consent === undefined) throw new Error('the library lacks its own prompts');
  login.checks.clear();
  login.checks.add(
    new interactionPolicy.Check('sca_required', 'the customer must authenticate', 'login_required', ({ oidc }) => {
      const claims = oidc.params?.['claims'];
      // The library has parsed it before, and refused what is no JSON.
      const asked = readIntent(typeof claims === 'string' ? JSON.parse(claims) : {});
      if ('error' in asked) throw new errors.InvalidRequest(asked.description);
      const hint = oidc.entities.IdTokenHint?.payload as { sub?: string } | undefined;
      if (hint !== undefined && hint.sub !== asked.consentId)
        throw new errors.LoginRequired('the id_token_hint is of another consent');
      return oidc.result?.login === undefined;
    }),
  );
  consent.checks.clear();
  consent.checks.add(
    new interactionPolicy.Check(
      'consent_required',
      'the customer must approve',
      'consent_required',
      ({ oidc }) => oidc.result?.consent === undefined,
    ),
  );
  return prompts;
}

async function assertIntent(
  parts: ProviderParts,
  _ctx: KoaContextWithOIDC,
  claims: ClaimsParameter,
  client: Client,
): Promise<void> {
  const asked = readIntent(claims);
  const fault =
    'error' in asked ? asked : intentFault(await parts.findConsent(asked.consentId), client.clientId, parts.nowMs());
  if (fault?.error === 'unmet_authentication_requirements')
    throw new errors.UnmetAuthenticationRequirements(fault.description);
  if (fault !== undefined) throw new errors.InvalidRequest(fault.description);
  // TPPs ask for the intent there too, as the standard's own example does; there is no userinfo endpoint to return it from.
  delete claims.userinfo;
}

/** RFC 9068 says the rest. Called when a token is about to be issued, after its code was used up. */
async function consentClaims(
  parts: ProviderParts,
  token: { kind: string; grantId?: string },
): Promise<Record<string, unknown> | undefined> {
  if (token.kind !== 'AccessToken') return undefined;
  const { entities } = contextOf(token);
  const source = entities.AuthorizationCode ?? entities.RefreshToken;
  const authorisationId = source?.grantId;
  if (source?.accountId === undefined || authorisationId === undefined)
    throw new errors.InvalidGrant('the token has no consent');
  if (!(await parts.beginAuthorisation(source.accountId, authorisationId)))
    throw new errors.InvalidGrant('the authorisation is over: the consent ended, or a later one took its place');
  return {
    [intentClaim]: source.accountId,
    authorisation_id: authorisationId,
    // Of the authentication, not of this token: a refresh never opens the window again.
    auth_time: source.authTime,
    acr: source.acr,
  };
}

function isTrusted({ nowMs }: ProviderParts, presented: ClientCertificate | undefined): boolean {
  return presented?.issued === true && isCurrent(presented, nowMs());
}

/**
 * The certificate to bind to and to compare with. It must come from an accepted authority, unless the client registered
 * the certificate itself; then it must at least be within its time.
 */
function acceptedCertificate(parts: ProviderParts, ctx: KoaContextWithOIDC): X509Certificate | undefined {
  const presented = parts.certificates.of(ctx.req);
  if (presented === undefined || !isCurrent(presented, parts.nowMs())) return undefined;
  const selfSigned = ctx.oidc.client?.clientAuthMethod === 'self_signed_tls_client_auth';
  return presented.issued || selfSigned ? presented.certificate : undefined;
}

function subjectMatches(certificate: X509Certificate | undefined, property: string, expected: string): boolean {
  if (certificate === undefined) return false;
  const alternatives = (certificate.subjectAltName ?? '').split(', ');
  switch (property) {
    case 'tls_client_auth_subject_dn':
      return isSubject(certificate.subject, expected);
    case 'tls_client_auth_san_dns':
      return alternatives.includes(`DNS:${expected}`);
    case 'tls_client_auth_san_uri':
      return alternatives.includes(`URI:${expected}`);
    case 'tls_client_auth_san_ip':
      return alternatives.includes(`IP Address:${expected}`);
    case 'tls_client_auth_san_email':
      return alternatives.includes(`email:${expected}`);
    default:
      return false;
  }
}

/**
 * The library's cookies hold what its URLs hold, so that who sees the one has the other: no browser is given any. Ours, of
 * which it knows nothing, takes their place (`JourneyController`).
 */
function keepCookies(provider: Provider): void {
  const names = (['interaction', 'resume', 'session'] as const).map((cookie) => provider.cookieName(cookie));
  provider.use(async (ctx, next) => {
    await next();
    const lines = [ctx.res.getHeader('set-cookie') ?? []].flat().map(String);
    const own = lines.filter((line) => !names.some((name) => line.startsWith(`${name}=`)));
    ctx.res.removeHeader('set-cookie');
    if (own.length > 0) ctx.res.setHeader('set-cookie', own);
  });
}

/**
 * What the library does not know of itself. What TPPs call is on their own listener, whichever listener is asked: older clients know nothing of
 * `mtls_endpoint_aliases` (RFC 8705, section 5), so that the endpoints themselves are published there.
 */
function completeDiscovery(provider: Provider, { issuer, tppUrl, registration }: ProviderParts): void {
  const aliases = {
    token_endpoint: `${tppUrl}${mountPath}${paths.token}`,
    pushed_authorization_request_endpoint: `${tppUrl}${mountPath}${paths.pushed_authorization_request}`,
    introspection_endpoint: `${tppUrl}${mountPath}${paths.introspection}`,
    revocation_endpoint: `${tppUrl}${mountPath}${paths.revocation}`,
    ...(registration && { registration_endpoint: `${tppUrl}${mountPath}${registrationPath}` }),
  };
  provider.use(async (ctx, next) => {
    await next();
    if (!ctx.path.startsWith('/.well-known/') || ctx.status !== 200) return;
    ctx.body = {
      ...(ctx.body as object),
      authorization_endpoint: `${issuer}${paths.authorization}`,
      jwks_uri: `${issuer}${paths.jwks}`,
      scopes_supported: ['openid', accountsScope],
      ...aliases,
      mtls_endpoint_aliases: aliases,
    };
  });
}

/**
 * A refresh token is bound to the certificate of its access token. The library binds those of public clients only, for
 * others prove themselves anyhow; but a TPP's other certificate may be in other hands.
 */
function bindRefreshTokens(provider: Provider): void {
  const prototype = provider.RefreshToken.prototype as unknown as {
    'x5t#S256'?: string | undefined;
    save(): Promise<string>;
  };
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the token that is saved.
  const { save } = prototype;
  prototype.save = function bound(this: typeof prototype) {
    this['x5t#S256'] ??= contextOf(this).entities.AccessToken?.['x5t#S256'];
    return save.call(this);
  };
}

/**
 * The library's own page, which posts the answer to the TPP (`response_mode=form_post`), gets the headers of our pages. Its
 * one script is allowed by its hash; without scripts the page has a button.
 */
function guardPages(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const body: unknown = ctx.body;
    if (typeof body !== 'string' || !ctx.response.is('html') || ctx.res.hasHeader('content-security-policy')) return;
    const { oidc } = ctx as Partial<KoaContextWithOIDC>;
    const redirect = oidc?.params?.['redirect_uri'];
    const scripts = [...body.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = '']) => script);
    ctx.set(pageHeaders({ redirect: typeof redirect === 'string' ? redirect : undefined, scripts }));
  });
}

/** A client assertion is for the issuer or for an endpoint that was published; by whichever name the client knows it. */
function acceptAudiences(provider: Provider, { issuer, tppUrl }: ProviderParts): void {
  const accepted = new Set([
    issuer,
    ...[paths.token, paths.pushed_authorization_request, paths.introspection, paths.revocation].flatMap((path) => [
      `${issuer}${path}`,
      `${tppUrl}${mountPath}${path}`,
    ]),
  ]);
  Object.defineProperty(
    (provider as unknown as { OIDCContext: { prototype: object } }).OIDCContext.prototype,
    'clientJwtAuthExpectedAudience',
    {
      value: () => accepted,
    },
  );
}
