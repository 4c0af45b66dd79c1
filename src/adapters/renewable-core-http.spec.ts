import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../test/support/certificates.js';
import { BootError } from '../config/boot-error.js';
import { currentRead } from '../core-banking/current-read.js';
import { RenewableCoreHttp } from './renewable-core-http.js';

describe('the HTTP clients that the gateway lends to an adapter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-http-'));
  const terms = { name: 'core', url: 'https://127.0.0.1:1', urlSetting: 'CORE_URL', connections: 1, maxAnswerBytes: 1 };
  const ca = { setting: 'CORE_CA_FILE', path: join(folder, 'ca.pem') };

  it('refuse a renewal where a file has a fault, by the name of its setting', async () => {
    writeFileSync(ca.path, new CertificateAuthority().certificatePem);
    const http = new RenewableCoreHttp();
    const clients = [http.connect(terms), http.connect({ ...terms, ca })];
    expect(() => http.renew()()).not.toThrow();
    writeFileSync(ca.path, 'no certificate');
    expect(() => http.renew()).toThrow(
      new BootError('settings of the core: CORE_CA_FILE must be a PEM file with certificates'),
    );
    await Promise.all(clients.map((client) => client.close()));
  });

  it('pass the trace of the read that runs on to the core, if there is one', async () => {
    const seen: unknown[] = [];
    const core = createServer(({ headers }, response) => {
      seen.push(headers['traceparent']);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(core, 'listening');
    const url = `http://127.0.0.1:${(core.address() as AddressInfo).port}`;
    const client = new RenewableCoreHttp().connect({ ...terms, url });
    const ask = () => client.ask({ path: '/', headers: ['accept', '*/*'] }, new AbortController().signal);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await currentRead.run({ interactionId: 'one', traceparent }, ask);
    await currentRead.run({ interactionId: 'two' }, ask);
    await ask();
    expect(seen).toEqual([traceparent, undefined, undefined]);
    await client.close();
    core.close();
  });
});
