import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import { PublicIds } from '../open-banking/public-ids.js';
import type { Profile } from '../profiles/profile.js';
import {
  authorisationPathsOf,
  authorisationTag,
  documentedServers,
  securityOf,
  securitySchemesOf,
} from './authorisation-document.js';
import { errorsPage } from './errors-page.js';
import { publishedFactsPath } from './published-facts.js';
import type { ApiVersion } from '../endpoint/api-version.js';
import { oldest, versions } from '../versions/versions.js';
import { errorNamesIn, errorsPagePath } from '../server/error-names.js';
import { isHttps, strictTransport, strictTransportHeader } from '../server/strict-transport.js';
import { completeDocument, describeOperation, type OpenApiDocument } from './openapi-document.js';

/** Everything from this server, and no `upgrade-insecure-requests`: it would break the page behind plain HTTP. */
const contentSecurityPolicy = {
  'default-src': "'self'",
  'img-src': "'self' data:",
  'style-src': "'self' 'unsafe-inline'",
  'object-src': "'none'",
  'base-uri': "'self'",
  'frame-ancestors': "'none'",
};

type DocumentConfig = Pick<GatewayConfig, 'baseUrl' | 'errorCodePrefix' | 'authorisationServer' | 'idKey'>;

/**
 * The OpenAPI document that the routes themselves declare, at `/openapi.json`, and a page to read it at `/docs`. Must be
 * registered before the first route. Both are public: they say what the gateway does, and nothing of any customer.
 * @param exampleAccount the core's reference of an account that the examples of paths name: only a sandbox has one
 */
export async function registerOpenApi(
  server: FastifyInstance,
  config: DocumentConfig,
  profile: Profile,
  exampleAccount?: string,
): Promise<void> {
  const exampleId = exampleAccount === undefined ? undefined : new PublicIds(config.idKey).ofAccount(exampleAccount);
  for (const version of versions) await server.register(swagger, documentOf(version, config, profile, exampleId));
  await server.register((pages) => declarePages(pages, config));
}

/** One document of several by its name: that of the oldest version has the plain name, so that it keeps its place. */
export function documentName(plain: string, version: ApiVersion): string {
  return version === oldest ? plain : `${plain}-${version.name}`;
}

/** The document of a version, once the server is ready. */
export function documentIn(server: FastifyInstance, version: ApiVersion): object {
  return server.getDecorator<() => object>(documentName('swagger', version))();
}

function documentOf(
  version: ApiVersion,
  config: DocumentConfig,
  profile: Profile,
  exampleId: string | undefined,
): FastifyDynamicSwaggerOptions {
  return {
    decorator: documentName('swagger', version),
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      info: infoOf(version, profile),
      servers: documentedServers(config),
      tags: [...apiTags, ...(config.authorisationServer === undefined ? [] : [authorisationTag])],
      components: { securitySchemes: securitySchemesOf(config) as never },
    },
    transform: transformOf(version, config, profile, exampleId),
    transformObject: (made) =>
      'openapiObject' in made
        ? withPaths(
            completeDocument(made.openapiObject as OpenApiDocument, version, errorNamesIn(version, config)),
            authorisationPathsOf(config),
          )
        : made.swaggerObject,
  };
}

/** Adds to a route's own schema, and hides the routes of the other versions. */
function transformOf(
  version: ApiVersion,
  config: DocumentConfig,
  profile: Profile,
  exampleId: string | undefined,
): NonNullable<FastifyDynamicSwaggerOptions['transform']> {
  return ({ schema, url, route }) => {
    const declaration = route.config?.declaration;
    if (declaration && 'version' in declaration && declaration.version !== version)
      return { schema: { ...schema, hide: true }, url };
    const description = describeOperation(declaration, profile.endpoints);
    const security = schema?.security && securityOf(schema.security, config);
    const params = exampleId && withExample(schema?.params as PathSchema | undefined, exampleId);
    return {
      schema: {
        ...schema,
        ...(description && { description }),
        ...(security && { security }),
        ...(params && { params }),
      },
      url,
    };
  };
}

interface PathSchema {
  readonly properties: { readonly AccountId?: object };
}

/** With an id that can be pasted. A bank's document has a made-up one: a true one would be a customer's. */
function withExample(params: PathSchema | undefined, exampleId: string): PathSchema | undefined {
  if (params?.properties.AccountId === undefined) return params;
  return {
    ...params,
    properties: { ...params.properties, AccountId: { ...params.properties.AccountId, examples: [exampleId] } },
  };
}

