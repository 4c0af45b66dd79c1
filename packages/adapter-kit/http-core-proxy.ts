import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { CoreAnswer, CoreProxy, CoreProxyRules, InjectedFault } from './core-proxy.js';

/** Before a core over HTTP: does to the answers what networks and cores do. */
export class HttpCoreProxy implements CoreProxy {
  private rules: CoreProxyRules = {};
  private index = 0;
  private readonly sockets = new Set<Socket>();
  /** Requests under way, by their answer. */
  private readonly open = new Set<ServerResponse>();
  /** The open answers that an injected fault keeps from ending. */
  private readonly held = new Set<ServerResponse>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request: IncomingMessage, answer: ServerResponse) => this.serve(request, answer));
  }

  static async start(coreUrl: string): Promise<HttpCoreProxy> {
    // Never closes an idle connection: while measuring blocks the process, the adapter could not notice it in time.
    const server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 });
    const proxy = new HttpCoreProxy(server, new URL(coreUrl));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get requests(): number {
    return this.index;
  }

  get connections(): number {
    return this.sockets.size;
  }

  get openRequests(): number {
    return this.open.size;
  }

  set(rules: CoreProxyRules): void {
    for (const answer of this.held) answer.destroy();
    this.held.clear();
    this.rules = rules;
    this.index = 0;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    if (this.server.listening) await once(this.server, 'close');
  }

  private serve(request: IncomingMessage, answer: ServerResponse): void {
    const path = request.url ?? '/';
    const index = this.index++;
    const injected = this.rules.inject?.({ index, path }) ?? { kind: 'pass' };
    this.open.add(answer);
    answer.on('close', () => {
      this.open.delete(answer);
      this.held.delete(answer);
    });
    if (injected.kind === 'hang' || injected.kind === 'stall') this.held.add(answer);
    if (injected.kind === 'hang') {
      request.resume();
      this.rules.onSilence?.();
      return;
    }
    this.forward(request, path, answer, (incoming) => {
      const { onAnswer } = this.rules;
      if (injected.kind === 'pass' && onAnswer === undefined) {
        answer.writeHead(incoming.statusCode ?? 502, incoming.headers);
        incoming.pipe(answer);
        return;
      }
      void readBody(incoming).then((body) => {
        const original = { status: incoming.statusCode ?? 502, headers: incoming.headers, body };
        onAnswer?.(path, original, request);
        if (!answer.destroyed) send(answer, injected, original, this.rules.onSilence);
      });
    });
  }

  private forward(
    request: IncomingMessage,
    path: string,
    answer: ServerResponse,
    onIncoming: (incoming: IncomingMessage) => void,
  ): void {
    const send = this.target.protocol === 'https:' ? httpsRequest : httpRequest;
    // Asks for plain text: a compressed answer can be neither spoilt nor recorded.
    const headers = { ...request.headers, host: this.target.host, 'accept-encoding': 'identity' };
    const { hostname, port, protocol } = this.target;
    // One connection per request: the core may close a kept connection as it is used, and the adapter would be blamed.
    const outgoing = send({ protocol, hostname, port, method: request.method, path, headers, agent: false });
    outgoing.on('response', (incoming) => {
      // They speak of the connection to the core alone (RFC 9110, section 7.6.1).
      delete incoming.headers.connection;
      delete incoming.headers['keep-alive'];
      onIncoming(incoming);
    });
    // The core or the adapter closed the connection: either way the other side has to see it.
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    request.pipe(outgoing);
  }
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    // The adapter gave up and closed the connection.
  }
  return Buffer.concat(chunks);
}

function send(answer: ServerResponse, injected: InjectedFault, original: CoreAnswer, onSilence?: () => void): void {
  const { status, headers, body } = injected.kind === 'replace' ? injected.by(original) : original;
  const { 'transfer-encoding': _, ...rest } = headers;
  answer.writeHead(status, { ...rest, 'content-length': body.length });
  if (injected.kind !== 'reset' && injected.kind !== 'stall') {
    answer.end(body);
    return;
  }
  const half = body.subarray(0, body.length >> 1);
  answer.write(half, () => {
    if (injected.kind === 'reset') answer.socket?.resetAndDestroy();
    else onSilence?.();
  });
}
