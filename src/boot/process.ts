import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { SystemClock, type Clock } from '../clock/clock.js';
import { BootError } from '../config/boot-error.js';
import type { GatewayConfig } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import { startedByNpm } from '../config/starter.js';
import { createGateway, type Gateway } from './gateway.js';
import { faultCode } from '../observability/fault-record.js';
import { LogOutput, standardOutput, writeAtOnce } from '../observability/log-output.js';
import { RepeatedFaults } from '../observability/repeated-faults.js';
import { renewOnSighup } from './renewal.js';
import { freeText } from '../open-banking/free-text.js';
import { PersistenceModule } from '../persistence/persistence.module.js';
import { awaitCores } from './await-cores.js';
import { loadProfile } from '../profiles/load-profile.js';

/** How long a core that starts together with the gateway may take. */
const corePatienceMs = 5_000;
/**
 * How long requests under way may take after the listeners have closed: this time or, where it is longer, the core's
 * deadline and `beyondDeadlineMs`. Only a client that sends or reads slowly takes longer, and is cut off.
 */
const drainMs = 15_000;
const beyondDeadlineMs = 5_000;
/** How often the gateway checks that npm still runs. */
const lookForStarterMs = 500;
/** How long the end waits for a slow reader of the log. */
const logPatienceMs = 2_000;

/** The parts that a process may give to its gateway. */
export interface ProcessOptions {
  /** A sandbox moves the time of its bank on. Otherwise the bank's time is the machine's. */
  readonly bankClock?: Clock;
  /** The core's reference of the account that a sandbox has as its example: its id stands in the OpenAPI document. */
  readonly exampleAccount?: string;
  /** Sees each record of the log, as it is written. */
  readonly seeLog?: (record: string) => void;
}

const starter = process.ppid;

function createLog(
  level: string,
  clock: Clock,
  { seeLog }: ProcessOptions,
): { log: FastifyBaseLogger; output: LogOutput } {
  const output = new LogOutput(standardOutput(), (dropped) =>
    every.error({ dropped }, 'records of this log were dropped: no reader took them from standard output'),
  );
  const seen = seeLog && {
    write: (record: string): void => {
      seeLog(record);
      output.write(record);
    },
  };
  const every = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, seen ?? output);
  const faults = new RepeatedFaults(every, clock);
  process.once('exit', () => {
    faults.close();
    const lost = output.end(writeAtOnce);
    if (lost > 0)
      process.stderr.write(`gateway: ${lost} records of the log are lost: no reader took them from standard output\n`);
  });
  return { log: faults.log, output };
}

type Renewing = ReturnType<typeof renewOnSighup>;

async function boot(renewing: Renewing, options: ProcessOptions): Promise<[Gateway, GatewayConfig, LogOutput]> {
  const config = loadConfig();
  const profile = await loadProfile(config.profile);
  const clock = new SystemClock();
  const { log, output } = createLog(config.logLevel, clock, options);
  // Loaded only when used: the library takes memory and time.
  const tracing = config.tracing && (await import('../observability/otel-tracing.js')).openTracing(config.tracing, log);
  const gateway = await createGateway({
    config,
    profile,
    clock,
    bankClock: options.bankClock,
    exampleAccount: options.exampleAccount,
    log,
    tracing,
    droppedRecords: () => output.dropped,
    persistence: PersistenceModule.forRoot(config.database),
  });
  const { cores } = gateway;
  for (const line of await awaitCores(cores, corePatienceMs))
    log.warn(`${line}; its accounts cannot be read until then`);
  await gateway.listen();
  renewing(gateway, log);
  const core = cores.map(({ name }) => name).join(',');
  log.info({ profile: profile.name, core, baseUrl: config.baseUrl, bankPort: config.bankPort }, 'ready');
  return [gateway, config, output];
}

function stopOnSignal([gateway, { stopDelayMs, cores }, output]: [Gateway, GatewayConfig, LogOutput]): void {
  const patienceMs = stopDelayMs + Math.max(drainMs, ...cores.map(({ deadlineMs }) => deadlineMs + beyondDeadlineMs));
  let stopping = false;
  const stop = (): void => {
    // A terminal's Ctrl-C and a parent's SIGTERM may both arrive: the second cuts nothing off.
    if (stopping) return;
    stopping = true;
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new BootError('stopped before every request was answered')), patienceMs).unref();
    });
    Promise.race([gateway.close(), late])
      .finally(() => output.close(logPatienceMs))
      .then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The process that started the gateway has ended, and cannot stop it any more.
  process.on('disconnect', stop);
  // npm exits on SIGHUP without forwarding it. The gateway would then run on without a parent and keep its ports.
  if (startedByNpm()) setInterval(() => process.ppid !== starter && stop(), lookForStarterMs).unref();
}

function fail(error: unknown): void {
  const line = error instanceof BootError ? error.message : unexpected(error);
  process.stderr.write(`gateway: ${line}\n`);
  process.exit(1);
}

/** Their messages are about the program. Messages of other errors may quote data. */
const languageErrors = new Set(['TypeError', 'RangeError', 'ReferenceError']);

/** A fault of the program, in one line with its name and place. */
function unexpected(error: unknown): string {
  if (!(error instanceof Error)) return 'a fault of the program: report it with the line before';
  const code = faultCode(error);
  const [message = ''] = error.message.split('\n');
  const place = /\(?([^\s(]+:\d+:\d+)\)?$/m.exec(error.stack?.slice(error.stack.indexOf('\n    at ')) ?? '')?.[1];
  return (
    `a fault of the program, ${error.name}${code === error.name ? '' : ` ${code}`} at ${place ?? 'an unknown place'}` +
    (languageErrors.has(error.name) ? `: ${freeText(message)}` : ': report this line')
  );
}

/** Runs the gateway as a process until a signal stops it. Its settings are the environment's. */
export function runGateway(options: ProcessOptions = {}): void {
  const renewing = renewOnSighup();
  // Node itself would print the stack of an error that no code handles.
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  boot(renewing, options).then(stopOnSignal, fail);
}
