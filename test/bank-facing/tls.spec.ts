import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions } from 'node:tls';
import { readOperatorAddress } from '../../src/config/bank-address.js';
import { AuthorisationSetting } from '../authorisation/setting.js';
import { CertificateAuthority } from '../support/certificates.js';
import { portOf, requestText, sendRaw } from '../support/raw-http.js';
import { bankCredential } from '../support/stack.js';
import { opsCommand } from '../support/ops-command.js';

const authority = new CertificateAuthority();
const gateway = authority.issue('gateway');
const stranger = new CertificateAuthority('another authority').issue('stranger');
const service = authority.issue('authorisation service');
const list = '/bank/v1/customers/C1001/consents';
const withCredential = [`Authorization: Bearer ${bankCredential}`];

describe('the bank’s port with TLS', () => {
  let folder: string;
  const files: Record<string, string> = {};
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bank-tls-'));
    const contents = {
      cert: gateway.certificatePem,
      key: gateway.keyPem,
      chain: gateway.certificatePem + authority.certificatePem,
      ca: authority.certificatePem,
      other: authority.issue('gateway').certificatePem,
      serviceCert: service.certificatePem,
      serviceKey: service.keyPem,
    };
    for (const [name, content] of Object.entries(contents)) {
      files[name] = join(folder, `${name}.pem`);
      await writeFile(files[name], content);
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  const started = (withAuthority: boolean): { setting: AuthorisationSetting; port: number } => {
    const given = {} as { setting: AuthorisationSetting; port: number };
    beforeAll(async () => {
      const { chain: certFile = '', key: keyFile = '', ca: clientCaFile = '' } = files;
      const bankTls = { certFile, keyFile, ...(withAuthority && { clientCaFile }) };
      given.setting = await AuthorisationSetting.start({ config: { bankTls } });
      given.port = portOf(given.setting.stack.gateway.bankServer);
    });
    afterAll(() => given.setting.close());
    return given;
  };
  const open =
    (options: ConnectionOptions = {}) =>
    (port: number) =>
      connect({ host: '127.0.0.1', port, ca: authority.certificatePem, ...options });
  const status = async (port: number, path: string, headers: string[], options?: ConnectionOptions): Promise<number> =>
    (await sendRaw(port, requestText('GET', path, headers), open(options))).status;
  const command = async (port: number, more: Readonly<Record<string, string | undefined>>): Promise<string> => {
    const settings = { BANK_PORT: String(port), BANK_CREDENTIAL: bankCredential, ...more };
    const { text, told } = await opsCommand(['tpps', 'list'], { operator: () => readOperatorAddress(settings) });
    return text + told.join('\n');
  };

  describe('and the credential alone', () => {
    const given = started(false);

    it('answers over TLS only', async () => {
      expect(await status(given.port, list, withCredential)).toBe(200);
      expect(await status(given.port, '/health/live', [])).toBe(200);
      expect(await status(given.port, list, [])).toBe(401);
      await expect(sendRaw(given.port, requestText('GET', list, withCredential))).resolves.toMatchObject({
        status: Number.NaN,
      });
    });

    it('is recognised by the commands by its certificate, under any name', async () => {
      expect(await command(given.port, { BANK_TLS_CERT_FILE: files['cert'] })).toBe('no TPP is registered');
      const chained = { BANK_TLS_CERT_FILE: files['chain'], BANK_HOST: 'localhost' };
      expect(await command(given.port, chained)).toBe('no TPP is registered');
    });

    it('does not get the credential where it shows another certificate of the same authority', async () => {
      expect(await command(given.port, { BANK_TLS_CERT_FILE: files['other'] })).toBe(
        `the gateway at https://127.0.0.1:${given.port} does not show the certificate of BANK_TLS_CERT_FILE: name the certificate with which it was started`,
      );
    });

    it('is reported in one line by commands that use plain HTTP', async () => {
      expect(await command(given.port, {})).toBe(
        `no gateway answers at http://127.0.0.1:${given.port}: start it, or set BANK_HOST and BANK_PORT, with the BANK_TLS_… settings that it has`,
      );
    });
  });

  describe('and client certificates', () => {
    const given = started(true);
    const own = { cert: service.certificatePem, key: service.keyPem };

    it('answers a request with both, and refuses a request with only one of them', async () => {
      expect(await status(given.port, list, withCredential, own)).toBe(200);
      expect(await status(given.port, list, [], own)).toBe(401);
      expect(await status(given.port, list, withCredential)).toBe(401);
      const foreign = { cert: stranger.certificatePem, key: stranger.keyPem };
      expect(await status(given.port, list, withCredential, foreign)).toBe(401);
      expect(await status(given.port, '/bank/v1/%zz', withCredential)).toBe(401);
    });

    it('shows health and metrics without one, because monitoring has no certificate', async () => {
      for (const path of ['/health/live', '/health/ready', '/metrics'])
        expect(await status(given.port, path, [])).toBe(200);
    });

    it('does not accept a resumed connection instead of a certificate', async () => {
      const first = open()(given.port);
      const [session] = (await once(first, 'session')) as [Buffer];
      first.destroy();
      const resumed = open({ session })(given.port);
      await once(resumed, 'secureConnect');
      expect(resumed.isSessionReused()).toBe(true);
      resumed.destroy();
      expect(await status(given.port, list, withCredential, { session })).toBe(401);
    });

    it('accepts the certificate of the commands', async () => {
      const tls = { BANK_TLS_CERT_FILE: files['cert'] };
      const client = { BANK_CLIENT_CERT_FILE: files['serviceCert'], BANK_CLIENT_KEY_FILE: files['serviceKey'] };
      expect(await command(given.port, { ...tls, ...client })).toBe('no TPP is registered');
      expect(await command(given.port, tls)).toBe(
        'BANK_CREDENTIAL is not the one of the gateway, or BANK_CLIENT_CERT_FILE is not of its BANK_TLS_CLIENT_CA_FILE',
      );
      expect(await command(given.port, { ...tls, ...client, BANK_CLIENT_KEY_FILE: '' })).toBe(
        'BANK_CLIENT_CERT_FILE and BANK_CLIENT_KEY_FILE must be set together',
      );
    });
  });

  describe('the image’s check of its health', () => {
    const check = async (port: number, more: Readonly<Record<string, string>>): Promise<number | null> => {
      const dockerfile = await readFile(join(import.meta.dirname, '../../Dockerfile'), 'utf8');
      const [, command = ''] = /^HEALTHCHECK[^\n]*\\\n\s*CMD (\[.*\])$/m.exec(dockerfile) ?? [];
      const [, ...args] = JSON.parse(command) as string[];
      const child = spawn(process.execPath, args, { env: { BANK_PORT: String(port), ...more }, stdio: 'ignore' });
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    };
    const listening = async <S extends HttpServer | HttpsServer>(server: S): Promise<[S, number]> => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return [server, (server.address() as AddressInfo).port];
    };

    it.each([
      [200, 0],
      [503, 1],
    ])('reports an answer of %i by %i, with TLS and without', async (answer, code) => {
      const tls = { cert: gateway.certificatePem, key: gateway.keyPem };
      const respond = (_request: unknown, response: { writeHead(status: number): { end(): void } }): void =>
        response.writeHead(answer).end();
      const [plain, plainPort] = await listening(createServer(respond as never));
      const [secure, securePort] = await listening(createHttpsServer(tls, respond as never));
      expect(await check(plainPort, {})).toBe(code);
      expect(await check(securePort, { BANK_TLS_CERT_FILE: files['cert'] ?? '' })).toBe(code);
      plain.close();
      secure.close();
      expect(await check(plainPort, {})).toBe(1);
    });
  });
});
