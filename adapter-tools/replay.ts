import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CoreAnswer } from '../packages/adapter-kit/core-proxy.js';

/** Replays the recorded answers of a core, so that a preview sends each request to the core only once. */
export class Replay {
  /** The answer to this path, instead of the core's. */
  instead?: { readonly path: string; readonly json: unknown };

  private constructor(
    private readonly server: Server,
    private readonly answers: ReadonlyMap<string, CoreAnswer>,
  ) {
    server.on('request', (request, answer) => {
      const path = request.url ?? '/';
      // An adapter may put the time into its query: then the latest answer for the same path is used.
      const kept = this.answers.get(path) ?? [...this.answers].findLast(([one]) => pathOf(one) === pathOf(path))?.[1];
      if (kept === undefined) return answer.writeHead(404).end();
      const body = this.instead?.path === path ? JSON.stringify(this.instead.json) : kept.body;
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = kept.headers;
      answer.writeHead(kept.status, headers).end(body);
    });
  }

  static async start(answers: ReadonlyMap<string, CoreAnswer>): Promise<Replay> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Replay(server, answers);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

function pathOf(request: string): string | undefined {
  return request.split('?')[0];
}
