import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../support/certificates.js';
import { temporaryFile } from '../support/temporary-file.js';
import { dayMs, Stack, type StackOptions } from '../support/stack.js';

describe('the health that the bank’s port shows', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  async function started(options: StackOptions): Promise<Stack> {
    const stack = await Stack.start(options);
    cleanUps.push(() => stack.close());
    return stack;
  }
  const health = async ({ gateway }: Stack): Promise<unknown> => {
    const answers = ['live', 'ready', 'serving'].map((name) => gateway.bankServer.inject(`/health/${name}`));
    return (await Promise.all(answers)).map((answer) => answer.json());
  };
  const well = [{ status: 'live' }, { status: 'ready' }, { status: 'serving' }];
  const unwell = (...faults: readonly string[]) => [
    { status: 'live' },
    { status: 'not ready', faults, serving: false },
    { status: 'not ready', faults },
  ];

  it('fails when the certificate of a listener expires, whose remaining days are a metric', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'health-'));
    cleanUps.push(() => rm(folder, { recursive: true }));
    // The clock of the test shows noon of the day before.
    const { certificatePem, keyPem } = new CertificateAuthority().issue('gateway', { until: '260616120000' });
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await Promise.all([writeFile(certFile, certificatePem), writeFile(keyFile, keyPem)]);
    const stack = await started({ config: { bankTls: { certFile, keyFile } } });
    const days = async () =>
      /^gateway_certificate_expiry_days\{certificate="BANK_TLS_CERT_FILE"\} (\S+)$/m.exec(
        (await stack.gateway.bankServer.inject('/metrics')).body,
      )?.[1];
    expect(await days()).toBe('1');
    stack.clock.advance(dayMs - 1);
    expect(await health(stack)).toEqual(well);
    stack.clock.advance(1);
    expect([await days(), await health(stack)]).toEqual([
      '0',
      unwell('the certificate of BANK_TLS_CERT_FILE expired at 2026-06-16T12:00:00.000Z'),
    ]);
  });

  it('turns 503 when the revocation lists expire, and names the remedy', async () => {
    const authority = new CertificateAuthority();
    const { certificatePem, keyPem } = authority.issue('gateway');
    const tls = {
      certFile: await temporaryFile('cert.pem', certificatePem),
      keyFile: await temporaryFile('key.pem', keyPem),
      clientCaFile: await temporaryFile('ca.pem', authority.certificatePem),
      clientCrlFile: await temporaryFile('crl.pem', authority.revocationList([], '260616120000')),
    };
    const stack = await started({ config: { tls } });
    stack.clock.advance(dayMs - 1);
    expect(await health(stack)).toEqual(well);
    stack.clock.advance(1);
    expect(await health(stack)).toEqual(
      unwell(
        'the revocation lists of TLS_CLIENT_CRL_FILE expired at 2026-06-16T12:00:00.000Z: put the present ones there and send SIGHUP',
      ),
    );
  });

  it('shows a certificate of a listener whose files a restart would refuse, while the present one serves', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'health-'));
    cleanUps.push(() => rm(folder, { recursive: true }));
    const [ours, others] = [1, 2].map(() => new CertificateAuthority().issue('gateway', { until: '270616120000' }));
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await Promise.all([writeFile(certFile, ours?.certificatePem ?? ''), writeFile(keyFile, ours?.keyPem ?? '')]);
    const stack = await started({ config: { bankTls: { certFile, keyFile } } });
    const refused = async () =>
      /^gateway_certificate_unreadable\{certificate="BANK_TLS_CERT_FILE"\} (\S+)$/m.exec(
        (await stack.gateway.bankServer.inject('/metrics')).body,
      )?.[1];
    expect(await refused()).toBe('0');
    await writeFile(certFile, 'no certificate');
    expect([await refused(), await health(stack)]).toEqual(['1', well]);
    await writeFile(certFile, others?.certificatePem ?? '');
    expect(await refused()).toBe('1');
    await writeFile(keyFile, others?.keyPem ?? '');
    expect(await refused()).toBe('0');
  });

  it('reports the keys of an issuer that cannot be fetched', async () => {
    const stack = await started({ jwks: 'http://127.0.0.1:9/jwks.json' });
    const [issuer] = stack.config.issuers;
    expect(await health(stack)).toEqual(unwell(`the keys of the issuer ${issuer?.issuer} cannot be fetched`));
  });
});
