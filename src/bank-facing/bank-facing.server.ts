import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { LISTENERS_TLS, type ListenersTls } from '../security/tls/listeners-tls.js';
import { ErrorResponder } from '../server/error-responder.js';
import { hostFault } from '../server/headers.js';
import { createHttpServer } from '../server/http-server.js';
import { acceptJsonBodies } from '../server/json-bodies.js';
import { listen } from '../server/listen.js';
import { Listeners } from '../server/listeners.js';
import { Recording } from '../server/recording.js';
import { declareRoutes } from '../server/routes.js';
import type { RequestEvent } from '../trail/event.js';
import { BankCallerCheck } from './bank-caller.check.js';
import { bankErrorNames } from './bank-errors.js';
import { describeBankFacing } from './bank-facing-document.js';
import { declareCallers } from './callers.js';
import { checkParameters } from './parameters.js';
import { OperationRoutes } from './operation.routes.js';
import type { OperatorEvent } from '../trail/operator-event.js';

/** By this token Nest injects the {@link BankRoutes} below `/bank/v1`. */
export const BANK_ROUTES = Symbol('BANK_ROUTES');

export interface BankRoutes {
  declare(server: FastifyInstance): void;
}

/**
 * The bank's own port. The bank's authorisation service reports the customers' decisions here. Operators read health and
 * metrics here, and manage the TPPs. A route that is not declared public needs the credential of one of its callers.
 */
@Injectable()
export class BankFacingServer implements OnApplicationBootstrap {
  readonly server: FastifyInstance;

  constructor(
    recording: Recording,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(PROFILE) { rules }: Profile,
    @Inject(LISTENERS_TLS) { bank: tls }: ListenersTls,
    callers: BankCallerCheck,
    operation: OperationRoutes,
    @Inject(BANK_ROUTES) bankRoutes: readonly BankRoutes[],
    listeners: Listeners,
  ) {
    const errors = new ErrorResponder(bankErrorNames(config.baseUrl, rules.errorCodePrefix));
    const server = createHttpServer({
      ...recording,
      listener: 'bank',
      tls,
      errorNames: errors.errorNames,
      record: 'bankAccess',
      enter: (request, _reply, done) => {
        const fault = hostFault(request);
        if (fault !== undefined || isPublic(request)) return done(fault);
        callers.fault(request).then(done, done);
      },
      respond: (error, request, reply) => errors.respond(error, request, reply),
      alsoOf: bankAct,
      isLogged,
      isExempt: isPublic,
    });
    for (const member of ['bankCaller', 'bankRole', 'bankAct']) server.decorateRequest(member, undefined);
    acceptJsonBodies(server);
    describeBankFacing(server);
    operation.declare(server);
    declareRoutes(server, '/bank/v1', (routes) => {
      declareCallers(routes);
      checkParameters(routes);
      routes.addHook('preValidation', callers.checkAfterBody);
      for (const part of bankRoutes) part.declare(routes);
    });
    listeners.add(server);
    this.server = server;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.server.ready();
  }

  async listen(): Promise<void> {
    const { bankHost: host, bankPort: port, maxConnections } = this.config;
    await listen(this.server, { host, port, maxConnections }, { host: 'BANK_HOST', port: 'BANK_PORT' });
  }
}

function isPublic(request: FastifyRequest): boolean {
  return request.declaration?.kind === 'public';
}

/** Health and metrics leave an access record only where the request was refused. */
function isLogged({ status = 0 }: RequestEvent, request: FastifyRequest): boolean {
  return !isPublic(request) || (status >= 400 && status < 499);
}

/**
 * The act of the bank's systems or of an operator that a request to the bank's port asked for, refused ones too; `undefined`
 * for a request that only reads.
 */
function bankAct(
  event: RequestEvent,
  { method, routeOptions, bankCaller, bankAct: act }: FastifyRequest,
): OperatorEvent | undefined {
  const { operationId } = (routeOptions.schema ?? {}) as { readonly operationId?: string };
  if (method === 'GET' || method === 'HEAD' || operationId === undefined) return undefined;
  const { id, at, issuer, tpp, consent } = event;
  const outcome = outcomeOf(event);
  // A caller that has gone is not a reason of an act that was done.
  const reason = outcome === 'done' ? undefined : event.reason;
  return {
    kind: 'operator',
    id,
    at,
    command: operationId,
    by: bankCaller ?? 'unknown',
    outcome,
    ...act,
    ...(reason !== undefined && { reason }),
    target: { issuer, tpp, ...(consent !== undefined && { consent }), ...act?.target },
    interactionId: id,
  };
}

/** By the answer that was made, whether or not the caller was still there to receive it. */
function outcomeOf({ status = 0, unsentStatus = status }: RequestEvent): OperatorEvent['outcome'] {
  return unsentStatus < 400 ? 'done' : unsentStatus < 499 ? 'refused' : 'failed';
}
