import type { GatewayConfig } from '../config/config.js';
import {
  authorisationPaths,
  discoveryPath,
  echoCertificatePath,
  mountPath,
  registrationPath,
} from '../open-banking/authorisation-paths.js';
import { accountsScope, scopes } from '../open-banking/scopes.js';
import { echoExample, pushExample, registrationExample, tokenExample } from './authorisation-examples.js';

type Json = Record<string, unknown>;
export type DocumentedServers = Pick<GatewayConfig, 'baseUrl' | 'authorisationServer'>;
type Security = readonly Readonly<Record<string, readonly string[]>>[];

/** The addresses of the API: the plain one, and the one with mutual TLS where the gateway has it. */
export function documentedServers({
  baseUrl,
  authorisationServer,
}: DocumentedServers): { readonly url: string; readonly description?: string }[] {
  const url = authorisationServer?.tpp.url;
  if (url === undefined || url === baseUrl) return [{ url: baseUrl }];
  return [
    {
      url: baseUrl,
      description:
        'Without a certificate: for tokens that are bound to none, as the command line of the sandbox gives.',
    },
    { url, description: 'With mutual TLS: for the tokens of TPPs, each with the certificate that it is bound to.' },
  ];
}

/** How a TPP authenticates: in OAuth's terms where the gateway embeds an authorization server. */
export function securitySchemesOf({ authorisationServer }: DocumentedServers): Json {
  if (authorisationServer === undefined)
    return {
      clientCredentials: bearer("A client-credentials access token of the bank's authorisation server."),
      consentToken: bearer(
        "An access token of the bank's authorisation server that is bound to a consent. " +
          'Where it carries `cnf.x5t#S256`, the client certificate must match.',
      ),
    };
  const { issuer, tokenUrl } = placesOf(authorisationServer);
  return {
    clientCredentials: {
      type: 'oauth2',
      description: 'For account access consents. The TPP proves itself with `private_key_jwt` or its certificate.',
      flows: { clientCredentials: { tokenUrl, scopes: { [accountsScope]: scopes[accountsScope] } } },
    },
    consentToken: {
      type: 'oauth2',
      description: 'For account information: the token of a consent that the customer has approved.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${issuer}${authorisationPaths.authorization}`,
          tokenUrl,
          refreshUrl: tokenUrl,
          scopes,
        },
      },
    },
    discovery: {
      type: 'openIdConnect',
      description: 'The same, found by discovery.',
      openIdConnectUrl: `${issuer}${discoveryPath}`,
    },
    mutualTLS: { type: 'mutualTLS', description: 'The certificate that the token is bound to.' },
    pastedToken: bearer(
      'An access token as it is. At the server without certificates it must be bound to none: the command line of the ' +
        'sandbox prints such a token.',
    ),
  };
}

function bearer(description: string): Json {
  return { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description };
}

/** The security requirements of a route of the API: `clientCredentials` or `consentToken`. */
export function securityOf(demanded: Security | undefined, { authorisationServer }: DocumentedServers): Security {
  const schemes = (demanded ?? []).flatMap((requirement) => Object.keys(requirement));
  // Schemes other than OAuth's have no scopes.
  if (authorisationServer === undefined) return schemes.map((scheme) => ({ [scheme]: [] }));
  return [
    ...schemes.map((scheme) => ({ [scheme]: [accountsScope], mutualTLS: [] })),
    ...(schemes.includes('consentToken') ? [{ discovery: [], mutualTLS: [] }] : []),
    { pastedToken: [] },
  ];
}

function placesOf({ browser, tpp }: NonNullable<DocumentedServers['authorisationServer']>) {
  const atTpp = `${tpp.url}${mountPath}`;
  return { issuer: `${browser.url}${mountPath}`, tokenUrl: `${atTpp}${authorisationPaths.token}` };
}

export const authorisationTag = {
  name: 'Authorisation',
  description: 'The authorization server: discovery, registration, pushed requests and tokens.',
};

/** The endpoints of the embedded authorization server, in the standards' terms; empty where the bank has its own server. */
export function authorisationPathsOf({ authorisationServer }: DocumentedServers): Record<string, Json> {
  if (authorisationServer === undefined) return {};
  const atBrowser = [{ url: authorisationServer.browser.url }];
  return {
    [at(discoveryPath)]: {
      servers: atBrowser,
      get: operation('GetDiscovery', 'Metadata of the authorization server', discoveryWords, {
        security: [],
        responses: { 200: answer('Metadata (OpenID Connect Discovery).') },
      }),
    },
    [at(authorisationPaths.authorization)]: {
      servers: atBrowser,
      get: operation('Authorize', 'Send the customer to the bank', authorizeWords, {
        security: [],
        parameters: ['client_id', 'request_uri', 'request'].map((name) => ({
          name,
          in: 'query',
          required: name === 'client_id',
          description: words[name],
          schema: { type: 'string' },
        })),
        responses: {
          200: { description: 'With `response_mode=form_post`: a page that posts the answer to the TPP.' },
          302: { description: 'To the pages of the bank, or back to the TPP.' },
        },
      }),
    },
    ...pathsOfTpps(authorisationServer),
  };
}

