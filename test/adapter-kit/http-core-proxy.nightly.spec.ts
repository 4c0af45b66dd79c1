// Nightly: it tests the kit, a tool for banks, and waits for an idle connection.
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { HttpCoreProxy } from '../../packages/adapter-kit/http-core-proxy.js';

describe('the proxy between an adapter and its core', () => {
  const undo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  async function proxyTo(answers: RequestListener): Promise<HttpCoreProxy> {
    const core = createServer(answers).listen(0, '127.0.0.1');
    undo.push(() => core.close());
    await once(core, 'listening');
    const proxy = await HttpCoreProxy.start(`http://127.0.0.1:${(core.address() as AddressInfo).port}`);
    undo.push(() => proxy.close());
    return proxy;
  }

  it('never ends an idle connection, as Node’s servers do after five seconds', async () => {
    const proxy = await proxyTo((_request, answer) => answer.end('{}'));
    const adapter = connect(Number(new URL(proxy.origin).port), '127.0.0.1');
    undo.push(() => adapter.destroy());
    adapter.write('GET / HTTP/1.1\r\nHost: core\r\n\r\n');
    const [answer] = (await once(adapter, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200 OK/);
    await wait(6_500);
    expect([adapter.readableEnded, adapter.destroyed, proxy.connections]).toEqual([false, false, 1]);
  });

  it('opens a new connection for each request, because a core may end a kept one', async () => {
    const asked = new WeakSet<object>();
    const proxy = await proxyTo(({ socket }, answer) => {
      if (asked.has(socket)) return void socket.destroy();
      asked.add(socket);
      answer.end('{}');
    });
    for (let time = 0; time < 5; time++) expect(await (await fetch(proxy.origin)).text()).toBe('{}');
  });
});
