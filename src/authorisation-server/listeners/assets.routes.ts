import type { FastifyInstance } from 'fastify';
import { pathUnknown } from '../../open-banking/common-errors.js';
import { declareRoutes } from '../../server/routes.js';
import { assetPath, type PageAsset } from '../pages/customer-pages.js';

/** Style sheets, the bank's logo and the like of its pages. */
export function assetRoutes(server: FastifyInstance, assets: readonly PageAsset[]): void {
  declareRoutes(server, assetPath, (routes) => {
    routes.route<{ Params: { name: string } }>({
      method: ['GET', 'HEAD'],
      url: '/:name',
      handler: (request, reply) => {
        const { params } = request;
        const asset = assets.find(({ name }) => name === params.name);
        if (asset === undefined) return server.respond(pathUnknown(), request, reply);
        return reply
          .headers({
            'content-type': asset.contentType,
            'cache-control': 'public, max-age=31536000, immutable',
            'x-content-type-options': 'nosniff',
            'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
          })
          .send(asset.body);
      },
    });
  });
}
