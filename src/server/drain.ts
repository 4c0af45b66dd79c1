import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { answersOn } from './in-turn.js';

const checkIntervalMs = 50;
/** A client that has just connected is about to send a request: it gets this time. */
const silenceMs = 1_000;

/** Stops a listener without cutting off an answer, or a request on a connection that the process has accepted. */
export interface Drain {
  /** From now on each answer says `Connection: close`. The listener still accepts connections. */
  announce(): void;
  /** Closes the listener. Resolves when the requests that have arrived are answered and all connections are closed. */
  finish(): Promise<void>;
}

/** To be called before the server listens, which answers in turn ({@link answerInTurn}). */
export function drainable(server: Server): Drain {
  const connections = new Set<Socket>();
  // Under TLS both come, with two sockets for one connection.
  for (const event of ['connection', 'secureConnection'])
    server.on(event, (socket: Socket) => {
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
    });
  return {
    announce() {
      server.prependListener('request', ({ socket }, response) => announceOn(response, answersOn(socket).at(-1)));
      for (const connection of connections) {
        const newest = answersOn(connection).at(-1);
        if (newest !== undefined) announceOn(newest);
      }
    },
    finish: () => finish(server, connections),
  };
}

/** @param previous the answer to the request before, which a client sent without waiting for that answer */
function announceOn(response: ServerResponse, previous?: ServerResponse): void {
  // Node closes the connection after the first answer with this header, so only the newest answer may have it.
  if (previous?.headersSent === false) previous.removeHeader('connection');
  if (!response.headersSent) response.setHeader('connection', 'close');
}

function finish(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const silentUntilMs = performance.now() + silenceMs;
  return new Promise((resolve) => {
    const closing = setInterval(
      () => closeUnused(server, connections, performance.now() >= silentUntilMs),
      checkIntervalMs,
    );
    // The close of an HTTP server would also close its idle connections: see closeUnused.
    NetServer.prototype.close.call(server, () => {
      clearInterval(closing);
      resolve();
    });
  });
}

function closeUnused(server: Server, connections: ReadonlySet<Socket>, closesSilent: boolean): void {
  // To Node a connection is idle once its answer is handed over, also while a slow client still reads: that cuts it off.
  if (![...connections].some(({ writableLength }) => writableLength > 0)) server.closeIdleConnections();
  // To Node a connection is not idle before its first request.
  if (closesSilent) for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
}
