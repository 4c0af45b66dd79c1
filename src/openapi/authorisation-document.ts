import type { GatewayConfig } from '../config/config.js';
import { authorisationPaths, discoveryPath, mountPath } from '../open-banking/authorisation-paths.js';
import { scopes, type ApiScope } from '../open-banking/scopes.js';

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
export function securitySchemesOf({ authorisationServer }: DocumentedServers, served: readonly ApiScope[]): Json {
  if (authorisationServer === undefined)
    return {
      clientCredentials: bearer("A client-credentials access token of the bank's authorisation server."),
      consentToken: bearer(
        "An access token of the bank's authorisation server that is bound to a consent. " +
          'Where it carries `cnf.x5t#S256`, the client certificate must match.',
      ),
    };
  const { issuer, tokenUrl } = addressesOf(authorisationServer);
  return {
    clientCredentials: {
      type: 'oauth2',
      description: 'For consents. The TPP proves itself with `private_key_jwt` or its certificate.',
      flows: { clientCredentials: { tokenUrl, scopes: described(served) } },
    },
    consentToken: {
      type: 'oauth2',
      description: 'The token of a consent that the customer has approved.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${issuer}${authorisationPaths.authorization}`,
          tokenUrl,
          refreshUrl: tokenUrl,
          scopes: described(['openid', ...served]),
        },
      },
    },
    discovery: {
      type: 'openIdConnect',
      description: 'The same, found by discovery.',
      openIdConnectUrl: metadataUrlOf({ authorisationServer }),
    },
    mutualTLS: { type: 'mutualTLS', description: 'The certificate that the token is bound to.' },
    pastedToken: bearer(
      'An access token as it is. At the server without certificates it must be bound to none: the command line of the ' +
        'sandbox prints such a token.',
    ),
  };
}

function described(names: readonly (keyof typeof scopes)[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, scopes[name]]));
}

function bearer(description: string): Json {
  return { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description };
}

/** The security requirements of a route of the API: `clientCredentials` or `consentToken`. */
export function securityOf(demanded: Security | undefined, { authorisationServer }: DocumentedServers): Security {
  const schemes = (demanded ?? []).flatMap((requirement) => Object.entries(requirement));
  // Schemes other than OAuth's have no scopes.
  if (authorisationServer === undefined) return schemes.map(([scheme]) => ({ [scheme]: [] }));
  return [
    ...schemes.map(([scheme, scopes]) => ({ [scheme]: scopes, mutualTLS: [] })),
    ...(schemes.some(([scheme]) => scheme === 'consentToken') ? [{ discovery: [], mutualTLS: [] }] : []),
    { pastedToken: [] },
  ];
}

/** Where the embedded authorization server describes its own endpoints; `undefined` where the bank has its own server. */
export function metadataUrlOf({
  authorisationServer,
}: Pick<DocumentedServers, 'authorisationServer'>): string | undefined {
  return authorisationServer && `${addressesOf(authorisationServer).issuer}${discoveryPath}`;
}

function addressesOf({ browser, tpp }: NonNullable<DocumentedServers['authorisationServer']>) {
  const atTpp = `${tpp.url}${mountPath}`;
  return { issuer: `${browser.url}${mountPath}`, tokenUrl: `${atTpp}${authorisationPaths.token}` };
}
