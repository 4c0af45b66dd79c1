import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { connect as tcpConnect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { startSandboxBank, type SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { SystemClock } from '../../src/clock/clock.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { freePort } from '../support/free-port.js';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { until } from '../support/until.js';
import { GatewayProcess, patienceMs } from './gateway-process.js';
import { trailKeys } from '../support/trail-keys.js';

const authority = new CertificateAuthority();
const client = authority.issue('tpp one');
const issuer = 'https://issuer.example';
const list = '/bank/v1/customers/C1001/consents';
const newSecret = (): string => randomBytes(32).toString('hex');

describe('a gateway that receives a signal', () => {
  let folder: string;
  let bank: SandboxBank;
  let gateway: GatewayProcess;
  let ports: { api: number; bank: number; inspector: number };
  let signing: CryptoKey;
  const credential = newSecret();
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const showCertificate = async ({ certificatePem, keyPem }: Certified): Promise<Record<string, string>> => ({
    TLS_CERT_FILE: await file('cert.pem', certificatePem),
    TLS_KEY_FILE: await file('key.pem', keyPem),
    BANK_TLS_CERT_FILE: await file('bank-cert.pem', certificatePem),
    BANK_TLS_KEY_FILE: await file('bank-key.pem', keyPem),
  });
  const publishKey = async (): Promise<void> => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    signing = privateKey;
    await file('jwks.json', JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }] }));
  };
  const nameIssuer = (audience: string): Promise<string> =>
    file(
      'issuers.json',
      JSON.stringify([{ issuer, audience, binding: 'mtls', jwks: 'jwks.json', algorithms: ['ES256'] }]),
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signals-'));
    const [issuerKeys, clock] = [await makeIssuerKeys(), new SystemClock()];
    bank = await startSandboxBank({ port: 0, credential: newSecret(), issuerKeys, clock });
    ports = { api: await freePort(), bank: await freePort(), inspector: await freePort() };
    await publishKey();
    gateway = await GatewayProcess.start(
      {
        ...(await showCertificate(authority.issue('gateway'))),
        TLS_CLIENT_CA_FILE: await file('ca.pem', authority.certificatePem),
        PORT: String(ports.api),
        BANK_PORT: String(ports.bank),
        CORE_URL: bank.coreUrl,
        DATA_DIR: join(folder, 'data'),
        BANK_CREDENTIAL_FILE: await file('credential', `${credential}\n`),
        ID_KEY: newSecret(),
        ...trailKeys,
        ISSUERS_FILE: await nameIssuer('accounts'),
      },
      { nodeOptions: [`--inspect-port=${ports.inspector}`], until: 'record' },
    );
  });
  afterAll(async () => {
    await gateway.kill();
    await bank.close();
    await rm(folder, { recursive: true });
  });

  /** Sends SIGHUP, and gives the gateway's record of it. */
  const hangUp = async () => {
    const told = () => gateway.records(/were read again|SIGHUP changed nothing/);
    const before = told().length;
    gateway.child.kill('SIGHUP');
    await until(() => told().length > before, patienceMs);
    return told()[before]!;
  };
  const tls = { ca: authority.certificatePem, cert: client.certificatePem, key: client.keyPem };
  const ask = (port: number, path: string, bearer: string, more: RequestOptions = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${bearer}`, ...more.headers };
      httpsRequest({ ...tls, host: '127.0.0.1', port, path, agent: false, ...more, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      })
        .on('error', reject)
        .end();
    });
  const shown = async (port: number): Promise<string | undefined> => {
    const socket: TLSSocket = connect({ ...tls, host: '127.0.0.1', port });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerX509Certificate() ?? {};
    socket.destroy();
    return serialNumber;
  };
  const token = (audience = 'accounts'): Promise<string> =>
    new SignJWT({ client_id: 'tpp-one', scope: 'accounts', cnf: { 'x5t#S256': client.thumbprint } })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime('1h')
      .sign(signing);
  /** 400: the token is good, and the consent does not exist. */
  const accepted = async (bearer: string): Promise<number> =>
    ask(ports.api, `${v3_1.basePath}/account-access-consents/none`, bearer);

  it('shows renewed certificates on every listener after SIGHUP, and cuts no connection', async () => {
    const renewed = authority.issue('gateway');
    const agent = new Agent({ ...tls, keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify({ customerRef: 'C1', accounts: ['A1'], authenticatedAt: '2026-05-02T09:30:00Z' });
    const request = httpsRequest({
      host: '127.0.0.1',
      port: ports.bank,
      path: '/bank/v1/consents/unknown/authorise',
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${credential}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    request.write(body.slice(0, 10));
    const [socket] = (await once(request, 'socket')) as [TLSSocket];
    if (socket.connecting) await once(socket, 'secureConnect');
    const before = await shown(ports.api);

    await showCertificate(renewed);
    expect(await hangUp()).toMatchObject({ level: 30 });

    expect([await shown(ports.api), await shown(ports.bank)]).toEqual(Array(2).fill(renewed.certificate.serialNumber));
    expect(before).not.toBe(renewed.certificate.serialNumber);
    request.end(body.slice(10));
    const [answer] = await once(request, 'response');
    expect([answer.statusCode, JSON.parse(await text(answer)).Errors[0].ErrorCode]).toEqual([400, 'consent-not-found']);
    expect(await ask(ports.bank, list, credential, { agent })).toBe(200);
    expect(socket.destroyed).toBe(false);
    agent.destroy();
  });

  it('SIGHUP reads no credential and no issuer again', async () => {
    const earlier = await token();
    await file('credential', newSecret());
    await nameIssuer('other');
    expect(await hangUp()).toMatchObject({ level: 30 });
    expect([await ask(ports.bank, list, credential), await accepted(earlier)]).toEqual([200, 400]);
    expect(await accepted(await token('other'))).toBe(401);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['a key of another certificate', () => file('key.pem', client.keyPem), /^TLS_KEY_FILE ".*" is not the key of/],
    [
      'a certificate of another key',
      () => file('bank-cert.pem', client.certificatePem),
      /^BANK_TLS_KEY_FILE ".*" is not the key of/,
    ],
    [
      'authorities that are not PEM',
      () => file('ca.pem', 'text'),
      /^TLS_CLIENT_CA_FILE ".*" holds no certificates: name/,
    ],
  ])(
    'SIGHUP changes no certificate when one file has a fault, and one line names the file: %s',
    async (_what, spoil, fault) => {
      const before = [await shown(ports.api), await shown(ports.bank)];
      await showCertificate(authority.issue('gateway'));
      await spoil();
      const told = await hangUp();
      expect(told).toMatchObject({
        level: 50,
        msg: 'SIGHUP changed nothing: the certificates that were in use stay in use',
      });
      expect(told.fault).toMatch(fault);
      expect([await shown(ports.api), await shown(ports.bank)]).toEqual(before);
      const renewed = authority.issue('gateway');
      await showCertificate(renewed);
      await file('ca.pem', authority.certificatePem);
      expect(await hangUp()).toMatchObject({ level: 30 });
      expect([await shown(ports.api), await shown(ports.bank)]).toEqual(
        Array(2).fill(renewed.certificate.serialNumber),
      );
    },
  );

  it('opens no debugger after SIGUSR1', async () => {
    gateway.child.kill('SIGUSR1');
    await hangUp();
    const inspector = tcpConnect(ports.inspector, '127.0.0.1');
    const outcome = await new Promise((resolve) => {
      inspector.once('connect', () => resolve('open'));
      inspector.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    inspector.destroy();
    expect(outcome).toBe('ECONNREFUSED');
    expect(gateway.faults).not.toContain('Debugger listening');
  });
});

describe('a gateway that cannot start', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'no-start-'));
    await writeFile(join(folder, 'file'), 'text');
  });
  afterAll(() => rm(folder, { recursive: true }));
  const settings = {
    CORE_URL: 'http://127.0.0.1:1',
    BANK_CREDENTIAL: newSecret(),
    ID_KEY: newSecret(),
    ...trailKeys,
    TOKEN_ISSUER: issuer,
    TOKEN_AUDIENCE: 'accounts',
    TOKEN_JWKS: `${issuer}/jwks`,
  };
  /** As soon as the gateway handles the signal: before that, Node ends the process. */
  const thrower = (statement: string): string[] => {
    const heard = "process.listenerCount('unhandledRejection') > 0";
    const script = `const wait = setInterval(() => { if (${heard}) { clearInterval(wait); ${statement} } }, 1)`;
    return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
  };

  it.each<[string, () => [Record<string, string>, string[]?], RegExp]>([
    ['no setting', () => [{ ...settings, ID_KEY: '' }], /ID_KEY must be a secret .* make one with `openssl/],
    ['a folder that is a file', () => [{ ...settings, DATA_DIR: join(folder, 'file') }], /./],
    ['a path that is not a folder', () => [{ ...settings, DATA_DIR: '/dev/null/x' }], /./],
    [
      'a file that is not a key',
      () => [{ ...settings, TOKEN_JWKS: join(folder, 'file') }],
      /is not a readable JSON Web Key Set/,
    ],
    ['an error that no code catches', () => [settings, thrower("throw new TypeError('a bug')")], /TypeError .*a bug$/],
    ['a rejection', () => [settings, thrower("Promise.reject(new RangeError('a bug'))")], /RangeError .*a bug$/],
    [
      'an error that quotes its input',
      () => [settings, thrower("JSON.parse('Ame' + 'lia')")],
      /SyntaxError at \S+: report this/,
    ],
    ['a rejection with text', () => [settings, thrower("Promise.reject('text')")], /a fault in the program/],
  ])('says in one line why, and no stack: %s', async (_why, given, line) => {
    const [environment, nodeOptions] = given();
    const data = join(folder, `data-${randomBytes(4).toString('hex')}`);
    const gateway = await GatewayProcess.start({ DATA_DIR: data, ...environment }, { nodeOptions, until: 'end' });
    expect(await gateway.ended).toBe(1);
    expect(gateway.faults).toMatch(/^gateway: [^\n]+\n$/);
    expect(gateway.faults.trim()).toMatch(line);
    expect(gateway.output + gateway.faults).not.toMatch(/\n\s+at |\\n\s+at |Amelia/);
  });
});
