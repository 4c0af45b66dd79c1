import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait. Node reads as many as one packet has before anything can stop it. */
const mostWaiting = 8;

type Waiting = () => void;

/**
 * From now on the server handles one request of a connection at a time: the next one once the answer before it has left.
 * Node alone would handle all that a packet of 64 KiB has, 1,700 or more, before any other connection has its turn.
 * @param onTooMany called when a connection has sent so many requests at once that it is closed
 */
export function answerInTurn(server: Server, onTooMany: () => void): void {
  const [handle, ...others] = server.listeners('request') as RequestListener[];
  if (handle === undefined || others.length > 0) throw new Error('a listener has one handler of requests');
  server.removeAllListeners('request');
  const lines = new WeakMap<Socket, Waiting[]>();

  const begin = (request: IncomingMessage, response: ServerResponse, line: Waiting[]): void => {
    response.once('close', () => {
      const next = line.shift();
      if (next === undefined) lines.delete(request.socket);
      else next();
    });
    handle(request, response);
  };
  server.on('request', (request, response) => {
    const { socket } = request;
    // The rest of a packet whose connection was closed above.
    if (socket.destroyed) return;
    const line = lines.get(socket);
    if (line === undefined) {
      const own: Waiting[] = [];
      lines.set(socket, own);
      begin(request, response, own);
    } else if (line.length < mostWaiting) {
      // The answer before it may have ended the connection.
      line.push(() => socket.writable && begin(request, response, line));
    } else {
      line.length = 0;
      socket.destroy();
      onTooMany();
    }
  });
}
