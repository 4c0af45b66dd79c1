import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { CertificateAuthority } from '../../test/support/certificates.js';
import { freePort } from '../../test/support/free-port.js';
import { connectFaultOf } from './connect-fault.js';
import { HttpCore } from './http-core.client.js';

async function originOf(server: Server, scheme = 'http'): Promise<string> {
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a core to which the HTTP client finds no connection', () => {
  it.each<[string, () => Promise<string> | string]>([
    ['refused', async () => `http://127.0.0.1:${await freePort()}`],
    ['host-unknown', () => 'http://core.invalid'],
    ['lost', () => originOf(createServer((socket) => socket.destroy()))],
    [
      'tls',
      () => {
        const { certificatePem: cert, keyPem: key } = new CertificateAuthority().issue('core');
        return originOf(createTlsServer({ cert, key }), 'https');
      },
    ],
    ['tls', async () => (await originOf(createServer((socket) => socket.end('no TLS\n')))).replace('http', 'https')],
  ])('has the fault %s', async (connectFault, urlOf) => {
    const url = await urlOf();
    const core = new HttpCore({ name: 'core', url, urlSetting: 'CORE_URL', connections: 1, maxAnswerBytes: 100 });
    const asked = core.ask({ path: '/', headers: [] }, AbortSignal.timeout(60_000));
    await expect(asked).rejects.toMatchObject({ kind: 'unavailable', connectFault });
    await core.close();
  });

  it.each([
    ['EHOSTUNREACH', 'no-route'],
    ['ETIMEDOUT', 'no-answer'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['EMFILE', undefined],
    ['toString', undefined],
    ['no code', undefined],
  ])('reads the code %s as %s', (code, fault) => {
    expect(connectFaultOf(code)).toBe(fault);
  });
});
