import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers that ask for any port (from 32768 on Linux, 49152
 * elsewhere), so that no other process gets this port by chance before its server starts.
 */
const [first, end] = [10_000, 32_768];
/**
 * Each process goes on from its own place: were each port chosen at random, another process would now and then choose the
 * same one before this one's server listens there.
 */
let next = randomInt(first, end);

/** A free port whose number a test needs before its server starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = port + 1 === end ? first : port + 1;
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
