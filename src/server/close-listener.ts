import { existsSync, readFileSync } from 'node:fs';
import { connect, Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The kernel lets one connection more than this wait to be taken. */
const shortQueue = 1;
/** Node's own. */
const usualQueue = 511;
const pauseMs = 5;
/** After that the listener closes as it is: a stranger may keep a handshake half done for as long as it likes. */
const patienceMs = 2_000;
/** Of Linux: a row for each connection, whose third and fourth words are its ends and whose fifth is its state. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
const established = '01';
const handshaking = '03';

/**
 * Takes no connection any more, and cuts off none that a client believes to be open. The kernel completes handshakes by
 * itself, and resets the connections that still wait for the process when the listener closes: with a balancer that goes
 * on connecting until it is refused, such as nginx, some request is always lost. So the queue is first filled by two
 * connections of the gateway's own: nothing fits in beside them, and the client's kernel tries again, and is refused.
 * Only Linux tells who waits: elsewhere the listener closes at once.
 * @param closed called when all connections have ended too
 */
export async function closeListener(server: Server, closed: () => void): Promise<void> {
  const close = (): void => void Server.prototype.close.call(server, closed);
  const address = server.address();
  const { _handle: handle } = server as Partial<Listening>;
  const isTold = tables.some((table) => existsSync(table));
  if (address === null || typeof address === 'string' || handle === undefined || !isTold) return close();
  const untilMs = performance.now() + patienceMs;
  while (!(await closedWhileFull(handle, address, close))) {
    if (performance.now() > untilMs) return close();
    // For those that came first to be taken.
    await sleep(pauseMs);
  }
}

/** Node has no other way to change the length of the queue. */
interface Listening {
  readonly _handle: { listen(queue: number): number };
}

/** All in one turn of the event loop, in which the process takes no connection. */
async function closedWhileFull(
  handle: Listening['_handle'],
  { port, address }: { readonly port: number; readonly address: string },
  close: () => void,
): Promise<boolean> {
  handle.listen(shortQueue);
  const own = Array.from({ length: shortQueue + 1 }, () => connect(port, address).on('error', () => undefined));
  // Node connects in the next tick, and the loop turns after it.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const isFull = ownWaitAlone(own, port);
  if (isFull) close();
  else handle.listen(usualQueue);
  for (const each of own) each.destroy();
  return isFull;
}

function ownWaitAlone(own: readonly Socket[], port: number): boolean {
  const rows = tables.map((table) => (existsSync(table) ? readFileSync(table, 'latin1') : '')).join('');
  const listener = `[0-9A-F]+:${inTable(port)}`;
  if (new RegExp(`: ${listener} \\S+ ${handshaking} `).test(rows)) return false;
  return own.every(({ localPort }) => {
    if (localPort === undefined) return false;
    const ends = [...rows.matchAll(new RegExp(`: ([0-9A-F]+:${inTable(localPort)}) (${listener}) `, 'g'))];
    // The listener's end counts: the client's may be open before the listener's kernel has let it in.
    return ends.length > 0 && ends.every(([, mine, other]) => rows.includes(`: ${other} ${mine} ${established} `));
  });
}

function inTable(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
