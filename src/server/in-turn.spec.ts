import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { CertificateAuthority } from '../../test/support/certificates.js';
import { answerInTurn } from './in-turn.js';

const certified = new CertificateAuthority().issue('127.0.0.1');
const request = 'GET / HTTP/1.1\r\nhost: gateway\r\n\r\n';
/** More than the kernel keeps for a connection. */
const flood = request.repeat(1_000_000);
const mostInPackets = 10_000;

describe('a connection with more requests than may wait', () => {
  it.each<[string, (listener: RequestListener) => Server, (port: number) => Socket]>([
    ['plain HTTP', createServer, (port) => connect(port, '127.0.0.1')],
    [
      'TLS',
      (listener) => createTlsServer({ cert: certified.certificatePem, key: certified.keyPem }, listener),
      (port) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }),
    ],
  ])('discards them, and keeps none until the first is answered: %s', async (_name, make, open) => {
    let answer: () => void = () => undefined;
    const handled: boolean[] = [];
    const server = make(({ isOneTooMany = false }, response) => {
      handled.push(isOneTooMany);
      if (isOneTooMany) response.setHeader('connection', 'close');
      if (handled.length === 1) answer = () => response.end();
      else response.end();
    });
    answerInTurn(server);
    let seen = 0;
    server.prependListener('request', () => seen++);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = open((server.address() as AddressInfo).port).resume();
    await new Promise((resolve) => client.write(flood, resolve));
    expect(handled).toEqual([false]);
    expect(seen).toBeLessThan(mostInPackets);
    answer();
    await once(client, 'close');
    expect(handled).toEqual([false, false, true]);
    server.close();
  });
});
