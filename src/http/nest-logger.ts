import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

/** What Nest itself tells at every start: modules, routes. */
const framework = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** Nest's loggers write into the gateway's one log, in its form. */
export class NestLogger implements LoggerService {
  constructor(private readonly out: FastifyBaseLogger) {}

  log(message: unknown, context?: string): void {
    if (context !== undefined && framework.has(context)) this.out.debug({ context }, String(message));
    else this.out.info({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.out.warn({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    // What stops the boot is thrown on and said once, by main.ts.
    if (rest.at(-1) === 'ExceptionHandler') this.out.debug(String(message));
    else this.out.error({ context: rest.at(-1) }, String(message));
  }

  debug(message: unknown, context?: string): void {
    this.out.debug({ context }, String(message));
  }
}
