import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { bodyFault } from './body-fault.js';
import { pathUnknown, type ErrorResponder } from './error-responder.js';
import { readInteractionId } from './headers.js';

export const bodyLimitBytes = 64 * 1024;

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
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body as string, done);
  });
  // Only bodies are checked by schema: parameters have their own readers, with their own errors.
  server.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'body') return () => true;
    const check = Compile(schema as TSchema);
    return (body: unknown) => (check.Check(body) ? { value: body } : { error: bodyFault(body, check.Errors(body)) });
  });
  server.setSchemaErrorFormatter((faults) => faults as unknown as Error);
  server.setErrorHandler((error, request, reply) => errors.respond(error, request, reply));
  server.setNotFoundHandler((request, reply) => errors.respond(pathUnknown(), request, reply));
}