function withPaths(document: OpenApiDocument, more: Record<string, object>): OpenApiDocument {
  return { ...document, paths: { ...document.paths, ...more } as OpenApiDocument['paths'] };
}

const apiTags = [
  { name: 'Account access consents', description: 'What a TPP may read of a customer, and until when.' },
  { name: 'Account information', description: 'What the customer has agreed to share.' },
];

function infoOf(version: ApiVersion, profile: Profile) {
  return {
    title: `Account information, ${profile.name}`,
    version: version.release,
    description: gettingStarted(version),
    contact: { name: 'The bank that runs this gateway' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
}

const gettingStarted = ({
  basePath,
}: ApiVersion) => `Read-only account information under the UK Open Banking standard. Every path starts with
\`${basePath}\`, and every answer carries \`x-fapi-interaction-id\`.

## Getting started

1. Get a client-credentials token, and create an account access consent with it.
2. Send the customer to the bank. The customer selects accounts and approves the consent.
3. Read the accounts with the token of the consent. For 5 minutes after the customer's authentication you may read
   everything that the consent permits; after that, accounts, balances and recent transactions.

To try it here, press **Authorize**, paste a token, and press **Try it out** at an endpoint. While a sandbox runs,
\`npm run --silent sandbox -- consent --persona complete\` prints a token for it, and the ids of the accounts. And
\`npm run --silent sandbox -- tpp new --name "My TPP" --redirect http://localhost:4000/callback --auth certificate\` makes
a TPP of your own, with programs and a collection for Postman.

Each error has a \`Url\`, which leads to [the errors](${errorsPagePath}). \`GET ${publishedFactsPath}\`, without a token, says
which product has which endpoint, what the authentication window exempts, the page size, what is known of pending
transactions and of history, and that a consent's history must not reach into the future.`;

/** The bar is there to choose another document, and shows whose page it is not. */
const withoutBar = '.swagger-ui .topbar { display: none; }';

/** The documents among which a reader chooses. A path of the base URL comes before each address. */
function listedDocuments(baseUrl: string): { name: string; url: string }[] {
  return versions.map((version) => ({
    name: version.name,
    url: new URL(`${baseUrl}/${documentName('openapi', version)}.json`).pathname,
  }));
}

/** On a phone the library's page is wider than the screen, by its summaries and tables. */
const pageStyle = `@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .info { margin: 20px 0; overflow-wrap: anywhere; }
  .swagger-ui .info .title { font-size: 24px; }
  .swagger-ui .scheme-container { padding: 10px 0; }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; overflow-wrap: anywhere; }
  .swagger-ui .responses-inner { overflow-x: auto; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 20px; }
  .swagger-ui .opblock-tag small { flex: 1 0 100%; order: 1; padding: 4px 0; }
  .swagger-ui table.parameters tr, .swagger-ui table.parameters td { display: block; width: auto; }
  .swagger-ui table.parameters td { padding: 4px 0; }
  .swagger-ui table.parameters thead { display: none; }
}`;

async function declarePages(pages: FastifyInstance, { errorCodePrefix, baseUrl }: DocumentConfig): Promise<void> {
  pages.addHook('onRoute', (route) => {
    route.config = { ...route.config, declaration: { kind: 'public' } };
  });
  pages.addHook('onSend', (request, reply, _payload, done) => {
    if (isHttps(request.baseUrl)) void reply.header(strictTransportHeader, strictTransport);
    done();
  });
  for (const version of versions)
    pages.get(`/${documentName('openapi', version)}.json`, { schema: { hide: true } }, (_request, reply) =>
      reply.header('cache-control', 'no-cache').send(documentIn(pages, version)),
    );
  const explained = errorsPage(errorCodePrefix);
  pages.get(errorsPagePath, { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .type('text/html; charset=utf-8')
      .send(explained),
  );
  // Relative: a path of the base URL comes before it.
  pages.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('docs', 302));
  await pages.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy,
    uiConfig: { deepLinking: true, ...(versions.length > 1 && { urls: listedDocuments(baseUrl) }) },
    theme: {
      title: 'Account information',
      css: [{ filename: 'page.css', content: versions.length > 1 ? pageStyle : `${withoutBar}\n${pageStyle}` }],
    },
    logLevel: 'silent',
  });
}
