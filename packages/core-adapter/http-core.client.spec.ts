import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { CertificateAuthority, type Certified } from '../../test/support/certificates.js';
import { CoreSettingFault } from './core-settings.js';
import { HttpCore } from './http-core.client.js';
import type { TlsFiles } from './tls-files.js';

const folder = mkdtempSync(join(tmpdir(), 'http-core-'));
const authority = new CertificateAuthority();
const paths = {
  ca: join(folder, 'ca.pem'),
  certificate: join(folder, 'gateway.pem'),
  key: join(folder, 'gateway.key'),
};
const files: TlsFiles = {
  ca: { setting: 'CORE_CA_FILE', path: paths.ca },
  certificate: { setting: 'CORE_CERT_FILE', path: paths.certificate },
  key: { setting: 'CORE_KEY_FILE', path: paths.key },
};

function write({ certificatePem, keyPem }: Certified): void {
  writeFileSync(paths.ca, authority.certificatePem);
  writeFileSync(paths.certificate, certificatePem);
  writeFileSync(paths.key, keyPem);
}

describe('the HTTP client of a core that asks for a certificate', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** Answers with the name in the client's certificate; to `/slow` when `release` is called. */
  async function connected(): Promise<{ core: HttpCore; release: () => void }> {
    const { certificatePem: cert, keyPem: key } = authority.issue('core');
    let release = (): void => undefined;
    const server = createServer(
      { cert, key, ca: authority.certificatePem, requestCert: true, rejectUnauthorized: true },
      (request, answer) => {
        const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject;
        const end = (): void => void answer.writeHead(200, { 'content-type': 'application/json' }).end(`"${CN}"`);
        if (request.url === '/slow') release = end;
        else end();
      },
    ).listen(0, '127.0.0.1');
    closing.push(() => (server.closeAllConnections(), server.close()));
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const core = new HttpCore({
      name: 'core',
      url,
      urlSetting: 'CORE_URL',
      connections: 2,
      maxAnswerBytes: 100,
      ...files,
    });
    closing.push(() => core.close());
    return { core, release: () => release() };
  }
  const ask = async (core: HttpCore, path = '/'): Promise<string> =>
    (await core.ask({ path, headers: [] }, AbortSignal.timeout(5_000))).text;

  it('shows it, and a new one after the files were read again', async () => {
    write(authority.issue('first'));
    const { core } = await connected();
    expect(await ask(core)).toBe('"first"');
    write(authority.issue('second'));
    expect(await ask(core)).toBe('"first"');
    core.renewCertificates()();
    expect(await ask(core)).toBe('"second"');
  });

  it('ends a call under way on its connection when the certificate is renewed', async () => {
    write(authority.issue('first'));
    const { core, release } = await connected();
    await ask(core);
    const slow = ask(core, '/slow');
    await new Promise((resolve) => setTimeout(resolve, 50));
    write(authority.issue('second'));
    core.renewCertificates()();
    expect(await ask(core)).toBe('"second"');
    release();
    expect(await slow).toBe('"first"');
  });

  it('ends a call at its close that began before the renewal', async () => {
    write(authority.issue('first'));
    const { core } = await connected();
    await ask(core);
    const slow = ask(core, '/slow').catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 50));
    core.renewCertificates()();
    await core.close();
    expect(await slow).toMatchObject({ kind: 'unavailable' });
  });

  it('keeps the certificate in use where a new file has a fault', async () => {
    write(authority.issue('first'));
    const { core } = await connected();
    writeFileSync(paths.key, authority.issue('other').keyPem);
    expect(() => core.renewCertificates()).toThrow(
      new CoreSettingFault('CORE_KEY_FILE', 'must be the key of the certificate in CORE_CERT_FILE'),
    );
    expect(await ask(core)).toBe('"first"');
  });
});
