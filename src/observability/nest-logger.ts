import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { faultRecord } from './fault-record.js';

/** The sources of Nest's own lines at every start: modules, routes. */
const framework = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/**
 * Nest's loggers write into the gateway's one log, in its form. Our own parts give them words and the error that is meant:
 * `logger.warn('it is tried again', error)`.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly out: FastifyBaseLogger) {}

  log(message: unknown, context?: string): void {
    if (context !== undefined && framework.has(context)) this.out.debug({ context }, String(message));
    else this.out.info({ context }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.out.warn(...recordOf(message, rest));
  }

  error(message: unknown, ...rest: unknown[]): void {
    // Nest throws the fault that stops the boot, and run-gateway.ts says it once.
    if (rest.at(-1) === 'ExceptionHandler') this.out.debug(...recordOf(message, rest));
    else this.out.error(...recordOf(message, rest));
  }

  debug(message: unknown, context?: string): void {
    this.out.debug({ context }, String(message));
  }
}

/** The words and, of an error beside them, its codes and its place; of an error alone never its message. */
function recordOf(message: unknown, rest: readonly unknown[]): [Record<string, unknown>, string] {
  const error = [message, ...rest].find((part) => part instanceof Error);
  const record = { context: rest.at(-1), ...(error && faultRecord(error)) };
  return [record, message instanceof Error ? 'a part of the framework failed' : String(message)];
}
