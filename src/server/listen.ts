import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
import { limitConnections } from './connection-limit.js';
import { listenFault } from './listen-fault.js';

/**
 * @param at with the limit of open connections, unless the listener has its own
 * @param settings the names of the settings that the host and the port come from
 * @throws BootError when the port is unavailable
 */
export async function listen(
  server: FastifyInstance,
  at: { readonly host: string; readonly port: number; readonly maxConnections?: number },
  settings: { readonly host: string; readonly port: string },
): Promise<void> {
  try {
    // One address: of a name that has several Fastify would listen on each, by servers that drain and renew nothing.
    const { address } = await lookup(at.host, { order: 'ipv4first' });
    if (at.maxConnections !== undefined) limitConnections(server.server, at.maxConnections, server.log);
    await server.listen({ host: address, port: at.port });
  } catch (error) {
    throw listenFault(error, at.host, at.port, settings.port, settings.host);
  }
}
