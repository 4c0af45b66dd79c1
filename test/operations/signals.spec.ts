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
import { v3_1 } from '../../src/versions/v3.1.js';
import { freePort } from '../support/free-port.js';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { RunningGateway } from '../support/running-gateway.js';

const authority = new CertificateAuthority();
const client = authority.issue('tpp one');
const issuer = 'https://issuer.example';
const list = '/bank/v1/customers/C1001/consents';
const newSecret = (): string => randomBytes(32).toString('hex');

describe('a gateway that is told by a signal', () => {
  let folder: string;
  let bank: SandboxBank;
  let gateway: RunningGateway;
  let ports: { api: number; bank: number; inspector: number };
  let signing: CryptoKey;
  let credential = newSecret();
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
    gateway = new RunningGateway(
      {
        ...(await showCertificate(authority.issue('gateway'))),
        TLS_CLIENT_CA_FILE: await file('ca.pem', authority.certificatePem),
        PORT: String(ports.api),
        BANK_PORT: String(ports.bank),
        CORE_URL: bank.coreUrl,
        DATA_DIR: join(folder, 'data'),
        BANK_CREDENTIAL_FILE: await file('credential', `${credential}\n`),
        ID_KEY: newSecret(),
        ISSUERS_FILE: await nameIssuer('accounts'),
      },
      [`--inspect-port=${ports.inspector}`],
    );
    await gateway.ready();
  });
  afterAll(async () => {
    await gateway.stop();
    await bank.close();
    await rm(folder, { recursive: true });
  });

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
  const token = (audience = 'accounts', key = signing): Promise<string> =>
    new SignJWT({ client_id: 'tpp-one', scope: 'accounts', cnf: { 'x5t#S256': client.thumbprint } })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime('1h')
      .sign(key);
  /** 400: the token is good, and the consent is none. */
  const accepted = async (bearer: string): Promise<number> =>
    ask(ports.api, `${v3_1.basePath}/account-access-consents/none`, bearer);

  it('SIGHUP shows renewed certificates on every listener, and cuts nothing off', async () => {
    const renewed = authority.issue('gateway');
    const agent = new Agent({ ...tls, keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify({ customerRef: 'C1', accounts: ['A1'], authenticatedAt: '2026-05-02T09:30:00Z' });
    const request = httpsRequest({
      ...{ host: '127.0.0.1', port: ports.bank, path: '/bank/v1/consents/unknown/authorise', method: 'POST', agent },
      headers: {
        ...{ authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        'content-length': Buffer.byteLength(body),
      },
    });
    request.write(body.slice(0, 10));
    const [socket] = (await once(request, 'socket')) as [TLSSocket];
    if (socket.connecting) await once(socket, 'secureConnect');
    const before = await shown(ports.api);

    await showCertificate(renewed);
    expect(await gateway.hangUp()).toMatchObject({ level: 30 });

    expect([await shown(ports.api), await shown(ports.bank)]).toEqual(Array(2).fill(renewed.certificate.serialNumber));
    expect(before).not.toBe(renewed.certificate.serialNumber);
    request.end(body.slice(10));
    const [answer] = await once(request, 'response');
    expect([answer.statusCode, JSON.parse(await text(answer)).Code]).toEqual([400, '400 BadRequest']);
    expect(await ask(ports.bank, list, credential, { agent })).toBe(200);
    expect(socket.destroyed).toBe(false);
    agent.destroy();
  });

  it('SIGHUP takes credentials of files', async () => {
    const former = credential;
    credential = newSecret();
    await file('credential', credential);
    expect(await ask(ports.bank, list, former)).toBe(200);
    await gateway.hangUp();
    expect([await ask(ports.bank, list, former), await ask(ports.bank, list, credential)]).toEqual([401, 200]);
  });

  it('SIGHUP takes issuers and their keys, and forgets what was good before', async () => {
    const former = await token();
    expect(await accepted(former)).toBe(400);
    await publishKey();
    expect([await accepted(former), await accepted(await token())]).toEqual([400, 401]);
    await gateway.hangUp();
    expect([await accepted(former), await accepted(await token())]).toEqual([401, 400]);
    await nameIssuer('other');
    await gateway.hangUp();
    expect([await accepted(await token()), await accepted(await token('other'))]).toEqual([401, 400]);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['a key of another certificate', () => file('key.pem', client.keyPem), /^TLS_KEY_FILE ".*" is not the key of/],
    ['issuers that are none', () => file('issuers.json', '{'), /ISSUERS_FILE is not valid JSON/],
    [
      'a credential that is weak',
      () => file('credential', '0'.repeat(64)),
      /BANK_CREDENTIAL has fewer than 8 different/,
    ],
  ])('SIGHUP changes nothing where one file is at fault, and says why in one line: %s', async (_what, spoil, fault) => {
    const before = [await shown(ports.api), await shown(ports.bank)];
    const wanted = credential;
    await showCertificate(authority.issue('gateway'));
    await file('credential', newSecret());
    await spoil();
    const told = await gateway.hangUp();
    expect(told).toMatchObject({ level: 50, msg: 'SIGHUP changed nothing: what was in use stays in use' });
    expect(told.fault).toMatch(fault);
    expect([await shown(ports.api), await shown(ports.bank)]).toEqual(before);
    expect(await ask(ports.bank, list, wanted)).toBe(200);
    // As it should be, for the next one.
    await showCertificate(authority.issue('gateway'));
    await nameIssuer('other');
    await file('credential', wanted);
    expect(await gateway.hangUp()).toMatchObject({ level: 30 });
  });

  it('SIGUSR1 opens no debugger', async () => {
    gateway.child.kill('SIGUSR1');
    await gateway.hangUp();
    const inspector = tcpConnect(ports.inspector, '127.0.0.1');
    const outcome = await new Promise((resolve) => {
      inspector.once('connect', () => resolve('open'));
      inspector.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    inspector.destroy();
    expect(outcome).toBe('ECONNREFUSED');
    expect(gateway.stderr).not.toContain('Debugger listening');
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
    ...{ CORE_URL: 'http://127.0.0.1:1', BANK_CREDENTIAL: newSecret(), ID_KEY: newSecret(), TOKEN_ISSUER: issuer },
    ...{ TOKEN_AUDIENCE: 'accounts', TOKEN_JWKS: `${issuer}/jwks` },
  };
  /** As soon as the gateway itself hears of it: before that, Node has the word. */
  const thrower = (statement: string): string[] => {
    const heard = "process.listenerCount('unhandledRejection') > 0";
    const script = `const wait = setInterval(() => { if (${heard}) { clearInterval(wait); ${statement} } }, 1)`;
    return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
  };

  it.each<[string, () => [Record<string, string>, string[]?], RegExp]>([
    ['no setting', () => [{ ...settings, ID_KEY: '' }], /ID_KEY must be a secret .* make one with `openssl/],
    ['a folder that is a file', () => [{ ...settings, DATA_DIR: join(folder, 'file') }], /./],
    ['a folder that is none', () => [{ ...settings, DATA_DIR: '/dev/null/x' }], /./],
    [
      'a key that is none',
      () => [{ ...settings, TOKEN_JWKS: join(folder, 'file') }],
      /is not a readable JSON Web Key Set/,
    ],
    ['an error that nobody catches', () => [settings, thrower("throw new TypeError('a bug')")], /TypeError .*a bug$/],
    ['a rejection', () => [settings, thrower("Promise.reject(new RangeError('a bug'))")], /RangeError .*a bug$/],
    [
      'an error that quotes what it read',
      () => [settings, thrower("JSON.parse('Ame' + 'lia')")],
      /SyntaxError at \S+: report this/,
    ],
    ['a rejection with text', () => [settings, thrower("Promise.reject('text')")], /a fault of the program/],
  ])('says in one line why, and no stack: %s', async (_why, given, line) => {
    const [environment, nodeOptions] = given();
    const data = join(folder, `data-${randomBytes(4).toString('hex')}`);
    const gateway = new RunningGateway({ DATA_DIR: data, ...environment }, nodeOptions);
    expect(await gateway.ended()).toBe(1);
    expect(gateway.stderr).toMatch(/^gateway: [^\n]+\n$/);
    expect(gateway.stderr.trim()).toMatch(line);
    expect(gateway.stdout + gateway.stderr).not.toMatch(/\n\s+at |\\n\s+at |Amelia/);
  });
});
