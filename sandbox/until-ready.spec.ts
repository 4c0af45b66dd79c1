import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { untilReady, untilServing } from './until-ready.js';

type Answer = readonly [status: number, body: object];

describe('the start', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  /** @param answers by path, each answer once and the last one for ever */
  async function gateway(answers: Readonly<Record<string, readonly Answer[]>>): Promise<string> {
    const asked: Record<string, number> = {};
    server = createServer(({ url = '' }, response) => {
      const all = answers[url] ?? [];
      const [status, body] = all[Math.min((asked[url] = (asked[url] ?? 0) + 1), all.length) - 1] ?? [404, {}];
      response.writeHead(status, { connection: 'close' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const goesOn = new AbortController().signal;

  it('waits until the gateway answers reads', async () => {
    const url = await gateway({
      '/health/serving': [
        [503, { faults: ['the database does not answer'] }],
        [200, { status: 'serving' }],
      ],
      '/health/ready': [[200, { status: 'ready' }]],
    });
    expect(await untilServing(url, goesOn)).toEqual([]);
  });

  it('goes on while one of several cores is unreachable, and names it', async () => {
    const faults = ['the core "cards" does not answer'];
    const url = await gateway({
      '/health/serving': [[200, { status: 'serving' }]],
      '/health/ready': [[503, { status: 'not ready', faults, serving: true }]],
    });
    expect(await untilServing(url, goesOn)).toEqual(faults);
  });

  it('ends its wait when it is stopped', async () => {
    const url = await gateway({ '/health': [[503, {}]] });
    const over = new AbortController();
    const waiting = untilReady(`${url}/health`, over.signal);
    over.abort();
    await expect(waiting).rejects.toThrow('stopped before it was ready');
  });
});
