import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';

/**
 * The configured URL under which a request came, on which every link of its answer is built: a token that is bound to a
 * certificate is of use only where certificates are asked for. The Host header chooses between our own names and adds
 * none to them.
 */
export function baseUrls({
  baseUrl,
  authorisationServer,
}: Pick<GatewayConfig, 'baseUrl' | 'authorisationServer'>): (request: Pick<FastifyRequest, 'headers'>) => string {
  if (authorisationServer === undefined) return () => baseUrl;
  const { url } = authorisationServer.tpp;
  const { host } = new URL(url);
  return ({ headers }) => (headers.host?.toLowerCase() === host ? url : baseUrl);
}
