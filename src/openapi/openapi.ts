import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import { basePath } from '../open-banking/base-path.js';
import type { Profile } from '../profiles/profile.js';
import { errorsPage } from './errors-page.js';
import { publishedFactsPath } from './published-facts.js';
import { errorNamesOf, errorsPagePath } from '../server/error-names.js';
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

type DocumentConfig = Pick<GatewayConfig, 'baseUrl' | 'errorCodePrefix'>;

/**
 * The OpenAPI document that the routes themselves declare, at `/openapi.json`, and a page to read it at `/docs`. Must be
 * registered before the first route. Both are public: they say what the gateway does, and nothing of any customer.
 */
export async function registerOpenApi(
  server: FastifyInstance,
  config: DocumentConfig,
  profile: Profile,
): Promise<void> {
  await server.register(swagger, documentOf(config, profile));
  await server.register((pages) => declarePages(pages, config.errorCodePrefix));
}

function documentOf(config: DocumentConfig, profile: Profile): FastifyDynamicSwaggerOptions {
  return {
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      info: infoOf(profile),
      servers: [{ url: config.baseUrl }],
      tags: [{ name: 'Account access consents' }, { name: 'Account information' }],
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => {
      const description = describeOperation(route.config?.declaration, profile.endpoints);
      return { schema: description === undefined ? schema : { ...schema, description }, url };
    },
    transformObject: (made) =>
      'openapiObject' in made
        ? completeDocument(made.openapiObject as OpenApiDocument, errorNamesOf(config))
        : made.swaggerObject,
  };
}

function infoOf(profile: Profile) {
  return {
    title: `Account information, ${profile.name}`,
    version: '3.1.11',
    description:
      'Read-only account information under the UK Open Banking standard. ' +
      `Every path starts with \`${basePath}\`, and every answer carries \`x-fapi-interaction-id\`.\n\n` +
      'First create an account access consent with a client-credentials token; the customer authorises it at the ' +
      'bank; then read the accounts that the customer selected with a token that is bound to the consent.\n\n' +
      `\`GET ${publishedFactsPath}\`, without a token, says which product has which endpoint, what the ` +
      'authentication window exempts, the page size, and what is known of pending transactions and of history.',
  };
}

const securitySchemes = {
  clientCredentials: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "A client-credentials access token of the bank's authorisation server, scope `accounts`.",
  },
  consentToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "An access token of the bank's authorisation server that is bound to a consent, scope `accounts`. " +
      'Where it carries `cnf.x5t#S256`, the client certificate must match.',
  },
} as const;

async function declarePages(pages: FastifyInstance, bankPrefix: string): Promise<void> {
  pages.addHook('onRoute', (route) => {
    route.config = { ...route.config, declaration: { kind: 'public' } };
  });
  pages.addHook('onSend', (request, reply, _payload, done) => {
    if (isHttps(request.baseUrl)) void reply.header(strictTransportHeader, strictTransport);
    done();
  });
  pages.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(pages.swagger()),
  );
  const explained = errorsPage(bankPrefix);
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
    uiConfig: { deepLinking: true },
    theme: {
      title: 'Account information',
      // The bar is there to load other documents, and shows whose page it is not.
      css: [{ filename: 'page.css', content: '.swagger-ui .topbar { display: none; }' }],
    },
    logLevel: 'silent',
  });
}
