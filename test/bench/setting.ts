import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { giveConsent, type GivenConsent } from '../../sandbox/cli/commands.js';
import { StackClient } from '../../sandbox/cli/stack.client.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { SystemClock } from '../../src/clock/clock.js';
import { freePort, ServerProcess } from './server-process.js';

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

/** One sandbox bank for all, and what every server's environment has in common. */
export class Setting {
  private constructor(
    private readonly folder: string,
    private readonly shared: Readonly<NodeJS.ProcessEnv>,
    private readonly bank: ServerProcess,
  ) {}

  /** `folder` takes the logs and the sandbox's keys. */
  static async start(folder: string): Promise<Setting> {
    const port = await freePort();
    const shared = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      SANDBOX_PORT: String(port),
      DATA_DIR: join(folder, 'bank'),
      BANK_CREDENTIAL: randomBytes(32).toString('hex'),
      ID_KEY: randomBytes(32).toString('hex'),
      CORE_URL: `http://127.0.0.1:${port}/ledger`,
      TOKEN_ISSUER: `http://127.0.0.1:${port}/issuer`,
      TOKEN_AUDIENCE: 'account-information',
      TOKEN_JWKS: `http://127.0.0.1:${port}/issuer/jwks.json`,
    };
    const bank = await ServerProcess.start(
      fileURLToPath(new URL('../../sandbox/bank/main.js', import.meta.url)),
      shared,
      `http://127.0.0.1:${port}/health`,
      join(folder, 'bank.log'),
    );
    return new Setting(folder, shared, bank);
  }

  get coreUrl(): string {
    return this.shared.CORE_URL ?? '';
  }

  /** The built gateway as a bank runs it, its access log in a file. */
  async gateway(store: Store): Promise<RunningGateway> {
    const [port, bankPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const environment = { ...this.shared, ...store, PORT: String(port), BANK_PORT: String(bankPort), BASE_URL: url };
    const server = await ServerProcess.start(
      fileURLToPath(new URL('../../src/main.js', import.meta.url)),
      environment,
      `http://127.0.0.1:${bankPort}/health/ready`,
      join(this.folder, `gateway-${port}.log`),
    );
    return { server, url, environment };
  }

  /** One of the servers that the gateway is compared with. */
  async other(name: 'plain-bff' | 'pass-through'): Promise<{ server: ServerProcess; url: string }> {
    const url = `http://127.0.0.1:${await freePort()}`;
    const server = await ServerProcess.start(
      fileURLToPath(new URL(`./servers/${name}.js`, import.meta.url)),
      { ...this.shared, PORT: new URL(url).port, BASE_URL: url },
      `${url}/health/ready`,
      join(this.folder, `${name}.log`),
    );
    return { server, url };
  }

  /** A consent to everything of one account, given through the gateway's own ports, with its access token. */
  async consent(gateway: RunningGateway, persona: string, account: string): Promise<GivenConsent> {
    const config = readSandboxConfig(gateway.environment);
    const wish = { persona, permissions: 'all', accounts: [account], authenticatedAgoMs: 0 } as const;
    return giveConsent(wish, new StackClient(config), config, new SystemClock());
  }

  /** Every account of the sandbox bank, in the order of its personas. */
  async accounts(gateway: RunningGateway): Promise<BankAccount[]> {
    const personas = await new StackClient(readSandboxConfig(gateway.environment)).personas();
    return personas.flatMap(({ name: persona, customerRef: customer, accounts }) =>
      accounts.map(({ ref: account }) => ({ persona, customer, account })),
    );
  }

  stop(): Promise<void> {
    return this.bank.stop();
  }
}
