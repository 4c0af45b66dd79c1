import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../test/support/certificates.js';
import { outgoingCertificates } from './client-certificates.js';

describe('the certificates that the gateway shows to other servers', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outgoing-'));
    file = join(folder, 'client.pem');
    await writeFile(file, new CertificateAuthority().issue('gateway', { until: '271124120000' }).certificatePem);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const core = (variables: Record<string, string>, name?: string) => ({
    adapter: 'sql',
    url: 'postgresql://core',
    deadlineMs: 1,
    connections: 1,
    variables,
    ...(name !== undefined && { name }),
  });
  const found = (cores: ReturnType<typeof core>[], url?: string) =>
    outgoingCertificates({
      issuers: [],
      cores,
      database: { ...(url !== undefined && { url }) } as Parameters<typeof outgoingCertificates>[0]['database'],
      customerAuthentication: undefined,
    });

  it('end when their files say, whether a core, the database or the sign-on asks for them', () => {
    const endsAt = Date.parse('2027-11-24T12:00:00Z');
    expect(
      found(
        [core({ CORE_CERT_FILE: file, CORE_KEY_FILE: file }), core({ CORE_CERT_FILE: file }, 'cards')],
        `postgresql://gateway@db.example/gateway?sslcert=${file}&sslkey=${file}`,
      ),
    ).toEqual([
      { setting: 'DATABASE_URL: sslcert', expiresAtMs: endsAt },
      { setting: 'CORE_CERT_FILE', expiresAtMs: endsAt },
      { setting: 'CORE_CERT_FILE of the core cards', expiresAtMs: endsAt },
    ]);
  });

  it('have no end where their files cannot be read or hold no certificate', async () => {
    const text = join(folder, 'text.pem');
    await writeFile(text, 'no PEM');
    for (const path of [join(folder, 'none.pem'), text])
      expect(found([core({ CORE_CERT_FILE: path })])).toEqual([{ setting: 'CORE_CERT_FILE', expiresAtMs: undefined }]);
  });
});
