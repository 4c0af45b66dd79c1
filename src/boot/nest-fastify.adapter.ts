import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Nest on a server that has its own answers for errors and unknown paths, which also go to requests that never reach Nest.
 * Nest has no option for the three calls that are answered here with nothing. All code that leans on them is in this file:
 * - `init` in https://github.com/nestjs/nest/blob/v12.5.1/packages/core/nest-application.ts (`NestApplication.init`)
 * - the handlers in https://github.com/nestjs/nest/blob/v12.5.1/packages/core/router/routes-resolver.ts
 *   (`registerNotFoundHandler`, `registerExceptionHandler`)
 */
export class NestFastifyAdapter extends FastifyAdapter {
  constructor(server: FastifyInstance) {
    super(server);
  }

  /** Would register the plugin that runs middleware. The gateway has none, and the plugin would run on every request. */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  override setErrorHandler(): FastifyInstance {
    return this.instance;
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.instance;
  }
}
