import type { RequestListener, Server } from 'node:http';
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
  /** By connection: how the requests that have no answer yet begin. The first of them has begun. */
  const unanswered = new WeakMap<Socket, (() => void)[]>();

  server.on('request', (request, response) => {
    const { socket } = request;
    let here = unanswered.get(socket);
    if (here === undefined) unanswered.set(socket, (here = []));
    const queue = here;
    // The rest of the packet, which has no answer.
    if (queue.length > 2) return void response.emit('close');
    if (queue.length === 2) {
      request.isOneTooMany = true;
      discardFurtherBytes(socket);
    }
    const begin = (): void => {
      response.once('close', () => {
        queue.shift();
        // The answer may have ended the connection.
        if (socket.writable) queue[0]?.();
      });
      handle(request, response);
    };
    if (queue.push(begin) === 1) begin();
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
