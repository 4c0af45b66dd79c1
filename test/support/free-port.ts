import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers that ask for any port (from 32768 on Linux, 49152
 * elsewhere): nobody is given this port by chance before its server starts.
 */
const [first, end] = [10_000, 32_768];

/** A port that nobody has, to be named before its server is there. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, end);
    const server = createServer();
    const listening = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (!(await listening)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
