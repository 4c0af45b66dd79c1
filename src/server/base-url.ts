import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';

/** Those to the listener that asks for certificates. */
const connections = new WeakSet<Duplex>();

/** To be called by that listener before anything comes on the connection. */
export function asksForCertificate(connection: Duplex): void {
  connections.add(connection);
}

export function isAskedForCertificate({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return connections.has(raw.socket);
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
  return (request) => (isAskedForCertificate(request) ? url : baseUrl);
}
