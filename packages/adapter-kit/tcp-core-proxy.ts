import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { CoreProxy, CoreProxyRules, InjectedFault } from './core-proxy.js';

/** A connection of the adapter, and the one to the core that it stands for. */
interface Line {
  readonly adapter: Socket;
  readonly core: Socket;
  /** The fault for the request that waits for its answer; absent where no request waits. */
  injected?: InjectedFault;
}

/**
 * Before a core that does not speak HTTP. It knows nothing of the protocol but that each side speaks in turn: a request
 * begins when the adapter speaks and is over when the core does. It injects faults of a network, not of a core.
 */
export class TcpCoreProxy implements CoreProxy {
  private rules: CoreProxyRules = {};
  private index = 0;
  private readonly lines = new Set<Line>();

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
  ) {
    server.on('connection', (adapter: Socket) => this.join(adapter));
  }

  static async start(coreUrl: string): Promise<TcpCoreProxy> {
    const { hostname, port } = new URL(coreUrl);
    assert.ok(
      hostname !== '' && port !== '',
      'the URL of a test core that does not speak HTTP needs a host and a port',
    );
    const server = createServer();
    const proxy = new TcpCoreProxy(server, { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get origin(): string {
    return `tcp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get requests(): number {
    return this.index;
  }

  get connections(): number {
    return this.lines.size;
  }

  get openRequests(): number {
    return [...this.lines].filter(({ injected }) => injected !== undefined).length;
  }

  set(rules: CoreProxyRules): void {
    for (const line of this.lines) if (isSilent(line.injected)) line.adapter.destroy();
    this.rules = rules;
    this.index = 0;
  }

  async close(): Promise<void> {
    this.server.close();
    for (const { adapter } of this.lines) adapter.destroy();
    if (this.server.listening) await once(this.server, 'close');
  }

  private join(adapter: Socket): void {
    const line: Line = { adapter, core: connect(this.target) };
    this.lines.add(line);
    line.adapter.on('data', (chunk: Buffer) => this.ask(line, chunk));
    line.core.on('data', (chunk: Buffer) => this.answer(line, chunk));
    // One side closed the connection: closing the other connection passes that on.
    adapter
      .on('error', () => {})
      .on('close', () => {
        this.lines.delete(line);
        line.core.destroy();
      });
    const unlessSilent = (end: () => void) => (): void => {
      if (!isSilent(line.injected)) end();
    };
    line.core
      .on(
        'end',
        unlessSilent(() => adapter.end()),
      )
      .on(
        'error',
        unlessSilent(() => adapter.destroy()),
      );
  }

  private ask(line: Line, chunk: Buffer): void {
    if (line.injected === undefined) {
      const index = this.index++;
      line.injected = this.rules.inject?.({ index, path: '' }) ?? { kind: 'pass' };
      if (line.injected.kind === 'hang') this.rules.onSilence?.();
    }
    if (line.injected.kind !== 'hang') line.core.write(chunk);
  }

  private answer(line: Line, chunk: Buffer): void {
    const { adapter, injected: injected = { kind: 'pass' } } = line;
    if (injected.kind === 'pass') {
      line.injected = undefined;
      adapter.write(chunk);
      return;
    }
    // The fault was injected already, and more of the answer comes.
    line.core.removeAllListeners('data').resume();
    if (injected.kind === 'hang') return;
    adapter.write(chunk.subarray(0, chunk.length >> 1), () => {
      if (injected.kind === 'stall') this.rules.onSilence?.();
      else adapter.resetAndDestroy();
    });
  }
}

function isSilent(injected: InjectedFault | undefined): boolean {
  return injected?.kind === 'hang' || injected?.kind === 'stall';
}
