import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SystemClock } from '../src/clock/clock.js';
import { BootError } from '../src/config/boot-error.js';
import { loadProfile } from '../src/profiles/load-profile.js';
import { curlLine, authoriseConsent } from './cli/commands.js';
import { StackClient } from './cli/stack.client.js';
import { embeddedEnvironment } from './embedded-environment.js';
import { FaultyStart, portInUse } from './faulty-start.js';
import { gatewayCommand, watchedGatewayCommand } from './gateway-command.js';
import { forgetRunningStack, tellRunningStack } from './running-stack.js';
import { type SandboxConfig, readSandboxConfig } from './sandbox.config.js';
import { bankCredential, idKey, issuerKeys } from './secrets.js';
import { StackProcess } from './stack-process.js';

const readyWithinMs = 120_000;
const askEveryMs = 50;

/**
 * The whole stack: the sandbox bank and the gateway, and with the authorization server the sandbox's TPP, each a process
 * of its own, until Ctrl-C or until one of them ends.
 * A process that cannot start says why itself; nothing is added to its line.
 * With `--watch` (`npm run start:dev`) the gateway is compiled and started anew whenever a source is edited.
 */
async function main(): Promise<number> {
  const config = readSandboxConfig();
  // Said here once: more than one of the processes reads the profile.
  await loadProfile(config.profile);
  await refuseTakenPorts(config);
  const environment = await stackEnvironment(config);
  const start = (module: string) =>
    new StackProcess({ modulePath: fileURLToPath(new URL(module, import.meta.url)) }, environment);
  const bank = start('./bank/main.js');
  const watches = process.argv.includes('--watch');
  const gateway = new StackProcess(watches ? watchedGatewayCommand : gatewayCommand, environment);
  const tpp = config.authorisationServer === 'embedded' ? [start('./tpp/main.js')] : [];
  const processes = [...tpp, gateway, bank];

  const over = new AbortController();
  const asked = new Promise<number>((resolve) => {
    // Ctrl-C comes more than once, from the terminal and from npm: all of them ask for the same end.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(0));
  });
  // A process of the stack that ends by itself is a fault, even with the code 0.
  const fallen = Promise.race(processes.map(({ ended }) => ended)).then((code) => code || 1);
  const failed = new Promise<number>((resolve) => {
    greet(config, environment, over.signal).catch((error: unknown) => {
      // Once it is over, that nothing answers any more is no news.
      if (!over.signal.aborted) resolve(printFault(error));
    });
  });

  const code = await Promise.race([asked, fallen, failed]);
  over.abort();
  // Stops the asking process first: while it completes its requests, it needs the process that it asks.
  const codes: (number | null)[] = [];
  for (const running of processes) codes.push(await running.stop());
  await forgetRunningStack(config.dataDir, process.pid);
  // A process that had not come far enough to hear it is ended by Ctrl-C itself: that is no fault.
  return Math.max(code, ...codes.map((ended) => ended ?? 0));
}

