import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adapterFactory } from '../../adapter-tools/adapters.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { AdapterFactory } from '../../src/adapter-factory.js';
import { adapters } from '../../src/core-banking/adapters/registry.js';
import { MyCoreAdapter } from './http-service.adapter.js';

const registry = adapters as Record<string, () => Promise<typeof MyCoreAdapter>>;
const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ');
const never = new AbortController().signal;

describe('an adapter that injects the HttpService', () => {
  let server: Server;
  let url: string;
  let asked: string[];
  let factory: AdapterFactory;
  const made: CoreAdapter[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const status = Number(/\d{3}/.exec(request.url ?? '')?.[0] ?? 200);
      if (status !== 100) response.writeHead(status, { location: '/elsewhere' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    registry['my-core'] = () => Promise.resolve(MyCoreAdapter);
    factory = await adapterFactory();
  });
  afterAll(async () => {
    delete registry['my-core'];
    await Promise.all(made.map((adapter) => adapter.close()));
    server.closeAllConnections();
    server.close();
  });
  const create = async (path: string): Promise<CoreAdapter> => {
    asked = [];
    const adapter = await factory.core('my-core', { url: url + path, connections: 1, variables: {} });
    made.push(adapter);
    return adapter;
  };

  it('is the one that the guide shows', () => {
    const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const [, shown = 'no example'] =
      /## Inject settings and the HTTP service\n.*?```ts\n(.*?)```/s.exec(read('docs/adding-a-core.md')) ?? [];
    expect(shown).toContain('HttpService');
    expect(squeezed(read('test/adapter-tools/http-service.adapter.ts'))).toContain(squeezed(shown).trim());
  });

  it('is created by Nest, each one with the settings of its own creation', async () => {
    const [one, two] = await Promise.all([create('/one'), create('/two')]);
    await one.health(never);
    await two.health(never);
    expect(asked).toEqual(['/one/health', '/two/health']);
  });

  it.each([
    ['/503', 'unavailable'],
    ['/404', 'bad-record'],
    ['/302', 'bad-record'],
  ])('tells what the core answered under %s as %s, and follows nothing', async (path, kind) => {
    const adapter = await create(path);
    await expect(adapter.health(never)).rejects.toMatchObject({ name: 'CoreError', kind });
    expect(asked).toEqual([`${path}/health`]);
  });

  it('stops at the signal', async () => {
    const adapter = await create('/100');
    await expect(adapter.health(AbortSignal.timeout(20))).rejects.toMatchObject({ name: 'CoreError', kind: 'timeout' });
  });
});
