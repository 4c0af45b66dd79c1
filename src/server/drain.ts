import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer, type TLSSocket } from 'node:tls';
import { closeListener } from './close-listener.js';
import { Slots } from './slots.js';

const checkIntervalMs = 50;
/** A client that has just connected is about to send a request, or in the middle of a TLS handshake: it gets this long. */
const silenceMs = 1_000;
/** A turn of the event loop that takes less than this has done next to nothing but look for what has arrived. */
const emptyTurnMs = 0.2;
/** Where no turn is that short, the machine has more to do than can be waited for. */
const mostTurns = 1_000;

/** How a listener stops without cutting an answer or a request off. */
export interface Drain {
  /** From now on every answer is the last on its connection, which it says. Connections are taken as before. */
  announce(): void;
  /** Takes no connection any more; resolves when what came on the others is answered, and they are closed. */
  finish(): Promise<void>;
}

/**
 * To be called before the server listens. Node's own `close` lets a connection that was busy be kept for minutes more,
 * with one request after another on it, and waits for a client that has connected and never said anything.
 */
export function drainable(server: Server): Drain {
  return new ServerDrain(server);
}

class ServerDrain implements Drain {
  private readonly connections = new Set<Socket>();
  private readonly secured: Set<TLSSocket> | undefined;
  private readonly underWay = new Slots<ServerResponse>();
  /** Of each connection the answer that was told to be its last. Filled once it is announced. */
  private readonly last = new WeakMap<Socket, ServerResponse | undefined>();
  private announced = false;
  private taken = 0;

  constructor(private readonly server: Server) {
    this.secured = server instanceof TlsServer ? new Set<TLSSocket>() : undefined;
    server.on('connection', (socket) => {
      this.taken++;
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
    if (this.secured !== undefined)
      server.on('secureConnection', (socket: TLSSocket) => {
        this.secured?.add(socket);
        socket.once('close', () => this.secured?.delete(socket));
      });
    server.prependListener('request', ({ socket }, response) => {
      if (this.announced) sayLast(socket, response, this.last);
      const slot = this.underWay.enter(response);
      response.once('close', () => this.underWay.leave(slot));
    });
  }

  announce(): void {
    this.announced = true;
    for (const response of this.underWay.all()) {
      const { socket } = response.req;
      // Of several that were sent at once nobody knows here which comes last: none of them says so.
      if (!this.last.has(socket)) sayLast(socket, response, this.last);
      else keepOpen(socket, this.last);
    }
  }

  finish(): Promise<void> {
    const startedMs = performance.now();
    const taken = (): number => this.taken;
    const closeSilent = (): void => this.closeSilent(startedMs);
    return new Promise((resolve, reject) => {
      const closing = setInterval(() => onceAllIsRead(taken, closeSilent), checkIntervalMs);
      closeListener(this.server, () => {
        clearInterval(closing);
        resolve();
      }).catch(reject);
    });
  }

  private closeSilent(startedMs: number): void {
    // Those that wait for a next request. Half of one that has arrived, or a first one, is no silence to Node.
    this.server.closeIdleConnections();
    if (performance.now() - startedMs < silenceMs) return;
    for (const connection of silentConnections(this.connections, this.secured)) connection.destroy();
  }
}

/** A client that reads `Connection: close` sends nothing more there, so that no request meets a closed connection. */
function sayLast(socket: Socket, response: ServerResponse, last: WeakMap<Socket, ServerResponse | undefined>): void {
  // Sent at once with the one before: to close after that one would throw this one's answer away.
  keepOpen(socket, last);
  if (!response.shouldKeepAlive) return;
  response.shouldKeepAlive = false;
  last.set(socket, response);
}

/** The answer that was told to be the last is not, if its headers have not gone out. */
function keepOpen(socket: Socket, last: WeakMap<Socket, ServerResponse | undefined>): void {
  const before = last.get(socket);
  if (before !== undefined && !before.headersSent) before.shouldKeepAlive = true;
  last.set(socket, undefined);
}

/**
 * The connections on which no byte of a request has come.
 * @param secured those of a listener with TLS that came as far as HTTP; undefined where there is no TLS
 */
function silentConnections(connections: ReadonlySet<Socket>, secured: ReadonlySet<TLSSocket> | undefined): Socket[] {
  // Under TLS Node gives another object for the same connection: only its other end tells that they are one.
  const speaking = new Set([...(secured ?? connections)].filter(({ bytesRead }) => bytesRead > 0).map(otherEnd));
  return [...connections].filter((connection) => !speaking.has(otherEnd(connection)));
}

function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * Calls back when all that has arrived at this process has been taken and read: right after the event loop has looked, in
 * a turn in which it found next to nothing. Of the connections that wait to be taken, a turn takes one.
 * @param taken how many connections were taken so far
 */
function onceAllIsRead(taken: () => number, act: () => void): void {
  let turns = 0;
  let before: { readonly atMs: number; readonly taken: number } | undefined;
  const look = (): void => {
    const now = { atMs: performance.now(), taken: taken() };
    const isEmpty = before !== undefined && now.taken === before.taken && now.atMs - before.atMs < emptyTurnMs;
    if (isEmpty || ++turns > mostTurns) return act();
    before = now;
    setImmediate(look);
  };
  setImmediate(look);
}
