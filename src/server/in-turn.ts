import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * From now on the server handles one request of a connection at a time, and one more may wait. Node alone would handle all
 * that a packet of 64 KiB has, 1,700 or more, before any other connection has its turn. A further request is marked
 * `isOneTooMany`: its answer is the last one, and nothing behind it is read.
 */
export function answerInTurn(server: Server): void {
  const [handle, ...others] = server.listeners('request') as RequestListener[];
  if (handle === undefined || others.length > 0) throw new Error('a listener has one handler of requests');
  server.removeAllListeners('request');
  /** By connection with a request under way: the next ones. */
  const waiting = new WeakMap<Socket, (() => void)[]>();

  const begin = (request: IncomingMessage, response: ServerResponse, next: (() => void)[]): void => {
    response.once('close', () => {
      const following = next.shift();
      if (following === undefined) waiting.delete(request.socket);
      else following();
    });
    handle(request, response);
  };
  server.on('request', (request, response) => {
    const { socket } = request;
    const next = waiting.get(socket);
    if (next === undefined) {
      const none: (() => void)[] = [];
      waiting.set(socket, none);
      return begin(request, response, none);
    }
    // The rest of the packet, which has no answer.
    if (next.length > 1) return void response.emit('close');
    if (next.length === 1) {
      request.isOneTooMany = true;
      discardFurtherBytes(socket);
    }
    // The answer before it may have ended the connection.
    next.push(() => socket.writable && begin(request, response, next));
  });
}

/** Takes the connection from Node's parser, which would keep each request of a flood until the connection closes. */
function discardFurtherBytes(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
}

declare module 'node:http' {
  interface IncomingMessage {
    /** It came while another request of its connection waited: it is refused, and the connection closes. */
    isOneTooMany?: true;
  }
}
