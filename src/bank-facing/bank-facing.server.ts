import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { declarationOf } from '../endpoint/route-declaration.js';
import type { AccessRecord } from '../observability/access-record.js';
import { TRACING, type Tracing } from '../observability/tracing.js';
import { LOG } from '../observability/log.js';
import { LISTENERS_TLS, type ListenersTls } from '../security/tls/listeners-tls.js';
import { accessRecord } from '../server/access-log.js';
import { answeredStatus } from '../server/broken-http.js';
import { HealthPlaces } from '../server/connection-limit.js';
import { ErrorResponder } from '../server/error-responder.js';
import { hostFault } from '../server/headers.js';
import { createHttpServer } from '../server/http-server.js';
import { acceptJsonBodies } from '../server/json-bodies.js';
import { listen } from '../server/listen.js';
import { Listeners } from '../server/listeners.js';
import { declareRoutes } from '../server/routes.js';
import { BankCallerCheck } from './bank-caller.check.js';
import { bankErrorNames } from './bank-errors.js';
import { describeBankFacing } from './bank-facing-document.js';
import { OperationRoutes } from './operation.routes.js';

/** By this token Nest injects the {@link BankRoutes} below `/bank/v1`. */
export const BANK_ROUTES = Symbol('BANK_ROUTES');

export interface BankRoutes {
  declare(server: FastifyInstance): void;
}

/**
 * The bank's own port. The bank's authorisation service reports the customers' decisions here. Operators read health and
 * metrics here, and manage the TPPs. A route that is not declared public needs the bank's credential.
 */
@Injectable()
export class BankFacingServer implements OnApplicationBootstrap {
  readonly server: FastifyInstance;

  constructor(
    @Inject(LOG) log: FastifyBaseLogger,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(LISTENERS_TLS) { bank: tls }: ListenersTls,
    callers: BankCallerCheck,
    operation: OperationRoutes,
    @Inject(BANK_ROUTES) bankRoutes: readonly BankRoutes[],
    listeners: Listeners,
    @Inject(TRACING) tracing: Tracing | undefined,
  ) {
    const errors = new ErrorResponder(bankErrorNames(config));
    const server = createHttpServer({
      log,
      tls,
      tracing,
      errorNames: errors.errorNames,
      record: 'bankAccess',
      enter: (request, reply, done) =>
        done(
          hostFault(request) ??
            places.fault(request, reply, isPublic(request)) ??
            (isPublic(request) ? undefined : callers.fault(request)),
        ),
      respond: (error, request, reply) => errors.respond(error, request, reply),
      accessOf: bankAccess,
    });
    const places = new HealthPlaces(server.server, config.maxConnections, log);
    acceptJsonBodies(server);
    describeBankFacing(server);
    operation.declare(server);
    declareRoutes(server, '/bank/v1', (routes) => {
      for (const part of bankRoutes) part.declare(routes);
    });
    listeners.add(server);
    this.server = server;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.server.ready();
  }

  async listen(): Promise<void> {
    const { bankHost: host, bankPort: port } = this.config;
    await listen(this.server, { host, port }, { host: 'BANK_HOST', port: 'BANK_PORT' });
  }
}

function isPublic(request: FastifyRequest): boolean {
  return declarationOf(request)?.kind === 'public';
}

/** Health and metrics leave a record only where the request was refused. */
function bankAccess(request: FastifyRequest, reply: FastifyReply): AccessRecord | undefined {
  const status = answeredStatus(reply);
  if (isPublic(request) && (status < 400 || status >= 499)) return undefined;
  return accessRecord(request, reply);
}
