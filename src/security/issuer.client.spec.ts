import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpService } from '../outgoing/http-service.js';
import { IssuerClient } from './issuer.client.js';

describe('asking an authorization server', () => {
  let server: Server;
  let connections = 0;
  beforeAll(async () => {
    server = createServer((_request, response) => void setTimeout(() => response.end('{}'), 20)).listen(0, '127.0.0.1');
    server.on('connection', () => connections++);
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('takes so many connections and no more, however many ask at once', async () => {
    const client = new IssuerClient(createHttpService(), {});
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answers = await Promise.all(Array.from({ length: 200 }, () => client.get(url)));
    expect([answers.length, connections]).toEqual([200, 32]);
  });
});
