// Nightly: it starts gateways for each drill, which takes minutes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { Browser } from '../authorisation/browser.js';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { freePort } from '../support/free-port.js';
import { administer } from '../support/fresh-database.js';
import { realNowMs } from '../support/real-time.js';
import { GatewayClient, type GivenAccess } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { until } from '../support/until.js';
import { PostgresServer } from './postgres-cluster.js';
import { commandsOf, parts, sections } from './documented-drills.js';
import { createServer as createHttpServer, request, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** A system of the bank next to the gateway, whose secret a drill changes. */
abstract class Neighbour {
  protected constructor(private readonly server: Server) {}

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  protected async listen(port = 0): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A sign-on with the protocol of the sandbox bank's, as far as the first page of a customer goes. */
class SignOn extends Neighbour {
  private constructor(readonly accepted: Set<string>) {
    super(
      createHttpServer((asked, answer) => {
        asked.resume();
        const [, credential = ''] = /^Bearer (.*)$/.exec(asked.headers.authorization ?? '') ?? [];
        const isAccepted = accepted.has(credential);
        answer.writeHead(isAccepted ? 201 : 401, { 'content-type': 'application/json' });
        answer.end(JSON.stringify(isAccepted ? { ticket: 'ticket', via: 'the inbox' } : {}));
      }),
    );
  }

  static async start(...accepted: readonly string[]): Promise<SignOn> {
    const signOn = new SignOn(new Set(accepted));
    await signOn.listen();
    return signOn;
  }
}

/** A proxy that ends the mutual TLS of TPPs, and passes each certificate on with its secret. */
class TlsProxy extends Neighbour {
  secret = '';

  private constructor({ certificatePem, keyPem }: Certified, ca: string, port: number) {
    super(
      createHttpsServer({ cert: certificatePem, key: keyPem, ca, requestCert: true }, (asked, answer) => {
        const certificate = (asked.socket as TLSSocket).getPeerX509Certificate()?.raw.toString('base64') ?? '';
        const proof = { 'client-cert': `:${certificate}:`, 'x-proxy-secret': this.secret };
        const { url: path, method, headers } = asked;
        const onward = request({ port, path, method, headers: { ...headers, ...proof } }, (back) => {
          answer.writeHead(back.statusCode ?? 502, back.headers);
          back.pipe(answer);
        });
        onward.on('error', () => answer.writeHead(502).end());
        asked.pipe(onward);
      }),
    );
  }

  /** @param port of the gateway */
  static async start(own: Certified, ca: string, port: number): Promise<TlsProxy> {
    const proxy = new TlsProxy(own, ca, port);
    await proxy.listen();
    return proxy;
  }
}

describe('the drills of docs/operate', () => {
  const interaction = '93bac548-d2de-4546-b106-880a50180001';
  const signOnCredential = 'operations-sign-on-credential-0123456789';
  let folder: string;
  let bank: SandboxBank;
  let server: PostgresServer;
  let signOn: SignOn;
  let proxy: TlsProxy;
  let gateway: GatewayProcess;
  let client: GatewayClient;
  let settings: NodeJS.ProcessEnv;
  let access: GivenAccess;
  let customer = '';
  /** Further variables of the commands. */
  let more: NodeJS.ProcessEnv = {};

  const certificate = async (days: number): Promise<void> => {
    const until = new Date(realNowMs() + days * 86_400_000).toISOString().replace(/[^\d]/g, '').slice(2, 14);
    const { certificatePem, keyPem } = authority.issue('gateway', { until });
    await writeFile(join(folder, 'cert.pem'), certificatePem);
    await writeFile(join(folder, 'key.pem'), keyPem);
  };
  const authority = new CertificateAuthority();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drills-'));
    [bank, server, signOn] = await Promise.all([startBank(), PostgresServer.start(), SignOn.start(signOnCredential)]);
    for (const name of ['gateway', 'restored']) await administer(server.url(), `CREATE DATABASE ${name}`);
    const [browserPort, mtlsPort, ports] = [await freePort(), await freePort(), await freePorts()];
    await certificate(5);
    await writeFile(join(folder, 'ca.pem'), authority.certificatePem);
    proxy = await TlsProxy.start(authority.issue('proxy'), authority.certificatePem, mtlsPort);
    settings = environmentOf(bank, ports, {
      DATABASE_URL: server.url('gateway'),
      AUTHORISATION_SERVER: 'embedded',
      BROWSER_PORT: String(browserPort),
      BROWSER_URL: `http://127.0.0.1:${browserPort}`,
      MTLS_PORT: String(mtlsPort),
      MTLS_URL: `https://127.0.0.1:${mtlsPort}`,
      MTLS_CERT_FILE: join(folder, 'cert.pem'),
      MTLS_KEY_FILE: join(folder, 'key.pem'),
      MTLS_CLIENT_CA_FILE: join(folder, 'ca.pem'),
      KEY_ENCRYPTION_KEY: 'a1b2c3d4e5f60718293a4b5c6d7e8f90f1e2d3c4b5a697887766554433221100',
      CUSTOMER_AUTHENTICATION_URL: `http://127.0.0.1:${signOn.port}`,
      CUSTOMER_AUTHENTICATION_CREDENTIAL: signOnCredential,
      TRAIL_DIR: join(folder, 'trail'),
    });
    gateway = await GatewayProcess.start(settings);
    client = new GatewayClient(gateway, bank);
    access = await client.give('moneyview');
    customer = bank.personas[0]?.person.key ?? '';
    const read = await fetch(`http://127.0.0.1:${gateway.ports.port}${v3_1.basePath}/accounts`, {
      headers: { authorization: `Bearer ${access.token}`, 'x-fapi-interaction-id': interaction },
    });
    expect(read.status).toBe(200);
  });
  afterAll(async () => {
    await gateway?.kill();
    await server?.remove();
    await proxy?.close();
    await signOn?.close();
    await bank?.close();
    await rm(folder, { recursive: true });
  });

  const stop = async (): Promise<void> => expect(await gateway.stop()).toBe(0);
  /** With changed settings, which the commands then have, too. */
  async function start(changed: NodeJS.ProcessEnv): Promise<void> {
    settings = { ...settings, ...changed };
    gateway = await GatewayProcess.start(settings);
    client = new GatewayClient(gateway, bank, settings['BANK_CREDENTIAL']);
  }
  async function restart(changed: NodeJS.ProcessEnv): Promise<void> {
    await stop();
    await start(changed);
  }
  /** Runs a command in the project's folder, with the files of the drills in a temporary one. @returns its output */
  async function run(command: string): Promise<string> {
    const here = command
      .replaceAll('localhost:3001', `localhost:${gateway.ports.bankPort}`)
      .replaceAll('C1001', customer)
      .replaceAll(/\b(backup-began|client\.key|client\.pem|consents\.dump|proof\.json)\b/g, join(folder, '$1'));
    const child = spawn('bash', ['-o', 'pipefail', '-c', here], {
      cwd: packageRoot(),
      env: {
        ...settings,
        RESTORED_URL: server.url('restored'),
        gateway: String(gateway.child.pid),
        interaction,
        ...more,
      },
    });
    let [said, faults] = ['', ''];
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    child.stderr.on('data', (text: Buffer) => (faults += text.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect([here, code, code === 0 ? '' : faults]).toEqual([here, 0, '']);
    return said;
  }
  /** The output of each part's commands, one part after the other. */
  async function drill(title: string, before: Partial<Record<(typeof parts)[number], () => Promise<unknown>>> = {}) {
    const said: Record<string, string> = {};
    for (const part of parts) {
      await before[part]?.();
      const outputs: string[] = [];
      for (const command of commandsOf(title, part)) outputs.push(await run(command));
      said[part] = outputs.join('\n');
    }
    return said as Record<(typeof parts)[number], string>;
  }

  it('each have a meaning, a check, a fix and the state in which it is resolved', () => {
    expect(sections.size).toBe(15);
    for (const [title, text] of sections)
      expect([title, [...text.matchAll(/^- (\w[\w ]*):\s/gm)].map(([, name]) => name)]).toEqual([title, [...parts]]);
  });

  it('make a backup and restore it, with the withdrawals that came later', async () => {
    const backup = await drill('a backup');
    expect([backup.Check.trim(), backup['Resolved when']]).toEqual(['1', expect.stringContaining('consents')]);
    const later = await client.give('moneyview');
    await client.report(`/consents/${access.consentId}/revoke`);
    const restore = await drill('a restore');
    expect(restore.Fix).toContain(': 1 applied, 0 already done');
    expect(restore['Resolved when'].trim()).toBe('1');
    const [, recover = ''] = commandsOf('a restore', 'Fix');
    expect(await run(recover)).toContain(': 0 applied, 1 already done');
    access = later;
  });

  it('see the primary and readiness', async () => {
    const { Check } = await drill('a failover');
    expect(Check.trim()).toBe('f');
  });

  it('rotate the signing keys', async () => {
    const { Check, 'Resolved when': resolved } = await drill('others may know a key of ours');
    const [before, after] = [Check, resolved].map((text) => text.trim().split('\n'));
    expect(after).toEqual(expect.arrayContaining(before ?? []));
    expect(after?.length).toBeGreaterThan(before?.length ?? 0);
  });

  it('change the bank’s credential, and both work in between', async () => {
    const [former, next] = [settings['BANK_CREDENTIAL'] ?? '', 'operations-bank-credential-of-the-next-year-01'];
    more = { former };
    await drill("the bank's credential", {
      Fix: async () => {
        await restart({ BANK_CREDENTIAL: `${next},${former}` });
        for (const credential of [former, next])
          await new GatewayClient(gateway, bank, credential).consent(access.consentId);
      },
      'Resolved when': () => restart({ BANK_CREDENTIAL: next }),
    });
    await client.consent(access.consentId);
  });

  it('replace every signing key, and keep the consents', async () => {
    const { Check, 'Resolved when': resolved } = await drill('the key that seals the signing keys', {
      Fix: stop,
      'Resolved when': () =>
        start({ KEY_ENCRYPTION_KEY: 'f1b2c3d4e5f60718293a4b5c6d7e8f90f1e2d3c4b5a697887766554433221100' }),
    });
    for (const kid of Check.trim().split('\n')) expect(resolved).not.toContain(kid);
    expect(resolved).toMatch(/\S/);
    expect(await client.consent(access.consentId)).toMatchObject({ Status: 'authorised' });
  });

  it('take a new certificate without a restart', async () => {
    const days = (text: string): number => Math.round(Number(/ ([\d.]+)$/m.exec(text)?.[1]));
    const { Check, 'Resolved when': resolved } = await drill('a certificate', {
      Fix: () => certificate(90),
      'Resolved when': () => until(() => /certificates/.test(gateway.output), patienceMs),
    });
    expect([days(Check), days(resolved)]).toEqual([5, 90]);
  });

  it('stop a TPP', async () => {
    const { Check, 'Resolved when': resolved } = await drill('a TPP must be stopped', {
      'Resolved when': async () => expect(await client.read(access)).not.toBe(200),
    });
    expect(Check).toMatch(/accounts +200/);
    expect(resolved).toMatch(/moneyview/);
    expect(await client.read(access)).toBe(200);
  });

  it('answer a customer who complains', async () => {
    const { Check } = await drill('a customer complains', {
      'Resolved when': () => client.report(`/consents/${access.consentId}/revoke`),
    });
    expect(Check).toContain('moneyview');
  });

  it('answer the regulator', async () => {
    // Its segment of the trail is closed.
    expect(await gateway.stop()).toBe(0);
    const { Fix, 'Resolved when': resolved } = await drill('the regulator asks');
    expect(Fix).toContain('accounts');
    expect(resolved).toMatch(/\S/);
  });

  it('record a lost disk of the trail, which is not a fault from then on', async () => {
    const day = join(settings['TRAIL_DIR'] ?? '', new Date(realNowMs()).toISOString().slice(0, 10));
    const [segment = ''] = (await readdir(day)).filter((name) => /^[^.]+[.][^.]+[.]ndjson$/.test(name));
    await rename(join(day, segment), join(folder, segment));
    more = { MAINTENANCE_URL: settings['DATABASE_URL'] };
    const { Check, 'Resolved when': resolved } = await drill('a lost disk of the trail');
    expect(Check).toContain('FAULT (missing)');
    expect(resolved).toMatch(/^Lost, as recorded at .*the disk of gateway-2 died, incident 4711/m);
    await rename(join(folder, segment), join(day, segment));
  });

  it('change the keys of the trail, which stays whole and is still searched', async () => {
    const TRAIL_KEY = 'next-trail-key-0123456789abcdef01234567';
    more = { former_public: (await run('npm run --silent ops -- trail key')).trim(), next_trail_key: TRAIL_KEY };
    const { 'Resolved when': resolved } = await drill('the keys of the trail', {
      'Resolved when': async () => {
        const former = settings['PSEUDONYM_KEY'] ?? '';
        await start({ TRAIL_KEY, PSEUDONYM_KEY: `next-pseudonym-key-0123456789abcdef0123,${former}` });
      },
    });
    expect(resolved).toContain('moneyview');
  });

  /** The page after a customer has given a login name and a password. */
  async function signIn(): Promise<string> {
    const browser = new Browser(settings['BROWSER_URL'] ?? '', authority.certificatePem);
    const page = await browser.submit(await browser.open('/as/dashboard'), { login_name: 'saver', password: 'pass' });
    await browser.close();
    return page.html.includes('name="code"') ? 'asked for the code' : `${page.status}: ${page.html}`;
  }

  it('change the credential at the bank’s sign-on, and customers sign in all the time', async () => {
    const next = 'operations-sign-on-credential-of-the-next-year';
    more = { former: signOnCredential };
    const behindProxy = {
      MTLS_CERT_FILE: undefined,
      MTLS_KEY_FILE: undefined,
      MTLS_URL: `https://127.0.0.1:${proxy.port}`,
      CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
      TRUSTED_PROXIES: '127.0.0.1/32',
      PROXY_SECRET: (proxy.secret = 'operations-proxy-secret-0123456789abcdef'),
    };
    await drill('the credential at the bank’s sign-on', {
      Fix: async () => {
        signOn.accepted.add(next);
        expect(await signIn()).toBe('asked for the code');
        // From here on a proxy ends the TLS of TPPs, and unbound tokens are refused: the restart serves the next drill too.
        await restart({ CUSTOMER_AUTHENTICATION_CREDENTIAL: next, ...behindProxy });
        expect(await signIn()).toBe('asked for the code');
      },
      'Resolved when': () => Promise.resolve(signOn.accepted.delete(signOnCredential)),
    });
    expect(await signIn()).toBe('asked for the code');
  });

  it('change the secret of the proxy, and both work in between', async () => {
    const [former, next] = [proxy.secret, 'operations-proxy-secret-of-the-next-year-01'];
    const { certificatePem, keyPem } = authority.issue('moneyview');
    await writeFile(join(folder, 'client.pem'), certificatePem);
    await writeFile(join(folder, 'client.key'), keyPem);
    const metadata = {
      client_id: 'tpp-test',
      fapi_profile: '2.0',
      response_types: ['code'],
      redirect_uris: ['https://tpp.example/callback'],
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: 'CN=moneyview',
    };
    const registration = join(folder, 'tpp-test.json');
    await writeFile(registration, JSON.stringify({ clientId: 'tpp-test', name: 'The test TPP', metadata }));
    await run(`npm run --silent ops -- tpps add ${registration}`);
    more = { CURL_CA_BUNDLE: join(folder, 'ca.pem'), CLIENT_ID: 'tpp-test' };
    const [check = ''] = commandsOf('the secret of the proxy', 'Check');
    const { Check, 'Resolved when': resolved } = await drill('the secret of the proxy', {
      Fix: async () => {
        await restart({ PROXY_SECRET: `${next},${former}` });
        for (const secret of [former, next]) {
          proxy.secret = secret;
          expect(await run(check)).toBe('Bearer\n');
        }
      },
      'Resolved when': () => restart({ PROXY_SECRET: next }),
    });
    for (const said of [Check, resolved]) expect(said).toBe('Bearer\n');
    proxy.secret = former;
    await expect(run(check)).rejects.toThrow();
    proxy.secret = next;
  });
});
