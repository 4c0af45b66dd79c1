import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../test/support/certificates.js';
import { CoreSettingFault } from './core-settings.js';
import { type PemFile, readTlsFiles, tlsFilesOf } from './tls-files.js';

const folder = mkdtempSync(join(tmpdir(), 'tls-files-'));
const file = (setting: string, text: string): PemFile => {
  const path = join(folder, `${Math.random()}.pem`);
  writeFileSync(path, text);
  return { setting, path };
};
const authority = new CertificateAuthority();
const { certificatePem, keyPem } = authority.issue('gateway');
const ca = file('CORE_CA_FILE', authority.certificatePem);
const certificate = file('CORE_CERT_FILE', certificatePem);
const key = file('CORE_KEY_FILE', keyPem);
const encrypted = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
  .toString();

describe('the TLS files of a core', () => {
  it('are read as far as they are named', () => {
    expect(readTlsFiles({})).toEqual({});
    expect(readTlsFiles({ ca })).toEqual({ ca: authority.certificatePem });
    expect(readTlsFiles({ ca, certificate, key })).toEqual({
      ca: authority.certificatePem,
      cert: certificatePem,
      key: keyPem,
    });
  });

  it.each([
    [{ certificate }, 'CORE_CERT_FILE needs a key: name its file, too'],
    [{ key }, 'CORE_KEY_FILE needs a certificate: name its file, too'],
    [{ ca: { setting: 'CORE_CA_FILE', path: '/nowhere/ca.pem' } }, 'CORE_CA_FILE must be a file that can be read'],
    [{ ca: file('CORE_CA_FILE', keyPem) }, 'CORE_CA_FILE must be a PEM file with certificates'],
    [
      { ca: file('CORE_CA_FILE', '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n') },
      'CORE_CA_FILE must be a PEM file with certificates',
    ],
    [{ certificate: file('CORE_CERT_FILE', ''), key }, 'CORE_CERT_FILE must be a PEM file with certificates'],
    [
      { certificate, key: file('CORE_KEY_FILE', encrypted) },
      'CORE_KEY_FILE must be a PEM file with a private key that is not encrypted',
    ],
    [
      { certificate, key: file('CORE_KEY_FILE', authority.issue('other').keyPem) },
      'CORE_KEY_FILE must be the key of the certificate in CORE_CERT_FILE',
    ],
  ])('%# are refused in one line that names the setting, and neither its value nor the file', (files, message) => {
    let fault: unknown;
    try {
      readTlsFiles(files);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(CoreSettingFault);
    expect((fault as CoreSettingFault).message).toBe(message);
  });
});

describe('tlsFilesOf', () => {
  it('are the files that the settings name', () => {
    expect(tlsFilesOf({ CORE_CA_FILE: ' /etc/ca.pem ', CORE_KEY_FILE: ' ' })).toEqual({
      ca: { setting: 'CORE_CA_FILE', path: '/etc/ca.pem' },
    });
  });
});
