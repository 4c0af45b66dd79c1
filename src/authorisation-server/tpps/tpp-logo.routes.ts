import type { FastifyInstance } from 'fastify';
import { pathUnknown } from '../../open-banking/common-errors.js';
import { declareRoutes } from '../../server/routes.js';
import { logoPath } from '../pages/customer-pages.js';
import type { TppLogoStore } from './tpp-logo.store.js';

/** Serves the logos of TPPs: customers' browsers never ask a TPP's server. */
export function tppLogoRoutes(server: FastifyInstance, logos: TppLogoStore): void {
  declareRoutes(server, logoPath, (routes) => {
    routes.route<{ Params: { digest: string } }>({
      method: ['GET', 'HEAD'],
      url: '/:digest',
      handler: async (request, reply) => {
        const { digest } = request.params;
        const logo = /^[0-9a-f]{64}$/.test(digest) ? await logos.find(digest) : undefined;
        if (logo === undefined) {
          server.respond(pathUnknown(), request, reply);
          return reply;
        }
        return reply.headers(logoHeaders(logo.contentType)).send(logo.body);
      },
    });
  });
}

/** The image comes from outside, so it must not run as anything else than an image. */
function logoHeaders(contentType: string): Record<string, string> {
  return {
    'content-type': contentType,
    // The path names the content.
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  };
}