/** Before anything starts: what listens there already would be taken for this stack, and greeted with. */
async function refuseTakenPorts(config: SandboxConfig): Promise<void> {
  const { port, bankPort, sandboxPort, browserPort, mtlsPort, tppPort } = config;
  const ports = {
    PORT: port,
    BANK_PORT: bankPort,
    SANDBOX_PORT: sandboxPort,
    ...(config.authorisationServer === 'embedded' && {
      BROWSER_PORT: browserPort,
      MTLS_PORT: mtlsPort,
      TPP_PORT: tppPort,
    }),
  };
  for (const [setting, number] of Object.entries(ports)) if (await isTaken(number)) throw portInUse(number, setting);
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/**
 * The settings of the environment, and for those that are missing the values by which the processes find and trust each
 * other.
 */
async function stackEnvironment(config: SandboxConfig): Promise<NodeJS.ProcessEnv> {
  // Made here, before there are processes that would each begin to make them; at once, because keys take their time.
  const [, embedded] = await Promise.all([
    issuerKeys(config.dataDir),
    config.authorisationServer === 'embedded' ? embeddedEnvironment(config) : undefined,
  ]);
  return {
    // No balancer has to hear of its end. Settings of the environment follow and override it.
    STOP_DELAY_SECONDS: '0',
    ...config.environment,
    PORT: String(config.port),
    BANK_PORT: String(config.bankPort),
    SANDBOX_PORT: String(config.sandboxPort),
    BASE_URL: config.baseUrl,
    PROFILE: config.profile,
    DATA_DIR: config.dataDir,
    CORE: config.core,
    CORE_URL: config.coreUrl,
    TOKEN_ISSUER: config.tokenIssuer,
    TOKEN_AUDIENCE: config.tokenAudience,
    TOKEN_JWKS: config.tokenJwks,
    BANK_CREDENTIAL: config.bankCredential ?? (await bankCredential(config.dataDir)),
    ID_KEY: config.idKey ?? (await idKey(config.dataDir)),
    AUTHORISATION_SERVER: config.authorisationServer,
    ...embedded,
  };
}

/** Waits until all processes are ready, and shows how to use them. */
async function greet(config: SandboxConfig, environment: NodeJS.ProcessEnv, over: AbortSignal): Promise<void> {
  await ready(`http://127.0.0.1:${config.sandboxPort}/health`, over);
  await ready(`http://127.0.0.1:${config.bankPort}/health/ready`, over);
  const embedded = config.authorisationServer === 'embedded';
  if (embedded) await ready(`http://127.0.0.1:${config.tppPort}/health`, over);
  await tellRunningStack(config.dataDir, environment, process.pid);
  const running = { ...config, bankCredential: environment.BANK_CREDENTIAL };
  const options = { permissions: 'all', accounts: 'all', authenticatedAgoMs: 0 } as const;
  const stack = new StackClient(running);
  const [first] = await stack.personas();
  if (first === undefined) throw new FaultyStart('the sandbox bank has no personas');
  const given = await authoriseConsent({ ...options, persona: first.name }, stack, running, new SystemClock());
  console.log(`
The gateway is ready, serving ${config.profile}.

  Base URL       ${config.baseUrl}/open-banking/v3.1/aisp
  Documentation  ${config.baseUrl}/docs
${embedded ? pagesToOpen(config) : ''}
The accounts of ${first.displayName}, under a consent that was given just now:

  ${curlLine(given, '/accounts')}

More people, consents and faults (in another terminal):

  npm run --silent sandbox -- personas
  npm run --silent sandbox -- consent --persona ${first.name}
  npm run --silent sandbox -- --help

Ctrl-C stops everything.
`);
}

function pagesToOpen(config: SandboxConfig): string {
  return `
Open ${config.tppUrl} in a browser: a TPP that shows your accounts at the sandbox bank.

  One-time codes   http://localhost:${config.sandboxPort}/inbox
  Access dashboard ${config.browserUrl}/as/dashboard

The same from the command line, in another terminal:

  npm run --silent sandbox -- journey --persona complete
`;
}

async function ready(url: string, over: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(readyWithinMs);
  const signal = AbortSignal.any([over, late]);
  for (;;) {
    const answer = await fetch(url, { signal }).then(
      ({ ok, status }) => (ok ? undefined : `answers ${status}`),
      () => 'does not answer',
    );
    if (answer === undefined) return;
    if (over.aborted) throw new FaultyStart('stopped before it was ready');
    if (late.aborted)
      throw new FaultyStart(`${url} ${answer} after ${readyWithinMs / 1000} s: see what was logged above`);
    await delay(askEveryMs);
  }
}

/** Says a fault of ours in one line; any other is a bug and keeps its stack. */
function printFault(error: unknown): number {
  const ours = error instanceof FaultyStart || error instanceof BootError;
  console.error(ours ? `npm start: ${error.message}` : error);
  return 1;
}

process.exitCode = await main().catch(printFault);
process.exit();
