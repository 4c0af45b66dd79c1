import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PersonaSummary, personas } from '../../sandbox/actions/bank.js';
import { giveConsent } from '../../sandbox/actions/consent.js';
import { Stack } from '../../sandbox/clients/stack.js';
import { gatewayCommand } from '../../sandbox/gateway-command.js';
import { ensurePki, type SandboxPki } from '../../sandbox/pki/kept-pki.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { embeddedEnvironment, keptSecrets } from '../../sandbox/stack-environment.js';
import { SystemClock } from '../../src/clock/clock.js';
import type { ServiceRules } from '../../src/profiles/service-rules.js';
import { freePort } from '../support/free-port.js';
import { freshPostgres } from '../support/fresh-database.js';
import { profileFile } from '../support/profile-file.js';
import { freeStackPorts } from '../operations/sandbox-stack.js';
import type { Goal } from './figures.js';
import { type Asked, connections } from './load.js';
import { ServerProcess } from './server-process.js';

/** Measures, prints the figures, and returns the goals with their results. Throws when a server answers wrongly. */
export type Bench = (setting: Setting, quick: boolean) => Promise<Goal[]>;

export interface RunningGateway {
  readonly server: ServerProcess;
  readonly url: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** By the bank's references, with the address and the token of its consent. */
export interface ReadableAccount {
  readonly customer: string;
  readonly account: string;
  readonly base: string;
  readonly token: string;
}

interface GatewayOptions {
  /** Default: a new database of PostgreSQL. */
  readonly store?: NodeJS.ProcessEnv;
  readonly settings?: NodeJS.ProcessEnv;
  readonly rules?: Partial<ServiceRules>;
  /** Its own authorization server is the only issuer of tokens. */
  readonly embedded?: true;
  /** Default: the bundle. */
  readonly modulePath?: string;
}

/** The path of a built module. */
export const moduleIn = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The persona with many transactions: twenty on each day. */
export const history = { persona: 'history', customer: 'C1006', account: 'A100601' } as const;

/** The built servers of one part of the bench, and the sandbox bank that they share. */
export class Setting {
  private readonly undo: (() => Promise<unknown>)[] = [];

  private constructor(
    /** A temporary folder, removed at the end. */
    readonly folder: string,
    private readonly shared: Readonly<NodeJS.ProcessEnv>,
    readonly pki: SandboxPki,
  ) {
    this.undo.push(() => rm(folder, { recursive: true, force: true }));
  }

  static async start(): Promise<Setting> {
    const folder = await mkdtemp(join(tmpdir(), 'bench-'));
    const bank = `http://127.0.0.1:${await freePort()}`;
    const key = (): string => randomBytes(32).toString('hex');
    const shared = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      SANDBOX_PORT: new URL(bank).port,
      DATA_DIR: join(folder, 'bank'),
      BANK_CREDENTIAL: key(),
      STOP_DELAY_SECONDS: '0',
      ID_KEY: key(),
      TRAIL_KEY: key(),
      PSEUDONYM_KEY: key(),
      CORE_URL: `${bank}/ledger`,
      TOKEN_ISSUER: `${bank}/issuer`,
      TOKEN_AUDIENCE: 'account-information',
      TOKEN_JWKS: `${bank}/issuer/jwks.json`,
      // One TPP sends the whole load, and its limits are not measured.
      TPP_REQUESTS_PER_SECOND: '0',
    };
    const setting = new Setting(folder, shared, await ensurePki(shared.DATA_DIR, new SystemClock().nowMs()));
    await setting.serve([moduleIn('../../sandbox/bank/main.js')], shared, `${bank}/health`);
    return setting;
  }

  get coreUrl(): string {
    return this.shared.CORE_URL ?? '';
  }

