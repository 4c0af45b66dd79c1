import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a core, and passes each request on after a delay. */
export class CoreInBetween {
  delayMs = 0;

  private constructor(
    private readonly server: Server,
    private readonly coreUrl: URL,
  ) {
    server.on('request', (asked, answer) => {
      setTimeout(() => {
        const { method, headers, url = '' } = asked;
        const onward = request(new URL(url, coreUrl), { method, headers }, (came) => {
          answer.writeHead(came.statusCode ?? 502, came.headers);
          came.pipe(answer);
        });
        onward.on('error', () => asked.socket.destroy());
        asked.pipe(onward);
      }, this.delayMs);
    });
  }

  static async start(coreUrl: string): Promise<CoreInBetween> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CoreInBetween(server, new URL(coreUrl));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.coreUrl.pathname}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
