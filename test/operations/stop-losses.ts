// Measures the requests that fail behind a balancer without health checks while listeners stop, for docs/decisions/stopping.md:
//   node --import ./test/support/typescript-loader.mjs test/operations/stop-losses.ts <stops> <STOP_DELAY_SECONDS>
// Two bare servers with the gateway's drain stop and start in turn. Every second request is a POST.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drainable } from '../../src/server/drain.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { haproxy, nginx, type Balance } from './balancers.js';
import { endLoad, startLoad } from './load.js';

const [stops = 100, stopDelaySeconds = 5] = process.argv.slice(2).map(Number);
const answerMs = 5;
const balancers: readonly (readonly [string, Balance])[] = [
  ['haproxy, http-keep-alive', haproxy('http-keep-alive', 'refused connections')],
  ['haproxy, http-server-close', haproxy('http-server-close', 'refused connections')],
  ['haproxy, http-keep-alive, repeats GETs', haproxy('http-keep-alive', 'failed GETs')],
  ['nginx, keepalive', nginx],
];

/** Listens, and gives the function that stops it. */
async function listen(port: number, onRequest: () => void): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    onRequest();
    request.resume();
    // The load client counts an answer without this header as the balancer's.
    response.setHeader('x-fapi-interaction-id', 'measured');
    response.statusCode = request.method === 'POST' ? 201 : 200;
    setTimeout(() => response.end('answered'), answerMs);
  });
  server.keepAliveTimeout = 72_000;
  const drain = drainable(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    drain.announce();
    await sleep(stopDelaySeconds * 1_000);
    await drain.finish();
  };
}

async function measure(name: string, balance: Balance): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stop-losses-'));
  const ports = [await freePort(), await freePort()];
  let received = 0;
  const start = (port: number): Promise<() => Promise<void>> => listen(port, () => received++);
  const servers = await Promise.all(ports.map(start));
  const balancer = await balance(
    folder,
    await freePort(),
    ports.map((port) => ({ port, bankPort: port })),
  );
  await Promise.all([balancer.sendsTo(0), balancer.sendsTo(1)]);
  const request = { path: '/', token: 'none' };
  const load = startLoad(balancer.port, request, { ...request, body: '{}' }, { every: 2, pauseMs: 10 });
  await until(() => received > 100);
  const startMs = performance.now();
  for (let turn = 0; turn < stops; turn++) {
    const index = turn % 2;
    await servers[index]?.();
    // The time in which the other server is alone.
    await sleep(500);
    servers[index] = await start(ports[index] ?? 0);
    await balancer.sendsTo(index);
  }
  const { answered, created, failed } = await endLoad(load);
  const seconds = Math.round((performance.now() - startMs) / 1_000);
  console.log(
    `${name}, STOP_DELAY_SECONDS=${stopDelaySeconds}, ${stops} stops in ${seconds} s: ` +
      `${answered - created} GET and ${created} POST answered; failed: ${JSON.stringify(failed)}`,
  );
  await Promise.all(servers.map((stop) => stop()));
  await balancer.stop();
  await rm(folder, { recursive: true });
}

await Promise.all(balancers.map(([name, balance]) => measure(name, balance)));
