import { errors, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { authorisationPaths as paths } from '../../open-banking/authorisation-paths.js';
import { tokenAlgorithms } from '../../config/config.js';
import { apiScopesIn } from '../../open-banking/scopes.js';
import { servedScopes } from '../../profiles/profile.js';
import { clockToleranceSeconds } from '../../security/tokens/signed-jwt.js';
import { isFapi2, profileFault } from '../tpps/fapi-profiles.policy.js';
import { admitAuthorization, admitClient } from './admission.js';
import { apiScopes, keysUnreachable } from './client.store.js';
import { assertionFault } from './client-assertion.policy.js';
import { strongAuthentication } from '../../open-banking/authentication-classes.js';
import { pageHeaders } from '../listeners/page-answer.js';
import { withReason } from '../listeners/refusal-reasons.js';
import { intentClaim, readIntent } from './intent.policy.js';
import { assertIntent, prompts, refusalOf } from './interaction-prompts.js';
import { isForeign, mutualTls } from './mutual-tls.js';
import { accessTokenSeconds, interactionSeconds, type ProviderParts } from './provider-parts.js';
import { objectSizeFault, sizeFault } from './request-size.policy.js';
import { requestObjectFault } from './request-object.policy.js';
import { apiOf, permittedScopes, scopeFault } from './resource-server.js';
import { refreshTokenEndClaim } from './token-exchange.js';

/** FAPI 1.0 Advanced Final, and FAPI 2.0 for clients that registered `fapi_profile: 2.0`. */
export function configuration(parts: ProviderParts): Configuration {
  return {
    adapter: parts.adapter,
    jwks: parts.jwks,
    routes: paths,
    // Only the library's scopes: with a resource scope in this list the consent prompt would loop.
    scopes: ['openid'],
    responseTypes: ['code id_token', 'code'],
    // The library calls it for each authorization request and pushed request, whatever its parameters are.
    extraParams: { scope: ({ oidc }) => assertRequest(parts, oidc) },
    acrValues: [strongAuthentication],
    claims: { openid: ['sub', intentClaim, 'acr', 'auth_time', refreshTokenEndClaim] },
    subjectTypes: ['public'],
    ...clients(parts),
    // The gateway fetches TPPs' documents itself: the library refuses an internal address only after it has connected to it.
    fetch: () => Promise.reject(new Error('the library fetches nothing here')),
    conformIdTokenClaims: false,
    // The library counts whole seconds. With one second more it refuses nothing that our rules allow.
    clockTolerance: clockToleranceSeconds + 1,
    ...posts(parts.settings.secure),
    ...tokens(parts),
    features: features(parts),
    // The subject is the consent: a TPP must not learn a name of the customer that the bank or other TPPs use.
    findAccount: ({ oidc }, consentId) => ({
      accountId: consentId,
      claims: () => ({ sub: consentId, [intentClaim]: consentId, ...parts.exchange.refreshTokenEnd(oidc) }),
    }),
    interactions: interactions(parts),
    renderError: (ctx, { error }) => {
      const kind = error === 'server_error' ? 'unavailable' : 'bad-request';
      const { locale, html } = parts.pages.for(ctx.req).notice({ kind });
      ctx.set(pageHeaders({ locale }));
      ctx.body = html;
    },
  };
}

function interactions(parts: ProviderParts): NonNullable<Configuration['interactions']> {
  return {
    policy: prompts(),
    url: async (ctx, interaction) => {
      await admitAuthorization(parts, ctx, interaction);
      const { location, cookie } = await parts.journeys.begin(interaction);
      if (cookie !== undefined) ctx.res.appendHeader('set-cookie', cookie);
      return location;
    },
  };
}

/** A request may be posted as well: OpenID Connect Core 1.0, section 3.1.2.1. */
function posts(secure: boolean): Configuration {
  return {
    enableHttpPostMethods: true,
    cookies: {
      // No browser gets the library's cookies (`keepCookies`), so they need no keys that sign them.
      long: { httpOnly: true, sameSite: 'none', secure },
      short: { httpOnly: true, sameSite: 'lax', secure },
    },
  };
}

const foreignCertificate =
  'the certificate of the connection does not belong to the organisation of the software statement';

/** Client authentication, and the metadata that TPPs may register. */
function clients(parts: ProviderParts): Configuration {
  const { settings, clock } = parts;
  return {
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
      properties: ['fapi_profile', 'organisation', apiScopes, keysUnreachable],
      validator: checkProfile,
    },
    enabledJWA: algorithms(),
    assertJwtClientAuthClaimsAndHeader(ctx, claims, header, client) {
      const terms = { issuer: settings.issuer, fapi2: isFapi2(client), nowMs: clock.nowMs() };
      // The check of the certificate is here, and not only where a token is bound, so that every endpoint for TPPs has it.
      const fault = isForeign(parts, ctx, client) ? foreignCertificate : assertionFault(claims, header, terms);
      if (fault === undefined) return admitClient(parts, ctx, client);
      // The library gives no reason. The TPP's developer gets it, because by now the TPP has proven its key.
      const refusal = new errors.InvalidClientAuth(fault);
      refusal.error_description = `${refusal.error_description}: ${fault}`;
      throw refusal;
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
  };
}

function checkProfile(_ctx: unknown, key: string, value: unknown, metadata: Readonly<Record<string, unknown>>): void {
  if (key !== 'fapi_profile') return;
  if (value !== undefined && value !== '1.0' && value !== '2.0')
    throw new errors.InvalidClientMetadata('fapi_profile must be 1.0 or 2.0');
  if (metadata['tls_client_certificate_bound_access_tokens'] !== true)
    throw new errors.InvalidClientMetadata('access tokens are bound to certificates here');
  const fault = profileFault(metadata);
  if (fault !== undefined) throw new errors.InvalidClientMetadata(fault);
}

function algorithms(): NonNullable<Configuration['enabledJWA']> {
  const accepted = [...tokenAlgorithms];
  return {
    clientAuthSigningAlgValues: accepted,
    idTokenSigningAlgValues: accepted,
    requestObjectSigningAlgValues: accepted,
    authorizationSigningAlgValues: accepted,
    userinfoSigningAlgValues: accepted,
  };
}

/** The kinds of tokens and their lifetimes. */
function tokens(parts: ProviderParts): Configuration {
  return {
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      AuthorizationCode: 60,
      IdToken: 10 * 60,
      Interaction: interactionSeconds,
      // The library wants a number. Sessions are not stored (see artefact.store.ts).
      Session: 60,
      // An authorisation is saved with its own end; a refresh token lives as long as it does.
      Grant: 60,
      RefreshToken: ({ oidc }) => Math.max(1, oidc.entities.Grant?.remainingTTL ?? 1),
    },
    extraTokenClaims: ({ oidc }, token) => parts.exchange.claims(oidc, token),
    // The library asks this once in each exchange of a code, after all that can refuse it. A client that gets a refresh token
    // completes the exchange where that is stored (see artefact.store.ts).
    issueRefreshToken: async (_ctx, client) => {
      const isIssued = client.grantTypeAllowed('refresh_token');
      if (!isIssued) await parts.exchange.complete();
      return isIssued;
    },
    rotateRefreshToken: false,
    expiresWithSession: () => false,
    // The gateway makes a new grant for each approval, and the library must not use the grant of an earlier one again.
    loadExistingGrant: (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? Promise.resolve(undefined) : ctx.oidc.provider.Grant.find(grantId);
    },
  };
}

