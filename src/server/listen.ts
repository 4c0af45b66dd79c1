import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
import { limitConnections } from './connection-limit.js';
import { BootError } from '../config/boot-error.js';

/**
 * @param at with the limit of open connections
 * @param settings the names of the settings that the host and the port come from
 * @throws BootError when the port is unavailable
 */
export async function listen(
  server: FastifyInstance,
  at: { readonly host: string; readonly port: number; readonly maxConnections: number },
  settings: { readonly host: string; readonly port: string },
): Promise<void> {
  try {
    // One address: of a name that has several Fastify would listen on each, by servers that drain and renew nothing.
    const { address } = await lookup(at.host, { order: 'ipv4first' });
    limitConnections(server.server, at.maxConnections, server.log);
    await server.listen({ host: address, port: at.port });
  } catch (error) {
    throw listenFault(error, at.host, at.port, settings.port, settings.host);
  }
}

/** Says in one line what to do about a listener that cannot open its port. Any other error stays as it is. */
export function listenFault(error: unknown, host: string, port: number, setting: string, hostSetting: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new BootError(`port ${port} is in use: stop what uses it, or set ${setting}`);
    case 'EACCES':
      return new BootError(`port ${port} may not be used by this user: set ${setting} to another`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new BootError(`the address ${host} is not one of this machine: set ${hostSetting}`);
    default:
      return error;
  }
}
