import { authorisationPaths as paths, mountPath, registrationPath } from '../../open-banking/authorisation-paths.js';
import type { EventEmitter } from 'node:events';
import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { retryAfterSeconds } from '../../open-banking/common-errors.js';
import { isErrorCode } from '../../open-banking/oauth-reasons.js';
import { servedScopes } from '../../profiles/profile.js';
import { pageHeaders } from '../listeners/page-answer.js';
import { withReason, type OAuthFault } from '../listeners/refusal-reasons.js';
import { recordFault, recordOAuthRefusal, recordProof, recordTpp } from '../listeners/request-records.js';
import { nameIssuer, keepCookies } from './library-internals.js';
import { keysUnreachable } from './client.store.js';
import { configuration } from './provider.configuration.js';
import { isForeign } from './mutual-tls.js';
import type { ProviderParts } from './provider-parts.js';

/** Makes a configured instance of the library and adds the functions that it lacks. */
export function createProvider(parts: ProviderParts): Provider {
  const provider = new Provider(parts.settings.issuer, configuration(parts));
  // The library takes its URLs from the request. The listeners have put the right origin there.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    try {
      await next();
    } finally {
      // Only what is the library's own has this.
      const { oidc } = ctx as Partial<KoaContextWithOIDC>;
      const client = oidc?.entities.Client;
      recordTpp(ctx.req, client?.clientId);
      if (oidc?.route !== 'authorization' && ctx.status !== 401 && parts.limits.hasPassed(ctx.req))
        recordProof(ctx.req, String(client?.clientAuthMethod), oidc?.params?.['grant_type']);
    }
    await ctx.req.context?.beforeAnswer?.(ctx.response.length);
  });
  explainRefusals(provider, parts);
  keepCookies(provider);
  guardPages(provider);
  completeDiscovery(provider, parts);
  nameIssuer(provider);
  recordRefusals(provider, parts);
  // Koa would print the errors. A broken connection is not a fault: the access record has 499.
  (provider as EventEmitter).on('error', (error: Error, ctx?: KoaContextWithOIDC) => {
    if (ctx?.res.destroyed !== true) parts.log.fault(error);
  });
  return provider;
}

/** The library's description of a grant whose fault it knows no better. */
const { error_description: anyGrant } = new errors.InvalidGrant('');
/** The rows of an authorisation that has ended are gone, so that the refusal of its refresh token names every possible reason. */
const refreshEnded =
  'the refresh token is unknown, its consent has expired or was withdrawn, or a later authorisation of the consent ' +
  'replaced that of this token. Use the tokens of the later authorisation, or read the status of the consent, or ' +
  'create a new consent';

/** ASCII, as each `error_description` (RFC 6749, section 5.2). */
const unreachable =
  `the bank's systems cannot answer now. Send the request again after ${retryAfterSeconds} seconds, with a new client ` +
  'assertion if it has one';

/** Names the page on which each error code has its meaning and its remedy (`error_uri`: RFC 6749, section 5.2). */
function explainRefusals(provider: Provider, { helpUrl }: ProviderParts): void {
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status === 500) explainFault(ctx);
    const body: unknown = ctx.body;
    if (ctx.status < 400 || typeof body !== 'object' || body === null || !('error' in body)) return;
    if (!isErrorCode(body.error)) return;
    const isRefresh = (ctx as Partial<KoaContextWithOIDC>).oidc?.params?.['grant_type'] === 'refresh_token';
    const isUnexplained = 'error_description' in body && body.error_description === anyGrant;
    const explained = isRefresh && isUnexplained ? { error_description: `${anyGrant}: ${refreshEnded}` } : {};
    ctx.body = { ...body, ...explained, error_uri: `${helpUrl}#${body.error}` };
  });
}

