import type { FastifyBaseLogger } from 'fastify';
import type { CoreHttp } from '../../packages/core-adapter/http-core.client.js';
import type {
  CoreLogFields,
  CoreLogger,
  CoreMetrics,
  CoreServices,
} from '../../packages/core-adapter/core-services.js';
import type { Clock } from '../clock/clock.js';
import type { Metrics } from '../observability/metrics.js';
import { freeText } from '../open-banking/free-text.js';

interface ProcessServices {
  readonly log: FastifyBaseLogger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly http: CoreHttp;
}

/** @param nameOf the adapter's name, which is known when the adapter is created */
export function adapterServices({ log, clock, metrics, http }: ProcessServices, nameOf: () => string): CoreServices {
  const logger = namedLogger(log, nameOf);
  return { logger, clock, metrics: boundedMetrics(metrics, logger, nameOf), http };
}

function namedLogger(log: FastifyBaseLogger, nameOf: () => string): CoreLogger {
  const write = (level: keyof CoreLogger) => (fields: CoreLogFields, message: string) =>
    log[level]({ ...shown(fields), adapter: nameOf() }, freeText(message));
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
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
