import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TLSSocket, createServer } from 'node:tls';
import { SystemClock } from '../../src/clock/clock.js';
import { sandboxOrganisation } from '../directory/software.js';
import { FaultyStart } from '../faulty-start.js';
import { Authority, type KeyPair } from './authority.js';
import { type SandboxPki, ensurePki, localHosts, pkiFiles, readJwk } from './kept-pki.js';
import { psd2Statements } from './qc-statements.js';

const now = new SystemClock().nowMs();

describe('the sandbox’s keys', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-pki-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  describe('the certificates of the sandbox', () => {
    let authority: Authority;
    let server: KeyPair;
    let tpp: KeyPair;
    beforeAll(async () => {
      authority = await Authority.make(now);
      [server, tpp] = await Promise.all([authority.server(localHosts), authority.tpp(sandboxOrganisation)]);
    });

    it('name the TPP as an eIDAS certificate does', () => {
      const certificate = new X509Certificate(tpp.certificate);
      expect(certificate.subject.split('\n')).toEqual([
        'C=GB',
        'O=Moneyview Sandbox Ltd',
        'organizationIdentifier=PSDGB-FCA-900001',
        'CN=0015800001SandboxA',
      ]);
      expect(certificate.ca).toBe(false);
      expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
      expect(
        certificate.raw.includes(
          Buffer.from(psd2Statements(['PSP_AI', 'PSP_IC'], { name: 'Financial Conduct Authority', id: 'GB-FCA' })),
        ),
      ).toBe(true);
      expect(certificate.verify(new X509Certificate(authority.pair.certificate).publicKey)).toBe(true);
    });

    it.each<[string, () => KeyPair | Promise<KeyPair>, boolean]>([
      ['the TPP’s', () => tpp, true],
      ['a server’s', () => server, false],
      ['one of another authority', async () => (await Authority.make(now)).tpp(sandboxOrganisation), false],
    ])('let mutual TLS accept as a client: %s - %#', async (_, pair, accepted) => {
      const client = await pair();
      const ca = authority.pair.certificate;
      const terms = { requestCert: true, rejectUnauthorized: false };
      const listener = createServer({ cert: server.certificate, key: server.key, ca, ...terms }, (socket) => {
        socket.end(
          `HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx-accepted: ${socket.authorized}\r\nconnection: close\r\n\r\n`,
        );
      });
      listener.listen(0, '127.0.0.1');
      await once(listener, 'listening');
      const { port } = listener.address() as AddressInfo;
      for (const host of ['localhost', '127.0.0.1']) {
        // The client checks the server's name and issuer by itself.
        const call = request({ host, port, family: 4, ca, cert: client.certificate, key: client.key }).end();
        const [answer] = await once(call, 'response');
        expect(answer.headers['x-accepted']).toBe(String(accepted));
        expect((answer.socket as TLSSocket).authorized).toBe(true);
      }
      listener.close();
    });

    it('state the roles in the encoding of ETSI TS 119 495', () => {
      expect(Buffer.from(psd2Statements(['PSP_AI'], { name: 'FCA', id: 'GB-FCA' })).toString('hex')).toBe(
        // SEQUENCE { SEQUENCE { OID 0.4.0.19495.2, SEQUENCE { SEQUENCE { SEQUENCE { OID 0.4.0.19495.1.3, "PSP_AI" } }, …
        '302e302c06060400' +
          '8198270230223013' +
          '30110607040081982701030c065053505f4149' +
          '0c03464341' +
          '0c0647422d464341',
      );
    });
  });

  describe('the folder of certificates and keys', () => {
    let files: SandboxPki;
    beforeAll(async () => {
      files = await ensurePki(folder, now);
    });
    const contents = async () => {
      const pki = join(folder, 'sandbox', 'pki');
      return Object.fromEntries(
        await Promise.all(
          (await readdir(pki)).map(async (name) => [name, await readFile(join(pki, name), 'utf8')] as const),
        ),
      );
    };

    it('holds every named file, readable by its owner only, and stays unchanged at later starts', async () => {
      const made = await contents();
      expect(Object.keys(made).sort()).toEqual([
        'authority.crt',
        'authority.key',
        'directory.jwk',
        'gateway.crt',
        'gateway.key',
        'tpp-signing.jwk',
        'tpp.crt',
        'tpp.key',
      ]);
      expect((await stat(join(folder, 'sandbox', 'pki'))).mode & 0o777).toBe(0o700);
      for (const name of Object.keys(made))
        expect((await stat(join(folder, 'sandbox', 'pki', name))).mode & 0o777).toBe(0o600);
      const gateway = new X509Certificate(made['gateway.crt'] ?? '');
      expect(gateway.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
      expect(await ensurePki(folder, now)).toEqual(files);
      expect(await contents()).toEqual(made);
    });

    it('is the same for all who make it at once, and leaves no drafts', async () => {
      const fresh = join(folder, 'at-once');
      await Promise.all([ensurePki(fresh, now), ensurePki(fresh, now)]);
      expect(await readdir(join(fresh, 'sandbox'))).toEqual(['pki']);
      const { tpp, authorityFile } = pkiFiles(fresh);
      const issuer = new X509Certificate(await readFile(authorityFile));
      expect(new X509Certificate(await readFile(tpp.certificateFile)).checkIssued(issuer)).toBe(true);
    });

    it('holds the private keys of the TPP and of the directory', async () => {
      for (const file of [files.tppSigningKeyFile, files.directoryKeyFile])
        expect(await readJwk(file)).toMatchObject({ kty: 'RSA', alg: 'PS256', d: expect.any(String) });
    });

    it('is reported in one line when it cannot be made or read', async () => {
      const file = join(folder, 'file');
      await writeFile(file, 'no key');
      await expect(ensurePki(file, now)).rejects.toThrow(FaultyStart);
      await expect(readJwk(join(folder, 'missing'))).rejects.toThrow(/missing is missing: remove its folder/);
      await expect(readJwk(file)).rejects.toThrow(/cannot be read as a key: remove its folder/);
    });
  });
});
