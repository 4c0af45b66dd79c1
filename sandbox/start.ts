import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { BootError } from '../src/config/boot-error.js';
import { loadProfile } from '../src/profiles/load-profile.js';
import { Stack } from './clients/stack.js';
import { keptClock } from './clock/kept-time.js';
import type { SandboxClock } from './clock/sandbox-clock.js';
import { consoleHost, consoleOf, listenForConsole } from './console/stack-console.js';
import { refuseCoreWithoutCustomers } from './customers-of-core.js';
import { FaultyStart, unusable } from './faulty-start.js';
import { refuseTakenPorts } from './free-ports.js';
import { sandboxGatewayCommand, watchedGatewayCommand } from './gateway-command.js';
import { greeting } from './greeting.js';
import { forgetRunningStack, writeRunningStack } from './running-stack.js';
import { presentOf, type SandboxConfig, readSandboxConfig } from './sandbox.config.js';
import { keptSecrets, stackEnvironment } from './stack-environment.js';
import { StackProcess } from './stack-process.js';
import { untilReady, untilServing } from './until-ready.js';

const watches = process.argv.includes('--watch');
/** In a container, whose ports docker-compose.yml publishes on the loopback address of the machine. */
const isContainer = process.argv.includes('--container');

/**
 * The whole stack: the sandbox bank and the gateway, and with the authorization server the sandbox's TPP, each in its own
 * process, until Ctrl-C or until one of them ends.
 * A process that cannot start prints the reason itself; nothing is added to its line.
 * With `--watch` (`npm run start:dev`) each edit of a source compiles and restarts the gateway.
 */
async function main(): Promise<number> {
  const config = readSandboxConfig();
  refuseCoreWithoutCustomers(config);
  // Said here once: more than one of the processes reads the profile.
  const { rules } = await loadProfile(config.profile);
  await refuseTakenPorts(config);
  const environment = stackEnvironment(config, await keptSecrets(config));
  const clock = await keptClock(config.dataDir);
  if (watches && clock.aheadMs > 0) throw movedTime(config.dataDir);
  const { bank, gateway, tpp } = startProcesses(config, environment);
  const processes = [...tpp, gateway, bank];
  const running = { ...config, bankCredential: presentOf(environment.BANK_CREDENTIAL) };
  const page = watches ? undefined : consoleOf(running, rules, clock, { gateway, bank, others: tpp });

  const over = new AbortController();
  const asked = new Promise<number>((resolve) => {
    // Ctrl-C comes more than once, from the terminal and from npm: all of them ask for the same end.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(0));
  });
  const fallen = firstToEnd(processes, over.signal);
  const failed = new Promise<number>((resolve) => {
    greet(running, environment, { clock, page }, over.signal).catch((error: unknown) => {
      // After the stop it is not a fault that nothing answers.
      if (!over.signal.aborted) resolve(printFault(error));
    });
  });

  const code = await Promise.race([asked, fallen, failed]);
  over.abort();
  await page?.close();
  // Stops the asking process first: while it completes its requests, it needs the process that it asks.
  const codes: (number | null)[] = [];
  for (const each of processes) codes.push(await each.stop());
  await forgetRunningStack(config.dataDir, process.pid);
  // Ctrl-C ends a process that does not handle the signal yet; that is not a fault.
  return Math.max(code, ...codes.map((ended) => ended ?? 0));
}

/**
 * A process of the stack that ends by itself is a fault, even with the code 0.
 *
 * @param over once it is aborted, that a process ends is not news
 * @returns the code with which `npm start` ends
 */
async function firstToEnd(processes: readonly StackProcess[], over: AbortSignal): Promise<number> {
  const { one, code } = await Promise.race(processes.map(async (one) => ({ one, code: await one.ended })));
  // A process that ends by itself says why on standard error.
  if (code === null && !over.aborted) console.error(`npm start: a signal killed ${one.name}, so that everything stops`);
  return code || 1;
}

function startProcesses(config: SandboxConfig, environment: NodeJS.ProcessEnv) {
  const log = watches || config.log === 'stdout' ? 'inherit' : openLog(config.dataDir);
  const start = (name: string, module: string) =>
    new StackProcess(name, { modulePath: fileURLToPath(new URL(module, import.meta.url)) }, environment, log);
  return {
    bank: start('the sandbox bank', './bank/main.js'),
    gateway: new StackProcess('the gateway', watches ? watchedGatewayCommand : sandboxGatewayCommand, environment, log),
    tpp: config.authorisationServer === 'embedded' ? [start('the TPP', './tpp/main.js')] : [],
  };
}

/** The gateway of `npm run start:dev` is the product's own, whose time nothing moves. */
function movedTime(dataDir: string): FaultyStart {
  return new FaultyStart(
    `the time of ${dataDir} was moved forward, and npm run start:dev has real time: set another DATA_DIR`,
  );
}

/** Waits until all processes are ready, and shows how to use them. */
async function greet(
  config: SandboxConfig,
  environment: NodeJS.ProcessEnv,
  { clock, page }: { readonly clock: SandboxClock; readonly page: FastifyInstance | undefined },
  over: AbortSignal,
): Promise<void> {
  await untilReady(`http://127.0.0.1:${config.sandboxPort}/health`, over);
  console.log('Ready: the sandbox bank');
  const faults = await untilServing(`http://127.0.0.1:${config.bankPort}`, over);
  console.log(faults.length === 0 ? 'Ready: the gateway' : `Serving, but not ready: the gateway: ${faults.join('; ')}`);
  if (config.authorisationServer === 'embedded') {
    await untilReady(`http://127.0.0.1:${config.tppPort}/health`, over);
    console.log('Ready: the TPP');
  }
  await writeRunningStack(config.dataDir, environment, process.pid);
  console.log(await greeting(new Stack(config, clock), isContainer));
  if (page === undefined) return;
  await listenForConsole(page, consoleHost(config, isContainer), config.consolePort);
  console.log(`The console shows all of this on one page, each request as it happens, and a clock:

  http://localhost:${config.consolePort}
`);
}

/** Opens the log of this start. It replaces the previous log, which would grow without end. */
function openLog(dataDir: string): number {
  const file = join(dataDir, 'sandbox', 'stack.log');
  try {
    const log = openSync(file, 'w', 0o600);
    console.log(`Starting. The log is in ${file}; SANDBOX_LOG=stdout shows it here.`);
    return log;
  } catch (error) {
    throw unusable(file, error);
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
