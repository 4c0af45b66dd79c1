import type { FastifyBaseLogger } from 'fastify';
import { SystemClock, type Clock } from '../clock/clock.js';
import { BootError } from '../config/boot-error.js';
import type { GatewayConfig } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import { createGateway, type Gateway } from './gateway.js';
import type { LogOutput } from '../observability/log-output.js';
import { packageVersion } from '../persistence/package-root.js';
import { PersistenceModule } from '../persistence/persistence.module.js';
import { awaitCores } from './await-cores.js';
import { loadProfile } from '../profiles/load-profile.js';
import { openGatewayDatabase } from './gateway-database.js';
import { fail, failOnUnhandledErrors } from './process-end.js';
import { createLog, logPatienceMs } from './process-log.js';
import { renewOnSighup } from './renewal.js';
import { onStop } from './stop-signals.js';
import { Worker } from './workers/worker.js';

/** How long a core that starts together with the gateway may take. */
const corePatienceMs = 5_000;
/**
 * How long requests under way may take after the listeners have closed: this time or, where it is longer, the core's
 * deadline and `beyondDeadlineMs`. Only a client that sends or reads slowly takes longer, and is cut off.
 */
const drainMs = 15_000;
const beyondDeadlineMs = 5_000;

/** The parts that a process may give to its gateway. */
interface ProcessOptions {
  /** A sandbox moves the time of its bank on. Otherwise the bank's time is the machine's. */
  readonly bankClock?: Clock;
  /** The core's reference of the account that a sandbox has as its example: its id stands in the OpenAPI document. */
  readonly exampleAccount?: string;
  /** Sees each record of the log, as it is written. */
  readonly seeLog?: (record: string) => void;
}

type Renewing = ReturnType<typeof renewOnSighup>;

type Running = readonly [Gateway, GatewayConfig, FastifyBaseLogger, LogOutput, Worker | undefined];

async function boot(renewing: Renewing, options: ProcessOptions): Promise<Running> {
  const config = loadConfig();
  const profile = await loadProfile(config.profile);
  const clock = new SystemClock();
  const { log, output } = createLog(config.logLevel, options.seeLog);
  // Loaded only when used: the library takes memory and time.
  const tracing = config.tracing ? (await import('../observability/otel-tracing.js')).openTracing(log) : undefined;
  const worker = Worker.ofThisProcess();
  const gateway = await createGateway({
    config,
    profile,
    clock,
    bankClock: options.bankClock,
    exampleAccount: options.exampleAccount,
    log,
    tracing,
    droppedRecords: () => output.dropped,
    scrapeAll: worker && (() => worker.scrape()),
    persistence: PersistenceModule.register(() => openGatewayDatabase(config, clock)),
  });
  const { cores } = gateway;
  for (const line of await awaitCores(cores, corePatienceMs))
    log.warn(`${line}; its accounts cannot be read until then`);
  await gateway.listen();
  renewing(gateway, log);
  const core = cores.map(({ name }) => name).join(',');
  log.info(
    { version: packageVersion(), profile: profile.name, core, baseUrl: config.baseUrl, bankPort: config.bankPort },
    'ready',
  );
  return [gateway, config, log, output, worker];
}

function stopOnSignal([gateway, { stopDelayMs, cores }, log, output, worker]: Running): void {
  const patienceMs = stopDelayMs + Math.max(drainMs, ...cores.map(({ deadlineMs }) => deadlineMs + beyondDeadlineMs));
  const stop = onStop(() => {
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new BootError('stopped before every request was answered')), patienceMs).unref();
    });
    log.info({ patienceMs }, 'stopping');
    Promise.race([gateway.close().then(() => log.info('stopped')), late])
      .finally(() => output.close(logPatienceMs))
      .then(() => process.exit(0), fail);
  });
  worker?.ready(gateway.metrics, () => {
    gateway.isReplaced();
    stop();
  });
}

/** Runs the gateway as a process until a signal stops it. Its settings are the environment's. */
export function runGateway(options: ProcessOptions = {}): void {
  const renewing = renewOnSighup();
  failOnUnhandledErrors();
  boot(renewing, options).then(stopOnSignal, fail);
}
