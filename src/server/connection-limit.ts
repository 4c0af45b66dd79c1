import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { monotonicMs } from '../clock/monotonic.js';
import { answersOn, watchUse } from './in-turn.js';

/** One line in this time, however many connections are closed. */
const warnEveryMs = 60_000;

interface Connection {
  readonly accepted: Socket;
  /** The socket of its requests: under TLS not the accepted socket, once the handshake has ended. */
  speaking: Socket;
}

/**
 * From now on the listener has at most `most` open connections, so that it cannot use up the file descriptors that another
 * listener needs. At the limit an open connection makes room for the new one: a caller that sends a whole request is
 * answered, however many others are silent. The limit knows no addresses, because behind a balancer all callers have the
 * same address. The server must answer in turn ({@link answerInTurn}).
 */
export function limitConnections(server: Server, most: number, log: FastifyBaseLogger): void {
  /** By the address and port of the other end, the one that has been inactive for longest first. */
  const open = new Map<string, Connection>();
  const warn = warnings(log);
  const enter = (end: string, connection: Connection): void => {
    open.delete(end);
    open.set(end, connection);
  };
  const follow = (socket: Socket, end: string, connection: Connection): void =>
    watchUse(socket, () => {
      if (open.get(end) === connection) enter(end, connection);
    });
  server.on('connection', (accepted: Socket) => {
    const end = otherEnd(accepted);
    if (open.size >= most) {
      warn(accepted.localPort);
      const [leavingEnd, { accepted: leaving, speaking }] = leastNeeded(open) ?? [
        end,
        { accepted, speaking: accepted },
      ];
      open.delete(leavingEnd);
      for (const { reply } of answersOn(speaking)) if (reply) reply.request.context.reason ??= 'connections-taken';
      leaving.destroy();
      if (leaving === accepted) return;
    }
    const connection: Connection = { accepted, speaking: accepted };
    enter(end, connection);
    follow(accepted, end, connection);
    accepted.once('close', () => {
      if (open.get(end)?.accepted === accepted) open.delete(end);
    });
  });
  server.on('secureConnection', (speaking: Socket) => {
    const end = otherEnd(speaking);
    const connection = open.get(end);
    if (connection === undefined) return;
    connection.speaking = speaking;
    follow(speaking, end, connection);
  });
}

/**
 * The first connection that has sent no whole request since its last answer, such as one in its handshake; otherwise the
 * first whose client does not read its answers. `undefined` where each has a request that waits for its answer.
 */
function leastNeeded(open: ReadonlyMap<string, Connection>): [string, Connection] | undefined {
  let unread: [string, Connection] | undefined;
  for (const entry of open) {
    const complete = answersOn(entry[1].speaking).filter(({ req }) => req.complete);
    if (complete.length === 0) return entry;
    if (complete.every(({ writableEnded }) => writableEnded)) unread ??= entry;
  }
  return unread;
}

function warnings(log: FastifyBaseLogger): (port: number | undefined) => void {
  let warnedMs = Number.NEGATIVE_INFINITY;
  let closed = 0;
  return (port) => {
    closed++;
    if (monotonicMs() - warnedMs < warnEveryMs) return;
    log.warn({ port, closed }, 'this port has as many open connections as it may have: each new one closes another');
    warnedMs = monotonicMs();
    closed = 0;
  };
}

function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
