import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../../test/support/certificates.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { BootError } from '../../config/boot-error.js';
import { ListenerTls } from './listener-tls.js';

const noon = Date.parse('2026-06-15T12:00:00Z');
const authority = new CertificateAuthority();
const another = new CertificateAuthority('another authority');
const pair = authority.issue('gateway');
const ending = authority.issue('gateway', { until: '260615120000' });

describe('the TLS of a listener', () => {
  let folder: string;
  let files: Readonly<Record<string, string>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'listener-tls-'));
    const contents = {
      cert: pair.certificatePem,
      key: pair.keyPem,
      ca: authority.certificatePem,
      otherKey: authority.issue('another').keyPem,
      rsaKey: authority.issue('another', { key: 'rsa' }).keyPem,
      encrypted: createPrivateKey(pair.keyPem)
        .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
        .toString(),
      encryptedInTheOldWay: generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
        .toString(),
      ending: ending.certificatePem,
      endingKey: ending.keyPem,
      chain: pair.certificatePem + ending.certificatePem,
      withCrl: `${authority.certificatePem}-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n`,
      list: authority.revocationList([]),
      expiredList: authority.revocationList([], '260615120000'),
      foreignList: authority.revocationList([]) + another.revocationList([]),
      brokenList: authority.revocationList([]).replace(/MII?/, 'AAA'),
      twoAuthorities: authority.certificatePem + another.certificatePem,
      text: 'no PEM',
      broken: pair.certificatePem.replace(/.{20}\n-----END/, '\n-----END'),
    };
    const paths = Object.keys(contents).map((name) => [name, join(folder, `${name}.pem`)] as const);
    for (const [name, path] of paths) await writeFile(path, contents[name as keyof typeof contents]);
    files = { ...Object.fromEntries(paths), absent: join(folder, 'absent.pem'), longList: join(folder, 'long.pem') };
  });
  afterAll(() => rm(folder, { recursive: true }));

  const tls = (cert: string, key: string, ca = 'ca', nowMs = noon): ListenerTls =>
    new ListenerTls(
      'MTLS',
      { certFile: files[cert] ?? '', keyFile: files[key] ?? '', clientCaFile: files[ca] ?? '' },
      'requested',
      new FakeClock(nowMs),
    );

  it.each<[string, string, string, string, string]>([
    ['cert', 'otherKey', 'ca', 'MTLS_KEY_FILE', 'is not the key of the certificate MTLS_CERT_FILE'],
    ['cert', 'rsaKey', 'ca', 'MTLS_KEY_FILE', 'is not the key of the certificate MTLS_CERT_FILE'],
    ['cert', 'encrypted', 'ca', 'MTLS_KEY_FILE', 'is encrypted'],
    ['cert', 'encryptedInTheOldWay', 'ca', 'MTLS_KEY_FILE', 'is encrypted'],
    ['cert', 'text', 'ca', 'MTLS_KEY_FILE', 'holds no private key'],
    ['cert', 'cert', 'ca', 'MTLS_KEY_FILE', 'holds no private key'],
    ['cert', 'absent', 'ca', 'MTLS_KEY_FILE', 'cannot be read'],
    ['absent', 'key', 'ca', 'MTLS_CERT_FILE', 'cannot be read'],
    ['text', 'key', 'ca', 'MTLS_CERT_FILE', 'holds no certificates'],
    ['key', 'key', 'ca', 'MTLS_CERT_FILE', 'holds no certificates'],
    ['broken', 'key', 'ca', 'MTLS_CERT_FILE', 'holds no certificates'],
    ['ending', 'endingKey', 'ca', 'MTLS_CERT_FILE', 'expired at 2026-06-15T12:00:00.000Z: renew it'],
    ['chain', 'key', 'ca', 'MTLS_CERT_FILE', 'expired at 2026-06-15T12:00:00.000Z: renew it'],
    ['cert', 'key', 'absent', 'MTLS_CLIENT_CA_FILE', 'cannot be read'],
    ['cert', 'key', 'text', 'MTLS_CLIENT_CA_FILE', 'holds no certificates'],
    ['cert', 'key', 'withCrl', 'MTLS_CLIENT_CA_FILE', 'holds a certificate revocation list'],
  ])('of %s, %s and %s stops the start in one line: %s … %s', (cert, key, ca, setting, fault) => {
    const error = thrownBy(() => tls(cert, key, ca));
    expect(error).toBeInstanceOf(BootError);
    expect((error as Error).message).toMatch(new RegExp(`^${setting} ".*" ${fault}[^\n]*$`));
  });

  const withLists = (lists: string, ca = 'ca'): ListenerTls =>
    new ListenerTls(
      'MTLS',
      {
        certFile: files['cert'] ?? '',
        keyFile: files['key'] ?? '',
        clientCaFile: files[ca] ?? '',
        clientCrlFile: files[lists] ?? '',
      },
      'requested',
      new FakeClock(noon),
    );

  it.each([
    ['absent', 'ca', 'cannot be read'],
    ['text', 'ca', 'holds no certificate revocation lists'],
    ['ca', 'ca', 'holds no certificate revocation lists'],
    ['brokenList', 'ca', 'holds no certificate revocation lists'],
    ['foreignList', 'ca', 'holds a list that no authority of the listener signed'],
    ['list', 'twoAuthorities', 'holds no list of the authority "CN=another authority"'],
    ['expiredList', 'ca', 'expired at 2026-06-15T12:00:00.000Z'],
  ])('with the revocation lists %s of the authorities %s stops the start in one line: %s', (lists, ca, fault) => {
    const error = thrownBy(() => withLists(lists, ca));
    expect(error).toBeInstanceOf(BootError);
    expect((error as Error).message).toMatch(new RegExp(`^MTLS_CLIENT_CRL_FILE ".*" ${fault}[^\n]*$`));
  });

  it('takes a list of many certificates', async () => {
    const long = authority.revocationList(Array.from({ length: 20_000 }, () => pair));
    await writeFile(files['longList'] ?? '', long);
    expect(withLists('longList').revocationLists).toEqual({
      setting: 'MTLS_CLIENT_CRL_FILE',
      expiresAtMs: Date.parse('2049-12-31T23:59:59Z'),
    });
  });

  it('takes one list of each authority', () => {
    expect(withLists('foreignList', 'twoAuthorities').options.crl).toHaveLength(2);
  });

  it('reports when its certificate expires', () => {
    expect(tls('cert', 'key').shown).toEqual({
      setting: 'MTLS_CERT_FILE',
      expiresAtMs: Date.parse('2049-12-31T23:59:59Z'),
    });
    expect(tls('ending', 'endingKey', 'ca', noon - 1).shown.expiresAtMs).toBe(noon);
  });

  it('changes only when its files are read again and applied', async () => {
    const own = { certFile: join(folder, 'own.pem'), keyFile: join(folder, 'own-key.pem') };
    const write = async (certificate: string, key: string): Promise<void> => {
      await writeFile(own.certFile, certificate);
      await writeFile(own.keyFile, key);
    };
    await write(pair.certificatePem, pair.keyPem);
    const renewed = new ListenerTls('TLS', own, 'none', new FakeClock(noon - 1));
    await write(ending.certificatePem, pair.keyPem);
    expect(thrownBy(() => renewed.renew())).toBeInstanceOf(BootError);
    await write(ending.certificatePem, ending.keyPem);
    const putToUse = renewed.renew();
    expect(renewed.options.cert?.toString()).toBe(pair.certificatePem);
    putToUse();
    expect(renewed.options.cert?.toString()).toBe(ending.certificatePem);
    expect(renewed.shown.expiresAtMs).toBe(noon);
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