function features(parts: ProviderParts): Configuration['features'] {
  const tppUrl = parts.settings.config.tpp.url;
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    dPoP: { enabled: false },
    clientCredentials: { enabled: true },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    jwtResponseModes: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    requestObjects: {
      enabled: true,
      assertJwtClaimsAndHeader: ({ oidc }, claims, header) => {
        // The gateway checked a pushed request object when it was pushed. The library makes one itself for an unsigned request.
        if (oidc.entities.PushedAuthorizationRequest !== undefined) return;
        const size = objectSizeFault(oidc.params?.['request']);
        if (size !== undefined) throw withReason('parameters-too-large', new errors.InvalidRequestObject(size));
        const fault = requestObjectFault(claims, header, parts.clock.nowMs());
        if (fault !== undefined) throw new errors.InvalidRequestObject(fault);
      },
    },
    fapi: { enabled: true, profile: (_ctx, client) => (isFapi2(client) ? '2.0' : '1.0 Final') },
    mTLS: mutualTls(parts),
    claimsParameter: {
      enabled: true,
      assertClaimsParameter: ({ oidc }, claims, client) =>
        assertIntent(parts, claims, client, apiScopesIn(oidc.params?.['scope'])),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => tppUrl,
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource) => {
        assertScope(parts, ctx.oidc);
        return apiOf(parts, resource, ctx.oidc.client);
      },
    },
  };
}

/** Refuses an authorization request that is too large, then one with a wrong scope, then one that names no consent. */
function assertRequest(parts: ProviderParts, oidc: KoaContextWithOIDC['oidc']): void {
  const fault = sizeFault(oidc.params ?? {});
  if (fault !== undefined) throw withReason('parameters-too-large', new errors.InvalidRequest(fault));
  assertScope(parts, oidc);
  // The library checks this parameter only where there is one.
  const asked = oidc.params?.['claims'] === undefined ? readIntent(undefined) : undefined;
  if (asked !== undefined && 'error' in asked) throw refusalOf(asked);
}

/** Refuses a scope that no token can have, at each endpoint where a TPP asks for one. */
function assertScope(parts: ProviderParts, { params, client }: KoaContextWithOIDC['oidc']): void {
  const { scope, grant_type: grantType } = params ?? {};
  // With these grants a request need not name a scope: that of the customer's authorisation holds.
  if (scope === undefined && (grantType === 'authorization_code' || grantType === 'refresh_token')) return;
  const served = servedScopes(parts.settings.profile);
  const fault = scopeFault(scope, served, permittedScopes(client));
  if (fault !== undefined) throw new errors.InvalidScope(fault, served.join(' '));
}
