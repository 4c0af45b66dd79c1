import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Slots } from './slots.js';

const lookEveryMs = 50;

/**
 * Gives what stops the server without cutting an answer off; to be called before the server listens. Node's own `close`
 * lets a connection that was busy be kept for minutes more, with one request after another on it, and waits for those
 * who have connected and never said anything.
 */
export function drainable(server: Server): () => Promise<void> {
  const connections = new Set<Socket>();
  const underWay = new Slots<ServerResponse>();
  let draining = false;
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (_request, response) => {
    if (draining) response.shouldKeepAlive = false;
    const slot = underWay.enter(response);
    response.once('close', () => underWay.leave(slot));
  });
  return () => {
    draining = true;
    // `Connection: close`: whoever reads that sends nothing more there, so that no request meets a closed connection.
    for (const response of underWay.all()) response.shouldKeepAlive = false;
    return new Promise((resolve) => {
      const closing = setInterval(() => {
        if (underWay.size > 0) server.closeIdleConnections();
        // A TLS handshake that goes nowhere, too: the server itself knows only of connections that came as far as HTTP.
        else for (const connection of connections) connection.destroy();
      }, lookEveryMs);
      // Also of one that never listened.
      server.close(() => {
        clearInterval(closing);
        resolve();
      });
    });
  };
}
