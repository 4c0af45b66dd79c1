import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { notJson } from '../open-banking/common-errors.js';
import { bodyFault } from './body-fault.js';
import { compiledOnce } from './compiled-once.js';

/** Refuses bytes that are not UTF-8. A lenient decoder would put U+FFFD in their place. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

const validatorOf = compiledOnce((schema: TSchema) => Compile(schema));

/** The server reads JSON bodies and no other (415), and checks each by the schema that its route declares. */
export function acceptJsonBodies(server: FastifyInstance): void {
  // Nest registers no parser (bodyParser: false).
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
  // Parameters are checked before the body is read.
  server.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'body') return () => true;
    const check = validatorOf(schema);
    return (body: unknown) => (check.Check(body) ? { value: body } : { error: bodyFault(body, check.Errors(body)) });
  });
  server.setSchemaErrorFormatter((faults) => faults as unknown as Error);
}
