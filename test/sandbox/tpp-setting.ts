import { once } from 'node:events';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { startSandboxBank, type SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { signOnOf } from '../../sandbox/bank/sign-on.js';
import { directoryIssuer } from '../../sandbox/directory/software.js';
import { ensurePki, readJwk } from '../../sandbox/pki/kept-pki.js';
import { approve } from '../../sandbox/actions/customer.js';
import { newTpp, type NewTpp } from '../../sandbox/actions/new-tpp.js';
import type { Persona } from '../../sandbox/bank/personas/persona.js';
import { describePersona } from '../../sandbox/bank/staff-paths.js';
import type { TppFolder } from '../../sandbox/new-tpps/tpp-folder.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { until } from '../support/until.js';
import { bankEndpoint, openBank } from '../../sandbox/actions/registration.js';
import type { BankClient } from '../../sandbox/clients/bank.client.js';
import type { BankEndpoint } from '../../sandbox/clients/bank-connection.js';
import { Stack as RunningStack } from '../../sandbox/clients/stack.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { choicesFor } from '../../sandbox/tpp/asked-for.js';
import { Sessions } from '../../sandbox/tpp/sessions.js';
import { createTppServer } from '../../sandbox/tpp/tpp-server.js';
import { fundsConfirmation } from '../../src/profiles/published-products.js';
import { versionNames } from '../../src/versions/versions.js';
import type { AuthorisationServer } from '../../src/authorisation-server/authorisation-server.js';
import { createCustomerAuthentication } from '../../src/customer-authentication/adapters/http/http.adapter.js';
import { signOnHttp } from '../../packages/customer-authentication/sign-on-http.js';
import { embeddedConfig } from '../authorisation/embedded-config.js';
import { freePort } from '../support/free-port.js';
import { Program } from '../support/program.js';
import { portOf } from '../support/raw-http.js';
import { RunningClock } from '../support/running-clock.js';
import { minuteMs, Stack } from '../support/stack.js';

const signOnCredential = 'sign-on-credential-0123456789abcdef';

/** The sandbox as `npm start` puts it together, in one process: gateway, authorization server, bank, inbox and TPP. */
export class TppSetting {
  private constructor(
    readonly stack: Stack,
    readonly clock: RunningClock,
    /** The bank with the sign-on and the inbox. The stack's core is another bank. */
    readonly bank: SandboxBank,
    readonly client: BankClient,
    private tpp: FastifyInstance,
    private readonly startTpp: () => Promise<FastifyInstance>,
    /** The stack as the actions of the sandbox reach it. */
    readonly running: RunningStack,
  ) {}

  /** @param versions of the API that the bank serves, the oldest first */
  static async start(versions = versionNames): Promise<TppSetting> {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-tpp-'));
    const clock = new RunningClock();
    const [pki, issuerKeys] = await Promise.all([ensurePki(folder, clock.nowMs()), makeIssuerKeys()]);
    const directoryKey = await readJwk(pki.directoryKeyFile);
    const bank = await startSandboxBank({
      port: 0,
      credential: 'staff',
      signOnCredential,
      issuerKeys,
      directoryKey,
      clock,
    });
    const [browserPort, mtlsPort, tppPort] = [await freePort(), await freePort(), await freePort()];
    const [browserUrl, tppUrl] = [`http://localhost:${browserPort}`, `https://localhost:${mtlsPort}`];
    const origin = `http://localhost:${tppPort}`;
    const host = '127.0.0.1';
    const { certificateFile: certFile, keyFile } = pki.gateway;
    const tls = { certFile, keyFile, clientCaFile: pki.authorityFile };
    const stack = await Stack.start({
      clock,
      rules: { versions, fundsConfirmation },
      systemClock: new RunningClock(),
      customers: createCustomerAuthentication(
        { url: bank.signOnUrl, variables: { CUSTOMER_AUTHENTICATION_CREDENTIAL: signOnCredential } },
        { http: signOnHttp },
      ),
      config: {
        authorisationServer: {
          ...(await embeddedConfig(tls)),
          browser: { host, port: browserPort, url: browserUrl },
          tpp: { host, port: mtlsPort, url: tppUrl, tls },
          directory: {
            issuer: directoryIssuer,
            jwks: `${bank.directoryUrl}/jwks.json`,
            statements: `${bank.directoryUrl}/software/{software_id}/statement`,
          },
        },
      },
    });
    await stack.gateway.listen();
    const ports = {
      PORT: portOf(stack.gateway.server),
      SANDBOX_PORT: new URL(bank.url).port,
      BROWSER_PORT: browserPort,
      MTLS_PORT: mtlsPort,
      TPP_PORT: tppPort,
    };
    const settings = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
    const config = readSandboxConfig({ DATA_DIR: folder, BANK_CREDENTIAL: 'staff', ...settings });
    const running = new RunningStack(config, clock);
    const client = await openBank(running, clock);
    // The programs of developers find the project's packages, as under ./data, above which they lie.
    await symlink(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
    const startTpp = async (): Promise<FastifyInstance> => {
      const tpp = createTppServer({
        origin,
        openBank: () => openBank(running, clock),
        bankOrigin: browserUrl,
        versions: versions.toReversed(),
        choices: choicesFor(['ReadStatementsBasic', 'ReadStatementsDetail']),
        inboxUrl: bank.inboxUrl,
        customer: signOnOf({ name: 'complete' }),
        offersFunds: true,
        windowMs: 5 * minuteMs,
        clock,
        sessions: await Sessions.open(join(folder, 'tpp-connections.json')),
      });
      await tpp.listen({ port: tppPort, host });
      await fetch(`${origin}/health`);
      return tpp;
    };
    const tpp = await startTpp();
    return new TppSetting(stack, clock, bank, client, tpp, startTpp, running);
  }

  get endpoint(): BankEndpoint {
    return bankEndpoint(this.running.config);
  }

  get server(): AuthorisationServer {
    const { authorisationServer } = this.stack.gateway;
    if (authorisationServer === undefined) throw new Error('the authorization server is off');
    return authorisationServer;
  }

  /** Moneyview restarted, with the contents of its folder. */
  async restartTpp(): Promise<void> {
    await this.tpp.close();
    this.tpp = await this.startTpp();
  }

  /** The TPP of a developer. */
  async make(name: string, wanted: Partial<NewTpp> = {}): Promise<TppFolder> {
    const redirectUri = wanted.redirectUri ?? `http://localhost:${await freePort()}/callback`;
    return newTpp(this.running, { name, fapi: '1', ...wanted, redirectUri });
  }

  /** Runs a program in the folder; `customer` goes to each address that it prints. */
  async run(
    { folder }: TppFolder,
    words: readonly string[],
    customer: (address: URL, answer: (line: string) => void) => Promise<void>,
  ): Promise<{ readonly code: number; readonly said: string }> {
    // The programs of the project's packages, and the Node that runs the tests.
    const programs = ['node_modules/.bin', 'tools/ci/node_modules/.bin'].map((one) => join(packageRoot(), one));
    const PATH = [...programs, dirname(process.execPath), process.env['PATH']].join(delimiter);
    const program = new Program(words, { PATH }, { cwd: folder, stdio: 'pipe' }).read();
    const closed = once(program.child, 'close');
    const said = (): string => program.output + program.faults;
    const addresses = (): string[] => [...said().matchAll(/(http\S+\/authorize\?\S+)\n/g)].map(([, url = '']) => url);
    try {
      for (let answered = 0; ; answered++) {
        await until(() => addresses().length > answered || !program.runs);
        const address = addresses()[answered];
        if (address === undefined) break;
        await customer(new URL(address), (line) => void program.child.stdin?.write(`${line}\n`));
      }
      const [code] = (await closed) as [number];
      return { code, said: said() };
    } finally {
      await program.kill();
    }
  }

  /** The first persona approves everything. Gives the address to which the bank sends the browser back. */
  async approve(address: URL, { redirectUri }: TppFolder): Promise<URL> {
    const [first] = this.bank.personas;
    return (await approve(this.running, address, redirectUri, describePersona(first as Persona))).back;
  }
  async close(): Promise<void> {
    await this.client.close();
    await this.tpp.close();
    await this.stack.close();
    await this.bank.close();
  }
}