function pathsOfTpps({ tpp, directory }: NonNullable<DocumentedServers['authorisationServer']>): Record<string, Json> {
  const atTpp = [{ url: tpp.url }];
  return {
    [echoCertificatePath]: { servers: atTpp, get: echo },
    [at(authorisationPaths.pushed_authorization_request)]: {
      servers: atTpp,
      post: operation('PushAuthorizationRequest', 'Push an authorization request', pushWords, {
        security: [{ mutualTLS: [] }],
        requestBody: form([...pushed, ...pkce, 'client_id', ...assertion], pushExample.asked),
        responses: { 201: answer('`request_uri` and `expires_in`.', pushExample.answered) },
      }),
    },
    [at(authorisationPaths.token)]: {
      servers: atTpp,
      post: operation('CreateToken', 'Get tokens', tokenWords, {
        security: [{ mutualTLS: [] }],
        requestBody: form([...granting, 'client_id', ...assertion], tokenExample.asked),
        responses: {
          200: answer(
            '`access_token`, `expires_in`, and further members that depend on the grant.',
            tokenExample.answered,
          ),
        },
      }),
    },
    ...(directory && {
      [at(registrationPath)]: {
        servers: atTpp,
        post: operation('Register', 'Register a TPP', registerWords, {
          security: [{ mutualTLS: [] }],
          requestBody: {
            required: true,
            content: { 'application/jose': { schema: { type: 'string' }, example: registrationExample.asked } },
          },
          responses: { 201: answer('The registered metadata, with `client_id`.') },
        }),
      },
    }),
  };
}

const echo = {
  operationId: 'EchoCertificate',
  summary: 'See your certificate as the bank sees it',
  description:
    'Needs no token. Which certificate came with the connection, the registered clients to which it belongs, and each reason ' +
    'why it is refused with the act that mends it. `Refuses` is `Everything` where no token is issued with the certificate ' +
    'or accepted, `Registration`, or `AuthenticationByCertificate`. Each answer counts as a failed request of the certificate.',
  tags: [authorisationTag.name],
  security: [{ mutualTLS: [] }],
  responses: {
    200: answer('`Accepted`, `Certificate`, `Clients` and `Faults`.', echoExample),
    429: { description: 'Too many failed requests of the certificate or the address: wait for `Retry-After`.' },
  },
};

const at = (path: string): string => `${mountPath}${path}`;
const pushed = ['request', 'response_type', 'redirect_uri', 'scope', 'state', 'nonce', 'claims'];
const pkce = ['code_challenge', 'code_challenge_method'];
const granting = ['grant_type', 'scope', 'code', 'code_verifier', 'redirect_uri', 'refresh_token'];
const assertion = ['client_assertion_type', 'client_assertion'];
const discoveryWords = 'Every address, algorithm and scope that the server knows (OpenID Connect Discovery 1.0).';
const authorizeWords =
  'A FAPI 2.0 TPP must push its request; a FAPI 1.0 TPP must sign it. The request names the consent in `claims`, and its ' +
  'scope has `openid` and `accounts`.';
const pushWords = 'RFC 9126. An unknown scope, or a request without `accounts`, is `invalid_scope`.';
const tokenWords =
  'RFC 6749: `client_credentials` for consents, `authorization_code` and `refresh_token` for accounts. Tokens are bound to ' +
  'the certificate of the connection (RFC 8705).';
const registerWords =
  'Open Banking Dynamic Client Registration 3.3: a JWT that the key of the software signed, with the software statement. ' +
  'In a sandbox, `npm run sandbox -- tpp new` makes both and registers the TPP.';

const words: Readonly<Record<string, string>> = {
  client_id: 'The id that the TPP got when it registered.',
  request_uri: 'The name of a pushed request.',
  request: 'The request as a signed JWT (RFC 9101).',
  response_type: '`code` or `code id_token`.',
  redirect_uri: 'One of the registered addresses, character by character.',
  scope: '`openid accounts`; with client credentials `accounts`.',
  state: 'A value that comes back with the answer.',
  nonce: 'A value that the ID token repeats.',
  code_challenge: 'The hash of the verifier (RFC 7636).',
  code_challenge_method: '`S256`.',
  code_verifier: 'The verifier of the `code_challenge`, where there was one.',
  claims: 'Names the consent as `openbanking_intent_id`.',
  grant_type: '`client_credentials`, `authorization_code` or `refresh_token`.',
  code: 'The code with which the customer came back.',
  refresh_token: 'The refresh token of an earlier answer.',
  client_assertion_type: '`urn:ietf:params:oauth:client-assertion-type:jwt-bearer`, with `private_key_jwt`.',
  client_assertion: 'A JWT that the key of the TPP signed, of use once (RFC 7523).',
};

function form(names: readonly string[], example: Json): Json {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', description: words[name] }]));
  const schema = { type: 'object', properties };
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema, example } } };
}

function answer(description: string, example?: Json): Json {
  return { description, content: { 'application/json': { schema: { type: 'object' }, ...(example && { example }) } } };
}

function operation(operationId: string, summary: string, description: string, rest: Json & { responses: Json }): Json {
  return {
    operationId,
    summary,
    description,
    tags: [authorisationTag.name],
    ...rest,
    responses: { ...rest.responses, 400: answer('`error` and `error_description` (RFC 6749, section 5.2).') },
  };
}
