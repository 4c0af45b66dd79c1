import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type ConnectionOptions, type Server } from 'node:tls';
import { embeddedConfig } from '../authorisation/embedded-config.js';
import { FakeCustomers } from '../authorisation/fake-customers.js';
import { temporaryFile } from '../support/temporary-file.js';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { portOf } from '../support/raw-http.js';
import { Stack } from '../support/stack.js';

const authority = new CertificateAuthority();
const client = authority.issue('tpp one');

/** The suites of TLS 1.2, by the kind of key of the server's certificate. */
const allowed = {
  rsa: [
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'DHE-RSA-AES128-GCM-SHA256',
    'DHE-RSA-AES256-GCM-SHA384',
  ],
  ec: ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
};
const refused = {
  rsa: [
    'AES128-GCM-SHA256',
    'AES256-GCM-SHA384',
    'AES128-SHA',
    'AES256-SHA256',
    'ECDHE-RSA-AES128-SHA',
    'ECDHE-RSA-AES128-SHA256',
    'ECDHE-RSA-AES256-SHA384',
    'DHE-RSA-AES256-SHA256',
    'DHE-RSA-AES128-CCM',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'DHE-RSA-CHACHA20-POLY1305',
  ],
  ec: [
    'ECDHE-ECDSA-AES128-SHA',
    'ECDHE-ECDSA-AES128-SHA256',
    'ECDHE-ECDSA-AES256-SHA384',
    'ECDHE-ECDSA-AES128-CCM',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
  ],
};
const tls13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];
const of12 = (ciphers: string): ConnectionOptions => ({ ciphers, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
const of13 = (ciphers: string): ConnectionOptions => ({ ciphers, minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' });
// OpenSSL itself negotiates it only at its lowest security level.
const of11: ConnectionOptions = { ciphers: 'ALL:@SECLEVEL=0', minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' };

/** The protocol and suite that a client gets, or the error of its refusal. */
function handshake(port: number, options: ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      ca: authority.certificatePem,
      cert: client.certificatePem,
      key: client.keyPem,
      ...options,
    });
    socket.once('secureConnect', () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

describe.each(['rsa', 'ec'] as const)('every listener that ends TLS, with a certificate of a key of kind %s', (key) => {
  let stack: Stack;
  let ports: Readonly<Record<string, number>>;
  let server: Certified;
  beforeAll(async () => {
    server = authority.issue('gateway', { key });
    const pair = {
      certFile: await temporaryFile('server.pem', server.certificatePem),
      keyFile: await temporaryFile('server.key', server.keyPem),
    };
    const mutual = { ...pair, clientCaFile: await temporaryFile('ca.pem', authority.certificatePem) };
    const authorisationServer = await embeddedConfig(mutual);
    stack = await Stack.start({
      customers: new FakeCustomers([]),
      config: { tls: mutual, bankTls: pair, authorisationServer },
    });
    await stack.gateway.listen();
    ports = {
      'the API': portOf(stack.gateway.server),
      'mutual TLS': authorisationServer.tpp.port,
      browsers: authorisationServer.browser.port,
      'the bank': portOf(stack.gateway.bankServer),
    };
  });
  afterAll(() => stack.close());

  const listeners = ['the API', 'mutual TLS', 'browsers', 'the bank'];

  it.each(listeners)('of %s negotiates in TLS 1.2 the suites that FAPI permits', async (name) => {
    for (const suite of allowed[key]) expect(await handshake(ports[name]!, of12(suite))).toBe(`TLSv1.2 ${suite}`);
  });

  it.each(listeners)('of %s negotiates every suite of TLS 1.3', async (name) => {
    for (const suite of tls13) expect(await handshake(ports[name]!, of13(suite))).toBe(`TLSv1.3 ${suite}`);
  });

  it.each(listeners)('of %s refuses every other suite and version', async (name) => {
    for (const options of [...refused[key].map(of12), of11])
      expect([options.ciphers, await handshake(ports[name]!, options)]).toEqual([
        options.ciphers,
        expect.stringMatching(/^(ERR_SSL_|ECONNRESET)/),
      ]);
  });

  it.each(listeners)('of %s chooses by its own order', async (name) => {
    const [first = '', ...others] = allowed[key];
    const offered = [...others.reverse(), first].join(':');
    expect(await handshake(ports[name]!, of12(offered))).toBe(`TLSv1.2 ${first}`);
  });

  it.each(listeners)('of %s refuses renegotiation', async (name) => {
    const socket = connect({
      host: '127.0.0.1',
      port: ports[name]!,
      ca: authority.certificatePem,
      ...of12(allowed[key][0]!),
      cert: client.certificatePem,
      key: client.keyPem,
    });
    await once(socket, 'secureConnect');
    const outcome = await new Promise((resolve) => {
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      socket.renegotiate({}, (error: NodeJS.ErrnoException | null) => resolve(error?.code ?? 'renegotiated'));
    });
    socket.destroy();
    expect(outcome).toMatch(/^(ERR_SSL_NO_RENEGOTIATION|ERR_SSL_)/);
  });

  describe('unlike a server without the gateway’s rules', () => {
    let lax: Server;
    let port: number;
    beforeAll(async () => {
      lax = createServer({
        cert: server.certificatePem,
        key: server.keyPem,
        dhparam: 'auto',
        ciphers: 'ALL:@SECLEVEL=0',
        minVersion: 'TLSv1',
      }).listen(0, '127.0.0.1');
      await once(lax, 'listening');
      port = (lax.address() as AddressInfo).port;
    });
    afterAll(() => void lax.close());

    it('which accepts the suites that the gateway refuses, so that this client does offer them', async () => {
      for (const suite of refused[key]) expect(await handshake(port, of12(suite))).toBe(`TLSv1.2 ${suite}`);
      expect(await handshake(port, of11)).toMatch(/^TLSv1\.1 /);
    });
  });
});
