import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { CoreSettingFault } from '../../packages/core-adapter/core-settings.js';
import type { CoreHttp } from '../../packages/core-adapter/http-core.client.js';
import type {
  CoreLogFields,
  CoreLogger,
  CoreMetrics,
  CoreServices,
} from '../../packages/core-adapter/core-services.js';
import type { Clock } from '../clock/clock.js';
import { currentRead } from '../core-banking/current-read.js';
import type { Metrics } from '../observability/metrics.js';
import { makeFolder } from '../persistence/make-folder.js';
import { freeText } from '../open-banking/free-text.js';

interface ProcessServices {
  readonly log: FastifyBaseLogger;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

interface CoreProcessServices extends ProcessServices {
  readonly http: CoreHttp;
  readonly dataDir: string;
}

/** @param nameOf the adapter's name, which is known when the adapter is created */
export function adapterServices(
  { http, dataDir, ...process }: CoreProcessServices,
  nameOf: () => string,
): CoreServices {
  const dataFolder = (): Promise<string> => madeFolder(join(resolve(dataDir), 'core'));
  return { ...servicesOfEachPort(process, nameOf), http, dataFolder };
}

/** The services that an adapter of the bank's sign-on receives as well. @param nameOf see {@link adapterServices} */
export function servicesOfEachPort(
  { log, clock, metrics }: ProcessServices,
  nameOf: () => string,
): Pick<CoreServices, 'logger' | 'clock' | 'metrics'> {
  const logger = namedLogger(log, nameOf);
  return { logger, clock, metrics: boundedMetrics(metrics, logger, nameOf) };
}

async function madeFolder(path: string): Promise<string> {
  try {
    await makeFolder(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new CoreSettingFault(
      'DATA_DIR',
      'must be a folder that the gateway can write to: the adapter keeps files in it',
    );
  }
  return path;
}

function namedLogger(log: FastifyBaseLogger, nameOf: () => string): CoreLogger {
  const write = (level: keyof CoreLogger) => (fields: CoreLogFields, message: string) =>
    log[level]({ ...shown(fields), adapter: nameOf(), ...interaction() }, freeText(message));
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** The id of the request whose read writes the line. It is absent outside of a read, such as at the start. */
function interaction(): { readonly interactionId?: string } {
  const interactionId = currentRead.getStore()?.interactionId;
  return interactionId === undefined ? {} : { interactionId };
}

/** The author of an adapter may forget the rule of the port. An error, for example, can hold the core's words. */
function shown(fields: CoreLogFields): CoreLogFields {
  const masked = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? freeText(value) : value,
  ]);
  return Object.fromEntries(
    masked.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  ) as CoreLogFields;
}

const metricName = /^[a-z][a-z0-9_]{0,39}$/;
const mostNames = 50;

/** A name that is made from data would otherwise fill the memory, and show the data to operators. */
function boundedMetrics(metrics: Metrics, logger: CoreLogger, nameOf: () => string): CoreMetrics {
  const names = new Set<string>();
  let warned = false;
  const takes = (name: string): boolean => {
    if (names.has(name)) return true;
    if (names.size < mostNames && metricName.test(name)) {
      names.add(name);
      return true;
    }
    if (!warned) logger.warn({}, `a metric is ignored: its name is malformed, or follows ${mostNames} other names`);
    warned = true;
    return false;
  };
  return {
    count: (name, value = 1) => {
      if (takes(name)) metrics.adapterEvent(nameOf(), name, value);
    },
    observe: (name, seconds) => {
      if (takes(name)) metrics.adapterDuration(nameOf(), name, seconds);
    },
  };
}
