import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';

interface Connection {
  /**
   * Its answers under way, the oldest first. A Map of the answers of all connections would leave its outgrown tables behind, and
   * each table in the old generation keeps its answers from dying young: docs/operate/performance.md has the figure.
   */
  readonly answers: ServerResponse[];
  onUse: (() => void) | undefined;
}

const connections = new WeakMap<Duplex, Connection>();

/** The answers under way on a connection, the oldest first: several where the client did not wait for each. */
export function answersOn(socket: Duplex): readonly ServerResponse[] {
  return connections.get(socket)?.answers ?? [];
}

/** `onUse` is called from now on when a request of the connection comes, and when its answer has ended. */
export function watchUse(socket: Socket, onUse: () => void): void {
  connectionOf(socket).onUse = onUse;
}

/**
 * From now on the server handles one request of a connection at a time, and one more may wait. Node alone would handle all
 * that a packet of 64 KiB has, 1,700 or more, before any other connection has its turn. A further request is marked
 * `isOneTooMany`: its answer is the last one, and nothing behind it is read.
 */
export function answerInTurn(server: Server): void {
  const [handle, ...others] = server.listeners('request') as RequestListener[];
  if (handle === undefined || others.length > 0) throw new Error('a listener has one handler of requests');
  server.removeAllListeners('request');

  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connectionOf(socket);
    const { answers } = connection;
    // The rest of the packet, which has no answer.
    if (answers.length > 2) return;
    if (answers.length === 2) {
      request.isOneTooMany = true;
      discardFurtherBytes(socket);
    }
    connection.onUse?.();
    response.once('close', () => {
      const place = answers.indexOf(response);
      answers.splice(place, 1);
      connection.onUse?.();
      const [next] = answers;
      // The answer may have ended the connection.
      if (place === 0 && next !== undefined && socket.writable) handle(next.req, next);
    });
    if (answers.push(response) === 1) handle(request, response);
  });
}

function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket);
  if (connection === undefined) connections.set(socket, (connection = { answers: [], onUse: undefined }));
  return connection;
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
  interface ServerResponse {
    /** Fastify's view of the answer, once the first hook has run. */
    reply?: FastifyReply;
  }
}
