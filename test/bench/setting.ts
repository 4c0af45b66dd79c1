import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { personas, type PersonaSummary } from '../../sandbox/actions/bank.js';
import { giveConsent, type GivenConsent } from '../../sandbox/actions/consent.js';
import { Stack } from '../../sandbox/clients/stack.js';
import { gatewayCommand } from '../../sandbox/gateway-command.js';
import { ensurePki, type SandboxPki } from '../../sandbox/pki/kept-pki.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { embeddedEnvironment, keptSecrets } from '../../sandbox/stack-environment.js';
import { profileFile } from '../support/profile-file.js';
import type { ServiceRules } from '../../src/profiles/service-rules.js';
import { SystemClock } from '../../src/clock/clock.js';
import { freePort } from '../support/free-port.js';
import { ServerProcess } from './server-process.js';

/** Where a gateway keeps its consents: one of the two. */
export type Store = { readonly DATABASE_URL: string } | { readonly DATA_DIR: string };

export interface RunningGateway {
  readonly server: ServerProcess;
  readonly url: string;
  readonly environment: NodeJS.ProcessEnv;
}

export interface BankAccount {
  readonly persona: string;
  readonly customer: string;
  readonly account: string;
}

/** The sandbox bank as `npm start` has it. */
const sandboxBank = '../../sandbox/bank/main.js';

/** One sandbox bank for all servers, and the common settings of their environments. */
export class Setting {
  private constructor(
    private readonly folder: string,
    private readonly shared: Readonly<NodeJS.ProcessEnv>,
    private readonly bank: ServerProcess,
    readonly pki: SandboxPki,
  ) {}

  /** @param folder takes the logs and the sandbox's keys */
  static async start(folder: string): Promise<Setting> {
    const port = await freePort();
    const shared = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      SANDBOX_PORT: String(port),
      DATA_DIR: join(folder, 'bank'),
      BANK_CREDENTIAL: randomBytes(32).toString('hex'),
      STOP_DELAY_SECONDS: '0',
      ID_KEY: randomBytes(32).toString('hex'),
      TRAIL_KEY: randomBytes(32).toString('hex'),
      PSEUDONYM_KEY: randomBytes(32).toString('hex'),
      CORE_URL: `http://127.0.0.1:${port}/ledger`,
      TOKEN_ISSUER: `http://127.0.0.1:${port}/issuer`,
      TOKEN_AUDIENCE: 'account-information',
      TOKEN_JWKS: `http://127.0.0.1:${port}/issuer/jwks.json`,
      // One TPP sends the whole load, and its limits are not measured.
      TPP_REQUESTS_PER_SECOND: '0',
    };
    const pki = await ensurePki(shared.DATA_DIR, new SystemClock().nowMs());
    const bank = await ServerProcess.start(
      fileURLToPath(new URL(sandboxBank, import.meta.url)),
      shared,
      `http://127.0.0.1:${port}/health`,
      join(folder, 'bank.log'),
    );
    return new Setting(folder, shared, bank, pki);
  }

  get coreUrl(): string {
    return this.shared.CORE_URL ?? '';
  }

  /** As {@link ServerProcess.cpuMeter}, of the sandbox bank with its core. */
  bankCpuMeter(): (requests: number) => number | undefined {
    return this.bank.cpuMeter();
  }

  /**
   * The built gateway as a bank runs it, its access log in a file.
   * @param modulePath default: the bundle
   */
  async gateway(
    store: Store,
    settings: NodeJS.ProcessEnv = {},
    rules: Partial<ServiceRules> = {},
    modulePath: string = gatewayCommand.modulePath,
  ): Promise<RunningGateway> {
    const [port, bankPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const ports = { PORT: String(port), BANK_PORT: String(bankPort), BASE_URL: url };
    // Its window is longer than any run, so that the answers are the same from the first round to the last.
    const PROFILE = await profileFile(this.folder, { authenticationWindowSeconds: 3_600, ...rules }, settings.PROFILE);
    const environment = { ...this.shared, ...store, ...ports, ...settings, PROFILE };
    return { server: await this.start(environment, modulePath), url, environment };
  }

  /** The same gateway restarted, with its store. */
  async again({ server, url, environment }: RunningGateway): Promise<RunningGateway> {
    await server.stop();
    return { server: await this.start(environment), url, environment };
  }

  private start(
    environment: NodeJS.ProcessEnv,
    modulePath: string = gatewayCommand.modulePath,
  ): Promise<ServerProcess> {
    return ServerProcess.start(
      modulePath,
      environment,
      `http://127.0.0.1:${environment.BANK_PORT}/health/ready`,
      join(this.folder, `gateway-${environment.PORT}.log`),
      gatewayCommand.nodeOptions,
    );
  }

  /** A gateway with its own authorization server, which is then the only issuer of tokens. */
  async embeddedGateway(store: Store): Promise<RunningGateway> {
    const [browserPort, mtlsPort, tppPort] = [await freePort(), await freePort(), await freePort()];
    const settings = {
      AUTHORISATION_SERVER: 'embedded',
      BROWSER_PORT: String(browserPort),
      BROWSER_URL: `http://127.0.0.1:${browserPort}`,
      MTLS_PORT: String(mtlsPort),
      MTLS_URL: `https://127.0.0.1:${mtlsPort}`,
      TPP_PORT: String(tppPort),
    };
    const config = readSandboxConfig({ ...this.shared, ...settings });
    const { embedded } = await keptSecrets(config);
    const made = embedded && embeddedEnvironment(config, embedded);
    const noOtherIssuer = { TOKEN_ISSUER: '', TOKEN_AUDIENCE: '', TOKEN_JWKS: '' };
    return this.gateway(store, { ...settings, ...made, ...noOtherIssuer });
  }

  /** One of the servers that the gateway is compared with, or another core. */
  async other(
    name: 'plain-bff' | 'practical-limit' | 'pass-through' | 'distant-core',
    settings: NodeJS.ProcessEnv = {},
  ): Promise<{ server: ServerProcess; url: string }> {
    const url = `http://127.0.0.1:${await freePort()}`;
    const server = await ServerProcess.start(
      fileURLToPath(new URL(`./servers/${name}.js`, import.meta.url)),
      { ...this.shared, ...settings, PORT: new URL(url).port, BASE_URL: url },
      `${url}/health/ready`,
      join(this.folder, `${name}.log`),
    );
    return { server, url };
  }

  /**
   * A consent to everything of the accounts, given through the gateway's own ports, with its access token.
   * @param tpp default: the sandbox's own TPP
   */
  consent(gateway: RunningGateway, persona: string, accounts?: readonly string[], tpp?: string): Promise<GivenConsent> {
    const stack = new Stack(readSandboxConfig(gateway.environment), new SystemClock(), tpp);
    return giveConsent(stack, { persona, ...(accounts && { accounts }) });
  }

  /** All customers of the bank, in the bank's order. */
  personas(): Promise<readonly PersonaSummary[]> {
    return personas(new Stack(readSandboxConfig(this.shared)));
  }

  /** Every account of the sandbox bank, in the order of its personas. */
  async accounts(): Promise<BankAccount[]> {
    return (await this.personas()).flatMap(({ name: persona, customerRef: customer, accounts }) =>
      accounts.map(({ ref: account }) => ({ persona, customer, account })),
    );
  }

  stop(): Promise<void> {
    return this.bank.stop();
  }
}
