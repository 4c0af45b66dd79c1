import type { FastifyInstance } from 'fastify';
import { assetPath, type PageAsset } from '../pages/customer-pages.js';
import { declareRoutes } from './listener.js';
import { notFound } from './refusals.js';

/** Style sheets, logos and the like of the bank's pages. */
export function assetRoutes(server: FastifyInstance, assets: readonly PageAsset[]): void {
  declareRoutes(server, assetPath, (routes) => {
    routes.route<{ Params: { name: string } }>({
      method: ['GET', 'HEAD'],
      url: '/:name',
      handler: ({ params }, reply) => {
        const asset = assets.find(({ name }) => name === params.name);
        if (asset === undefined) return notFound(reply);
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
