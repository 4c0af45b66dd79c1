import type { Server as HttpsServer } from 'node:https';
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify';
import { BootError } from '../config/boot-error.js';
import type { GatewayConfig } from '../config/config.js';
import { OpenBankingError } from '../open-banking/errors.js';
import type { ListenerTls } from '../security/listener-tls.js';
import { pathUnknown, type ErrorResponder } from './error-responder.js';
import { headerFault, hostFault } from './headers.js';
import { otherMethods, routeEveryMethod } from './other-methods.js';
import { misdirected } from './own-host.js';
import { declarationOf } from '../endpoint/request-context.js';
import { accessRecord } from './access-log.js';
import { awaitAnswer } from './broken-http.js';
import { faultRecord } from './fault-record.js';
import { baseUrls, isAskedForCertificate } from './base-url.js';
import { applyApiDefaults, begin, listenerOptions, serverOptions } from './api-defaults.js';
import { envelope, selfLink } from '../endpoint/envelope.js';
import { compileSerialiser } from '../endpoint/serialiser.js';

/** Characters. */
const longAnswer = 4 * 1024;

/** A step of the way in: throws an `OpenBankingError` to refuse. Not a promise unless it has to wait. */
export type EntryCheck = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

export interface EntryChecks {
  /** Token and certificate: sets `request.token`, 401. Runs for unknown paths too. */
  readonly tpp: EntryCheck;
  /** How fast the TPP asks: 429. Runs for unknown paths too; `policy` is stated on every answer. */
  readonly rateLimit: { readonly policy: string | undefined; readonly check: EntryCheck };
  /** Kind of token and live consent: sets `request.grant`, 401. */
  readonly consent: EntryCheck;
  /** Called once for each finished request. */
  readonly observe: (request: FastifyRequest, reply: FastifyReply) => void;
}

/**
 * The TPPs' HTTP server, before Nest puts its routes on it. What a Nest guard cannot do is done here, in the order of
 * the specification: Nest's guards run after the body was read, and never on an unknown path or method.
 */
export function createServer(
  config: Pick<GatewayConfig, 'baseUrl' | 'authorisationServer'>,
  logger: FastifyBaseLogger,
  errors: ErrorResponder,
  checks: EntryChecks,
  tls?: ListenerTls,
): FastifyInstance {
  const baseUrl = baseUrls(config);
  const { authorisationServer } = config;
  const isMisdirected = authorisationServer && misdirected(authorisationServer.tpp.url);
  const addressFault = (request: FastifyRequest): OpenBankingError | undefined =>
    hostFault(request) ?? (isAskedForCertificate(request) ? isMisdirected?.(request) : undefined);
  const receive = (request: FastifyRequest, reply: FastifyReply): void => {
    begin(request, reply);
    request.baseUrl = baseUrl(request);
    if (checks.rateLimit.policy !== undefined) void reply.header('ratelimit-policy', checks.rateLimit.policy);
    awaitAnswer(reply, () => {
      checks.observe(request, reply);
      request.log.info(accessRecord(request, reply));
    });
  };
  const server = fastify({
    ...serverOptions(logger, errors, 'access'),
    ...listenerOptions(tls),
    // A URL that cannot be decoded reaches no hook: it gets the answer of an unknown path, token check included.
    frameworkErrors: (_error, request, reply) => {
      receive(request, reply);
      Promise.resolve()
        .then(() => {
          const fault = addressFault(request);
          if (fault !== undefined) throw fault;
          return checks.tpp(request, reply);
        })
        .then(() => checks.rateLimit.check(request, reply))
        .then(
          () => errors.respond(pathUnknown(), request, reply),
          (fault: unknown) => errors.respond(fault, request, reply),
        )
        .catch((fault: unknown) => request.log.error(faultRecord(fault), 'a refusal could not be sent'));
    },
  });

  tls?.servedBy(server.server as HttpsServer);
  for (const name of [
    'interactionId',
    'baseUrl',
    'token',
    'grant',
    'account',
    'filter',
    'pageLinks',
    'consentTerms',
    'coreSignal',
    'response',
    'unattended',
  ] as const)
    server.decorateRequest(name, undefined as never);

  server.addHook('onRequest', (request, reply, done) => {
    receive(request, reply);
    const fault = addressFault(request);
    if (fault !== undefined) return done(fault);
    enter(request, reply, checks, done);
  });
  server.addHook('onRoute', (route) => {
    if (route.config?.declaration?.kind === 'resource')
      route.serializerCompiler = ({ schema }) => compileSerialiser(schema);
  });
  server.addHook('preSerialization', (request, _reply, payload, done) => {
    const declaration = declarationOf(request);
    if (declaration?.kind !== 'resource') return done(null, payload);
    const self = selfLink(request.baseUrl, declaration.path, request.account?.accountId);
    done(null, envelope(declaration.collection, payload, self, request.pageLinks));
  });
  server.addHook('onSend', (_request, _reply, payload, done) => {
    // As text, a long answer is measured once and copied into a buffer of three times its length.
    done(null, typeof payload === 'string' && payload.length >= longAnswer ? Buffer.from(payload) : payload);
  });
  routeEveryMethod(server);

  applyApiDefaults(server, errors);
  refuseUndeclaredRoutes(server);
  return server;
}

/** Checks 2 to 5: token, path, method, consent, headers. Waits only where a check must. */
function enter(request: FastifyRequest, reply: FastifyReply, checks: EntryChecks, done: (error?: Error) => void): void {
  const declaration = declarationOf(request);
  if (declaration?.kind === 'public') return done();
  const steps: EntryCheck[] = [checks.tpp, checks.rateLimit.check, routeExists, checks.consent, headersAcceptable];
  const next = (from: number): void => {
    for (let index = from; index < steps.length; index++) {
      const waiting = steps[index]?.(request, reply);
      if (waiting !== undefined) {
        waiting.then(() => next(index + 1)).catch((error: unknown) => done(error as Error));
        return;
      }
    }
    done();
  };
  try {
    next(0);
  } catch (error) {
    done(error as Error);
  }
}

function routeExists(request: FastifyRequest): void {
  const declaration = declarationOf(request);
  if (request.is404 || declaration === undefined) throw pathUnknown();
  if (declaration.kind === 'method-not-allowed')
    throw new OpenBankingError(
      'method-not-allowed',
      { message: `This path answers ${declaration.allow} only.` },
      { headers: { allow: declaration.allow } },
    );
}

function headersAcceptable(request: FastifyRequest): void {
  const fault = headerFault(request);
  if (fault !== undefined) throw fault;
}

/**
 * Fail closed: a route that says nothing of who may call it stops the boot. For every path the methods that it does not
 * have become routes of their own that answer 405, so that they pass the token check first.
 */
function refuseUndeclaredRoutes(server: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  server.addHook('onRoute', (route) => void routes.push(route));
  server.addHook('onReady', (done) => {
    const undeclared = routes
      .filter((route) => route.config?.declaration === undefined)
      .map((route) => `${String(route.method)} ${route.url}`);
    done(
      undeclared.length > 0
        ? new BootError(
            `routes without a declaration: ${undeclared.join(', ')}; declare each endpoint or make it public`,
          )
        : undefined,
    );
  });
  const refuseOtherMethods = otherMethods(server, (allow) => ({
    schema: { hide: true },
    config: { declaration: { kind: 'method-not-allowed', allow } },
    handler: () => {
      throw new Error('the entry checks refuse this route');
    },
  }));
  server.decorate('refuseOtherMethods', refuseOtherMethods);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Call once, after the last route. */
    refuseOtherMethods(): void;
  }
}
