import { Inject, Injectable } from '@nestjs/common';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { declarationOf } from '../endpoint/request-context.js';
import type { TppId } from '../open-banking/tpp-id.js';
import type { AccessRecord } from '../observability/access-record.js';
import { LOG } from '../observability/log.js';
import { LISTENERS_TLS, type ListenersTls } from '../security/listeners-tls.js';
import { accessRecord } from '../server/access-log.js';
import { answeredStatus } from '../server/broken-http.js';
import { HealthPlaces } from '../server/connection-limit.js';
import { ErrorResponder } from '../server/error-responder.js';
import { hostFault } from '../server/headers.js';
import { createHttpServer } from '../server/http-server.js';
import { acceptJsonBodies } from '../server/json-bodies.js';
import { declareRoutes } from '../server/routes.js';
import { BankCallerCheck } from './bank-caller.check.js';
import { bankErrorNames } from './bank-errors.js';
import { describeBankFacing } from './bank-facing-document.js';
import { ConsentRoutes } from './consent.routes.js';
import { NamedTpps } from './named-tpps.js';
import { OperationRoutes } from './operation.routes.js';
import { SignInRoutes } from './sign-in.routes.js';
import { SigningKeyRoutes } from './signing-key.routes.js';
import { TppStandingRoutes } from './tpp-standing.routes.js';
import { TppRoutes } from './tpp.routes.js';

/**
 * The bank's own port: its authorisation service reports here what the customer decided, and operators look here at health
 * and metrics and manage the TPPs. A route that is not declared public needs the bank's credential.
 */
@Injectable()
export class BankFacingServer {
  readonly server: FastifyInstance;

  constructor(
    @Inject(LOG) log: FastifyBaseLogger,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
    @Inject(LISTENERS_TLS) { bank: tls }: ListenersTls,
    callers: BankCallerCheck,
    operation: OperationRoutes,
    consents: ConsentRoutes,
    tpps: TppRoutes,
    standings: TppStandingRoutes,
    keys: SigningKeyRoutes,
    signIns: SignInRoutes,
    @Inject(GATEWAY_CONFIG) { maxConnections }: GatewayConfig,
    named: NamedTpps,
  ) {
    const errors = new ErrorResponder(bankErrorNames(config));
    const server = createHttpServer({
      ...{ log, tls, errorNames: errors.errorNames, record: 'bankAccess' },
      enter: (request, reply, done) =>
        done(
          hostFault(request) ??
            places.fault(request, reply, isPublic(request)) ??
            (isPublic(request) ? undefined : callers.fault(request)),
        ),
      respond: (error, request, reply) => errors.respond(error, request, reply),
      accessOf: (request, reply) => bankAccess(request, reply, named.of(request)),
    });
    const places = new HealthPlaces(server.server, maxConnections, log);
    acceptJsonBodies(server);
    describeBankFacing(server);
    operation.declare(server);
    declareRoutes(server, '/bank/v1', (routes) => {
      for (const part of [consents, signIns, standings, tpps, keys]) part.declare(routes);
    });
    this.server = server;
  }
}

function isPublic(request: FastifyRequest): boolean {
  return declarationOf(request)?.kind === 'public';
}

/** Health and metrics leave a record only where the request was refused. */
function bankAccess(request: FastifyRequest, reply: FastifyReply, tpp: TppId | undefined): AccessRecord | undefined {
  const status = answeredStatus(reply);
  if (isPublic(request) && (status < 400 || status >= 499)) return undefined;
  return accessRecord(request, reply, tpp);
}
