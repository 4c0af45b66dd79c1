import { randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:http';
import {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ListenerTls } from '../security/listener-tls.js';
import { bodyFault } from './body-fault.js';
import { refuseBrokenHttp } from './broken-http.js';
import type { ErrorResponder } from './error-responder.js';
import { notJson, pathUnknown } from '../open-banking/common-errors.js';
import { readInteractionId } from './headers.js';

/** Of every listener, whoever comes to it. */
export const httpOptions: ServerOptions = {
  /** Milliseconds for a whole request, headers and body: who sends more slowly holds a connection for nothing. */
  requestTimeout: 30_000,
  /** Longer than the balancers before it keep theirs, so that none meets one that just closed. */
  keepAliveTimeout: 72_000,
  /** Room for an AccountId of Node's default limit beside a token: it, too, is an account that was not selected. */
  maxHeaderSize: 32 * 1024,
  /** Node's own refusal would have neither a body nor an interaction id: headers.ts refuses instead. */
  requireHostHeader: false,
};

/** HTTPS where the listener ends TLS itself. */
export function listenerOptions(tls: ListenerTls | undefined): { http: object } | { https: object } {
  return tls === undefined ? { http: httpOptions } : { https: { ...httpOptions, ...tls.options } };
}

/**
 * What the TPPs' server and the bank's are made with.
 * @param record the name of the access records
 */
export function serverOptions(
  log: FastifyBaseLogger,
  { bankPrefix }: Pick<ErrorResponder, 'bankPrefix'>,
  record: string,
): FastifyServerOptions {
  return {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: what names a request in our records is its interaction id.
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    bodyLimit: 64 * 1024,
    requestTimeout: httpOptions.requestTimeout ?? 0,
    exposeHeadRoutes: false,
    // What still comes in while the listener closes is answered like anything else.
    return503OnClosing: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      // Longer than a request line can be: an AccountId of any length is an account that was not selected.
      maxParamLength: 64 * 1024,
    },
    clientErrorHandler: (error, socket) => refuseBrokenHttp(error, socket, { bankPrefix, log, record }),
  };
}

/** Refuses what is not UTF-8, where a string would hold U+FFFD in the place of what was sent. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Check 1 of the guards' order: every answer, whatever becomes of the request, carries an interaction id. */
export function begin(request: FastifyRequest, reply: FastifyReply): void {
  request.interactionId = readInteractionId(request) ?? randomUUID();
  request.response = reply.raw;
  void reply.header('x-fapi-interaction-id', request.interactionId);
  // Account information is nobody else's to keep.
  void reply.header('cache-control', 'no-store');
}

/** What the TPPs' server and the bank's have in common: JSON bodies, their check, and the shape of every error. */
export function applyApiDefaults(server: FastifyInstance, errors: ErrorResponder): void {
  // One JSON parser and no other: anything else is 415. Nest registers none (bodyParser: false).
  server.removeAllContentTypeParsers();
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = utf8.decode(body as Buffer);
    } catch (error) {
      return done(notJson(error));
    }
    void parseJson(request, text, done);
  });
  // Only bodies are checked by schema: parameters have their own readers, with their own errors.
  server.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'body') return () => true;
    const check = Compile(schema as TSchema);
    return (body: unknown) => (check.Check(body) ? { value: body } : { error: bodyFault(body, check.Errors(body)) });
  });
  server.setSchemaErrorFormatter((faults) => faults as unknown as Error);
  server.setErrorHandler((error, request, reply) => errors.respond(error, request, reply));
  // An expectation that we do not know is not refused: Node's own refusal would have no interaction id.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  server.setNotFoundHandler((request, reply) => errors.respond(pathUnknown(), request, reply));
}
