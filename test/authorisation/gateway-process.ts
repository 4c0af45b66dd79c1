import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { patience } from '../support/fresh-database.js';
import { freePort } from '../support/free-port.js';
import type { Ports } from './routed-agent.js';
import type { AuthorisationSetting } from './setting.js';
import { trailKeys } from '../support/trail-keys.js';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const loader = new URL('../support/typescript-loader.mjs', import.meta.url).href;

/** One more gateway on a test's PostgreSQL, in a separate process that starts as a bank starts it. */
export class GatewayProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** Where a balancer sends what is meant for the first one, for this one to have it. */
    readonly ports: Ports,
  ) {}

  static async beside({ stack, listeners: { browser, tpp, keyEncryptionKey } }: AuthorisationSetting) {
    const { database, cores, bankCredentials, idKey, profile } = stack.config;
    const [port, bankPort, browserPort, tppPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const environment = {
      PATH: process.env['PATH'],
      PORT: port,
      BANK_PORT: bankPort,
      BROWSER_PORT: browserPort,
      MTLS_PORT: tppPort,
      BASE_URL: stack.config.baseUrl,
      BROWSER_URL: browser.url,
      MTLS_URL: tpp.url,
      BROWSER_TLS_CERT_FILE: browser.tls?.certFile,
      BROWSER_TLS_KEY_FILE: browser.tls?.keyFile,
      MTLS_CERT_FILE: tpp.tls?.certFile,
      MTLS_KEY_FILE: tpp.tls?.keyFile,
      MTLS_CLIENT_CA_FILE: tpp.tls?.clientCaFile,
      AUTHORISATION_SERVER: 'embedded',
      // A busy machine may keep PostgreSQL waiting.
      DATABASE_URL: withParameter(database.url ?? '', 'connect_timeout', patience.connectTimeoutMs / 1_000),
      CORE_URL: cores[0]?.url,
      BANK_CREDENTIAL: bankCredentials.join(','),
      ID_KEY: idKey,
      ...trailKeys,
      KEY_ENCRYPTION_KEY: keyEncryptionKey.toString('hex'),
      PROFILE: profile,
      // In these tests customers sign in at the first gateway, so this address is never asked.
      CUSTOMER_AUTHENTICATION_URL: 'http://127.0.0.1:1',
      CUSTOMER_AUTHENTICATION_CREDENTIAL: 'sign-on-0123456789abcdefghijklmnopqr',
    };
    const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
    const child = spawn(process.execPath, ['--import', loader, main], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let faults = '';
    child.stderr.on('data', (chunk: Buffer) => (faults += chunk.toString()));
    const bank = `http://127.0.0.1:${bankPort}`;
    while (!(await isReady(bank))) {
      if (child.exitCode !== null) throw new Error(`the second gateway ended: ${faults}`);
      await sleep(20);
    }
    const ports = new Map([
      [new URL(browser.url).port, String(browserPort)],
      [new URL(tpp.url).port, String(tppPort)],
    ]);
    return new GatewayProcess(child, ports);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

function withParameter(url: string, name: string, value: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${value}`;
}

async function isReady(bank: string): Promise<boolean> {
  return fetch(`${bank}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