/** The library answers each fault alike: "oops! something went wrong". */
function explainFault(ctx: Pick<KoaContextWithOIDC, 'req' | 'status' | 'body' | 'set'>): void {
  const reason = ctx.req.context?.reason;
  const isUnreachable = reason === 'database-unreachable' || reason === 'issuer-unreachable';
  if (isUnreachable) {
    ctx.status = 503;
    ctx.set('retry-after', String(retryAfterSeconds));
  }
  // The page of a browser says it already.
  if (typeof ctx.body !== 'object') return;
  ctx.body = isUnreachable
    ? { error: 'temporarily_unavailable', error_description: unreachable }
    : {
        error: 'server_error',
        error_description: 'the gateway has a fault: report the time of this request to the bank',
      };
}

/** The library's events of a request that it refused. */
const refusals = ['authorization', 'grant', 'pushed_authorization_request', 'revocation'] as const;

function recordRefusals(provider: Provider, parts: ProviderParts): void {
  for (const endpoint of refusals)
    (provider as EventEmitter).on(`${endpoint}.error`, (ctx: KoaContextWithOIDC, error: OAuthFault) =>
      recordOAuthRefusal(ctx.req, moreOf(parts, ctx, error)),
    );
  provider.on('server_error', ({ req }, error) => {
    recordFault(req, error);
    parts.log.fault(error);
  });
}

/** The fault with its reason, where the library's own state or class says more than its error code. */
function moreOf(parts: ProviderParts, ctx: KoaContextWithOIDC, fault: OAuthFault): OAuthFault {
  if (fault instanceof errors.SessionNotFound) return withReason('journey-expired', fault);
  const { Client: client } = ctx.oidc.entities;
  if (
    client?.[keysUnreachable] === true &&
    (fault.error === 'invalid_client' || fault.error === 'invalid_request_object')
  )
    return { reason: 'client-keys-unreachable' };
  if (fault.error !== 'invalid_client') return fault;
  if (client === undefined) return { reason: 'client-unknown' };
  return isForeign(parts, ctx, client) ? { reason: 'client-certificate-wrong' } : fault;
}

/**
 * Metadata that the library does not add by itself. TPPs' endpoints have the origin of the TPPs' listener: older clients do not
 * know `mtls_endpoint_aliases` (RFC 8705, section 5).
 */
function completeDiscovery(provider: Provider, { settings: { issuer, config, profile } }: ProviderParts): void {
  const tppUrl = config.tpp.url;
  const aliases = {
    token_endpoint: `${tppUrl}${mountPath}${paths.token}`,
    pushed_authorization_request_endpoint: `${tppUrl}${mountPath}${paths.pushed_authorization_request}`,
    revocation_endpoint: `${tppUrl}${mountPath}${paths.revocation}`,
    ...(config.directory && { registration_endpoint: `${tppUrl}${mountPath}${registrationPath}` }),
  };
  provider.use(async (ctx, next) => {
    await next();
    if (!ctx.path.startsWith('/.well-known/') || ctx.status !== 200) return;
    ctx.body = {
      ...(ctx.body as object),
      authorization_endpoint: `${issuer}${paths.authorization}`,
      jwks_uri: `${issuer}${paths.jwks}`,
      scopes_supported: ['openid', ...servedScopes(profile)],
      ...aliases,
      mtls_endpoint_aliases: aliases,
    };
  });
}

/**
 * Each answer to an authorization request gets the headers of our pages. The library's page, which posts the answer to the TPP
 * (`response_mode=form_post`), needs them, and the library adds the hash of its one script; without scripts it has a button.
 */
function guardPages(provider: Provider): void {
  for (const event of ['authorization.success', 'authorization.error', 'server_error'])
    (provider as EventEmitter).on(event, (ctx: KoaContextWithOIDC) => {
      if (ctx.oidc.route !== 'authorization' && ctx.oidc.route !== 'resume') return;
      const redirect = ctx.oidc.params?.['redirect_uri'];
      ctx.set(pageHeaders({ redirect: typeof redirect === 'string' ? redirect : undefined }));
    });
}
