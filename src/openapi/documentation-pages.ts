import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { isHttps } from '../config/exposure.js';
import type { ApiVersion } from '../endpoint/api-version.js';
import { errorsPagePath } from '../server/error-names.js';
import { strictTransport, strictTransportHeader } from '../server/strict-transport.js';
import { documentName, documentPath } from '../versions/versions.js';
import { metadataUrlOf, type DocumentedServers } from './authorisation-document.js';
import { errorsPage } from './errors-page.js';

/** The document of a version, once the server is ready. */
export function documentIn(server: FastifyInstance, version: ApiVersion): object {
  return server.getDecorator<() => object>(documentName('swagger', version))();
}

/**
 * Allows this server only, and the authorization server, whose metadata the page reads. It has no `upgrade-insecure-requests`,
 * which would break the page behind plain HTTP.
 */
function contentSecurityPolicy(config: DocumentedServers): Readonly<Record<string, string>> {
  const metadataUrl = metadataUrlOf(config);
  return {
    'default-src': "'self'",
    ...(metadataUrl && { 'connect-src': `'self' ${new URL(metadataUrl).origin}` }),
    'img-src': "'self' data:",
    'style-src': "'self' 'unsafe-inline'",
    'object-src': "'none'",
    'base-uri': "'self'",
    'frame-ancestors': "'none'",
  };
}

/** The bar only chooses between documents, and shows the logo of the page's library, which is not the bank's. */
const withoutBar = '.swagger-ui .topbar { display: none; }';
const withoutLogo = '.swagger-ui .topbar .link { display: none; }';

/** The documents from which a reader chooses. Each address begins with the path of the base URL. */
function listedDocuments(baseUrl: string, versions: readonly ApiVersion[]): { name: string; url: string }[] {
  return versions.map((version) => ({
    name: version.name,
    url: new URL(`${baseUrl}${documentPath(version)}`).pathname,
  }));
}

/** On a phone the library's page would be wider than the screen, because of its summaries and tables. */
const pageStyle = `@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .info { margin: 20px 0; overflow-wrap: anywhere; }
  .swagger-ui .info .title { font-size: 24px; }
  .swagger-ui .scheme-container { padding: 10px 0; }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap; }
  .swagger-ui .scheme-container .servers > label { margin-right: 0; }
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

/** The OpenAPI document of each version, the page that shows them at `/docs`, and the page of the errors. */
export async function declarePages(
  pages: FastifyInstance,
  config: DocumentedServers,
  errorCodePrefix: string,
  versions: readonly ApiVersion[],
): Promise<void> {
  pages.addHook('onRoute', function (route) {
    route.config = { ...route.config, declaration: { kind: 'public', name: 'documentation' } };
    // The library declares its pages for GET only, and its files for HEAD too.
    if (route.method !== 'GET' || route.exposeHeadRoute || this.hasRoute({ url: route.url, method: 'HEAD' })) return;
    const path = route.url.slice(this.prefix.length);
    const head = { ...route, url: path, path, method: 'HEAD' as const };
    this.route(head);
  });
  pages.addHook('onSend', (request, reply, _payload, done) => {
    if (isHttps(request.context.linkBase())) void reply.header(strictTransportHeader, strictTransport);
    done();
  });
  const hidden = { schema: { hide: true }, exposeHeadRoute: true };
  for (const version of versions)
    pages.get(documentPath(version), hidden, (_request, reply) =>
      reply.header('cache-control', 'no-cache').send(documentIn(pages, version)),
    );
  declareErrorsPage(pages, errorsPage(errorCodePrefix, versions));
  // Relative, because the path of the base URL comes before it.
  pages.get('/', hidden, (_request, reply) => reply.redirect('docs', 302));
  await pages.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy(config),
    uiConfig: { deepLinking: true, ...(versions.length > 1 && { urls: listedDocuments(config.baseUrl, versions) }) },
    theme: {
      title: 'Account information',
      css: [{ filename: 'page.css', content: `${versions.length > 1 ? withoutLogo : withoutBar}\n${pageStyle}` }],
    },
    logLevel: 'silent',
  });
}

function declareErrorsPage(pages: FastifyInstance, html: string): void {
  pages.get(errorsPagePath, { schema: { hide: true }, exposeHeadRoute: true }, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .type('text/html; charset=utf-8')
      .send(html),
  );
}