  atEnd(step: () => Promise<unknown>): void {
    this.undo.push(step);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const step of this.undo.toReversed()) await step();
  }

  /** The built gateway as a bank runs it, its access log in a file. */
  async gateway({ store, settings, rules, embedded, modulePath }: GatewayOptions = {}): Promise<RunningGateway> {
    const { SANDBOX_PORT: _ofBank, ...ports } = await freeStackPorts();
    const url = `http://127.0.0.1:${ports.PORT}`;
    // Its window is longer than any run, so that the answers are the same from the first round to the last.
    const PROFILE = await profileFile(this.folder, { authenticationWindowSeconds: 3_600, ...rules });
    const own = { ...this.shared, ...(store ?? (await this.schema())), ...ports, BASE_URL: url, ...settings, PROFILE };
    return this.startGateway(embedded ? await withAuthorisationServer(own) : own, modulePath);
  }

  /** Another process with the settings and the store of a gateway that was stopped. */
  again({ environment }: RunningGateway): Promise<RunningGateway> {
    return this.startGateway(environment);
  }

  private async startGateway(environment: NodeJS.ProcessEnv, modulePath?: string): Promise<RunningGateway> {
    const { BANK_PORT, BASE_URL: url = '' } = environment;
    const ready = `http://127.0.0.1:${BANK_PORT}/health/ready`;
    const words = [...gatewayCommand.nodeOptions, modulePath ?? gatewayCommand.modulePath];
    return { server: await this.serve(words, environment, ready), url, environment };
  }

  /** One of the servers that the gateway is compared with, or another core. */
  async other(
    name: 'plain-bff' | 'practical-limit' | 'distant-core',
    settings: NodeJS.ProcessEnv = {},
  ): Promise<{ readonly server: ServerProcess; readonly url: string }> {
    const url = `http://127.0.0.1:${await freePort()}`;
    const environment = { ...this.shared, ...settings, PORT: new URL(url).port, BASE_URL: url };
    const words = [moduleIn(`./servers/${name}.js`)];
    return { server: await this.serve(words, environment, `${url}/health/ready`), url };
  }

  private async serve(
    words: readonly string[],
    environment: NodeJS.ProcessEnv,
    readyUrl: string,
  ): Promise<ServerProcess> {
    const server = await ServerProcess.start(words, environment, readyUrl, join(this.folder, 'log'));
    this.atEnd(() => server.stop());
    return server;
  }

  private async schema(): Promise<NodeJS.ProcessEnv> {
    const { config, drop } = await freshPostgres(process.env.DATABASE_URL ?? '');
    this.atEnd(drop);
    return { DATABASE_URL: config.url };
  }

  /** A consent to everything of an account, given through the gateway's own ports. */
  async consent(
    { environment }: RunningGateway,
    { persona, account, tpp }: { readonly persona: string; readonly account: string; readonly tpp?: string },
  ): Promise<{ readonly base: string; readonly token: string }> {
    const stack = new Stack(readSandboxConfig(environment), new SystemClock(), tpp);
    const { AccessToken: token, Accounts, BaseUrl } = await giveConsent(stack, { persona, accounts: [account] });
    return { base: `${BaseUrl}/accounts/${Accounts[0]?.AccountId}`, token };
  }

  /** The accounts with two balances in pounds: the plain mapping knows neither states nor other currencies. */
  async readableAccounts(gateway: RunningGateway): Promise<ReadableAccount[]> {
    const readable: ReadableAccount[] = [];
    for (const { name: persona, customerRef: customer, accounts } of await this.personas())
      for (const { ref: account } of accounts) {
        const given = await this.consent(gateway, { persona, account });
        const answer = await fetch(`${given.base}/balances`, { headers: { authorization: `Bearer ${given.token}` } });
        const { Data } = (await answer.json()) as { Data?: { Balance: { Amount: { Currency: string } }[] } };
        const pounds = Data?.Balance.filter(({ Amount }) => Amount.Currency === 'GBP') ?? [];
        if (pounds.length === 2) readable.push({ customer, account, ...given });
      }
    return readable;
  }

  /** All customers of the bank, in the bank's order. */
  personas(): Promise<readonly PersonaSummary[]> {
    return personas(new Stack(readSandboxConfig(this.shared)));
  }
}

async function withAuthorisationServer(given: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const environment = {
    ...given,
    AUTHORISATION_SERVER: 'embedded',
    BROWSER_URL: `http://127.0.0.1:${given.BROWSER_PORT}`,
    MTLS_URL: `https://127.0.0.1:${given.MTLS_PORT}`,
  };
  const config = readSandboxConfig(environment);
  const { embedded } = await keptSecrets(config);
  const made = embedded && embeddedEnvironment(config, embedded);
  return { ...environment, ...made, TOKEN_ISSUER: '', TOKEN_AUDIENCE: '', TOKEN_JWKS: '' };
}

/** Reads of an account's transactions, each of another period, one before the other, so that no answer is shared. */
export function transactionsOf(
  { base, token }: { readonly base: string; readonly token: string },
  days = 5,
  count = connections,
): Asked[] {
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, index) => {
    const last = 10 + days * index;
    const search = `fromBookingDateTime=${day(last + days - 1)}&toBookingDateTime=${day(last)}`;
    return { url: `${base}/transactions?${search}`, token };
  });
}
