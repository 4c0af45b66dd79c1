import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { CertificateAuthority, type Certified } from '../../../test/support/certificates.js';
import { BootError } from '../../config/boot-error.js';
import { createHttpService } from '../../outgoing/http-service.js';
import { IssuerClient } from './issuer.client.js';

describe('the client of an authorization server', () => {
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

  it('opens at most the configured number of connections for simultaneous requests', async () => {
    const client = new IssuerClient(createHttpService(), {});
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answers = await Promise.all(Array.from({ length: 64 }, () => client.get(url)));
    expect([answers.length, connections]).toEqual([64, 32]);
  });
});

describe('the certificate by which an authorization server knows the gateway', () => {
  it('changes when its files are read again, and stays in use when a file has a fault', async () => {
    const authority = new CertificateAuthority();
    const folder = await mkdtemp(join(tmpdir(), 'issuer-client-'));
    const own = authority.issue('issuer');
    const server = createHttpsServer(
      { cert: own.certificatePem, key: own.keyPem, ca: authority.certificatePem, requestCert: true },
      ({ socket }, response) => response.end(JSON.stringify((socket as TLSSocket).getPeerX509Certificate()?.subject)),
    ).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const files = {
        certificateFile: join(folder, 'cert.pem'),
        keyFile: join(folder, 'key.pem'),
        caFile: join(folder, 'ca.pem'),
      };
      const write = async (certificate: Certified, key = certificate): Promise<void> => {
        await writeFile(files.certificateFile, certificate.certificatePem);
        await writeFile(files.keyFile, key.keyPem);
      };
      await writeFile(files.caFile, authority.certificatePem);
      const [first, second] = [authority.issue('first'), authority.issue('second')];
      await write(first);
      const client = new IssuerClient(createHttpService(), files);
      expect(await client.get(url)).toBe('CN=first');
      await write(second, first);
      expect(() => client.renew()).toThrow(
        new BootError(
          `ISSUERS_FILE: ${Object.values(files).join(', ')} are not a certificate, its key and a certificate ` +
            'authority (PEM): name three files that belong together',
        ),
      );
      expect(await client.get(url)).toBe('CN=first');
      await write(second);
      const putToUse = client.renew();
      expect(await client.get(url)).toBe('CN=first');
      putToUse();
      expect(await client.get(url)).toBe('CN=second');
    } finally {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    }
  });
});
