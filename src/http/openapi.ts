import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { basePath } from '../open-banking/endpoints.js';

/**
 * The OpenAPI document that the routes themselves declare, at `/openapi.json`, and a page to read it at `/docs`. Must be
 * registered before the first route. Both are public: they say what the gateway does, and nothing of any customer.
 */
export async function registerOpenApi(server: FastifyInstance, baseUrl: string, profileName: string): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Account information',
        version: '3.1.11',
        description:
          `Read-only account information under the UK Open Banking standard, ${profileName}. ` +
          `Every path starts with ${basePath}; every answer carries x-fapi-interaction-id.`,
      },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          consentToken: {
            type: 'oauth2',
            description: "Access token bound to a customer's consent, scope accounts.",
            flows: {
              authorizationCode: { authorizationUrl: 'authorize', tokenUrl: 'token', scopes: { accounts: 'Accounts' } },
            },
          },
          clientCredentials: {
            type: 'oauth2',
            description: 'Client-credentials access token of the TPP, scope accounts.',
            flows: { clientCredentials: { tokenUrl: 'token', scopes: { accounts: 'Accounts' } } },
          },
        },
      },
    },
  });
  await server.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, declaration: { kind: 'public' } };
    });
    pages.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
      reply.header('cache-control', 'no-cache').send(server.swagger()),
    );
    await pages.register(swaggerUi, { routePrefix: '/docs', staticCSP: true, logLevel: 'silent' });
  });
}
