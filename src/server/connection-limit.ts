import type { Server } from 'node:http';
import type { DropArgument, Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { OpenBankingError } from '../open-banking/errors.js';

/** Beyond the limit of the bank's port, for balancers and monitors that ask for health at the same time. */
const placesForHealth = 16;

/**
 * From now on the listener closes each connection beyond `most` open ones, before a handshake. So one listener cannot use
 * up the file descriptors that another listener needs.
 */
export function limitConnections(server: Server, most: number, log: FastifyBaseLogger): void {
  server.maxConnections = most;
  server.on('drop', (dropped: DropArgument | undefined) => warn(log, dropped?.localPort));
}

function warn(log: FastifyBaseLogger, port: number | undefined): void {
  log.warn({ port }, 'this port has as many open connections as MAX_CONNECTIONS allows, and takes no others');
}

/**
 * The limit of the bank's port. Beyond it there are places in which only health and metrics are answered, each once. A
 * connection that finds them taken takes the place of the oldest one: silent connections keep no health check out.
 */
export class HealthPlaces {
  private open = 0;
  /** The connections in these places by their other end, the oldest first: under TLS a request names another socket. */
  private readonly taken = new Map<string, Socket>();

  constructor(
    server: Server,
    private readonly most: number,
    private readonly log: FastifyBaseLogger,
  ) {
    server.on('connection', (socket: Socket) => this.enter(socket));
  }

  /** The refusal of a request for anything but health that came on a connection beyond the limit. */
  fault(request: FastifyRequest, reply: FastifyReply, isHealth: boolean): OpenBankingError | undefined {
    if (!this.taken.has(otherEnd(request.raw.socket))) return undefined;
    void reply.header('connection', 'close');
    if (isHealth) return undefined;
    return new OpenBankingError(
      'unavailable',
      { message: 'The port has too many open connections: close some that you do not use; retry after 1 s.' },
      { headers: { 'retry-after': '1' }, reason: 'connections-taken' },
    );
  }

  private enter(socket: Socket): void {
    const place = otherEnd(socket);
    this.open++;
    socket.once('close', () => {
      this.open--;
      if (this.taken.get(place) === socket) this.taken.delete(place);
    });
    if (this.open <= this.most) return;
    warn(this.log, socket.localPort);
    this.taken.set(place, socket);
    const [oldest] = this.taken;
    if (oldest === undefined || this.taken.size <= placesForHealth) return;
    this.taken.delete(oldest[0]);
    oldest[1].destroy();
  }
}

function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
