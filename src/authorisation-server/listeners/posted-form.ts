import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const mostBytes = 16 * 1024;
/** Fastify's code of the error for a larger form. */
export const formTooLarge = 'FST_ERR_CTP_BODY_TOO_LARGE';

/** These routes take posted forms and read nothing else. */
export function acceptForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  // The plugin's type allows plain objects only, but a field of a form can occur several times.
  void server.register(formbody, { bodyLimit: mostBytes, parser: (text) => new URLSearchParams(text) as never });
  server.addContentTypeParser('*', (_request, _body, done) => done(null));
}

/** The posted form, or `undefined` when something else was posted. */
export function postedForm({ body }: FastifyRequest): URLSearchParams | undefined {
  return body instanceof URLSearchParams ? body : undefined;
}
