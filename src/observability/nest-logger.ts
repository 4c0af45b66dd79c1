import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { faultRecord } from './fault-record.js';

/** The sources of Nest's lines at every start: modules, routes. */
const framework = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/**
 * Nest's loggers write into the gateway's one log, in its form. The gateway's parts pass words and the error:
 * `logger.warn('the gateway tries again', error)`.
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
    // Nest throws the fault that stops the boot, and run-gateway.ts reports it once.
    if (rest.at(-1) === 'ExceptionHandler') this.out.debug(...recordOf(message, rest));
    else this.out.error(...recordOf(message, rest));
  }

  debug(message: unknown, context?: string): void {
    this.out.debug({ context }, String(message));
  }
}

/** The words and, with them, the codes and the place of the error. Never the message of an error that comes without words. */
function recordOf(message: unknown, rest: readonly unknown[]): [Record<string, unknown>, string] {
  const error = [message, ...rest].find((part) => part instanceof Error);
  const record = { context: rest.at(-1), ...(error && faultRecord(error)) };
  return [record, message instanceof Error ? 'a part of the framework failed' : String(message)];
}
