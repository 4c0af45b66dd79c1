import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';

/** What came to the listener that asks for certificates. */
const withCertificates = new WeakSet<IncomingMessage>();

/** To be called by that listener before it passes the request on. */
export function cameWithCertificates(request: IncomingMessage): void {
  withCertificates.add(request);
}

/**
 * The configured URL of the listener to which a request came, on which every link of its answer is built, whatever its
 * Host header says: a token that is bound to a certificate is of use only where certificates are asked for.
 */
export function baseUrls({
  baseUrl,
  authorisationServer,
}: Pick<GatewayConfig, 'baseUrl' | 'authorisationServer'>): (request: Pick<FastifyRequest, 'raw'>) => string {
  if (authorisationServer === undefined) return () => baseUrl;
  const { url } = authorisationServer.tpp;
  return ({ raw }) => (withCertificates.has(raw) ? url : baseUrl);
}
