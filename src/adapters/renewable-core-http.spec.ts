import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../test/support/certificates.js';
import { BootError } from '../config/boot-error.js';
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
});
