import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { BootError } from '../config/boot-error.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { compiledOnce } from '../server/compiled-once.js';
import { printable } from './bank-facing.schema.js';

/** The schema of one parameter. */
interface Form {
  readonly type?: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}
type Forms = Readonly<Record<string, Form>>;
type Values = Readonly<Record<string, unknown>>;

/**
 * From now on a request must fit the schemas that its route declares of its path and its query, before its body is read. So no
 * route meets a list, or a text that the database cannot keep, and whole numbers are numbers.
 * @throws BootError for a route that does not declare the form of each parameter
 */
export function checkParameters(routes: FastifyInstance): void {
  routes.addHook('onRoute', (route) => {
    const { method, url, schema = {}, onRequest = [] } = route;
    if ((schema as { hide?: boolean }).hide === true) return;
    const params = formsIn(schema.params);
    const query = formsIn(schema.querystring);
    const named = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const formless = [...new Set([...named, ...Object.keys(params), ...Object.keys(query)])].filter(
      (name) => !isBounded(params[name] ?? query[name]),
    );
    if (formless.length > 0)
      throw new BootError(
        `the route ${String(method)} ${url} declares no form of its parameter ${formless.join(', ')}`,
      );
    const [readParams, readQuery] = [reader(params), reader(query)];
    const check = (request: FastifyRequest, _reply: unknown, done: (fault?: Error) => void): void => {
      try {
        request.query = readQuery(request.query as Values);
        request.params = readParams(request.params as Values);
      } catch (error) {
        return done(error as Error);
      }
      done();
    };
    route.onRequest = [check, ...[onRequest].flat()];
  });
}

function formsIn(schema: unknown): Forms {
  return (schema as { properties?: Forms } | undefined)?.properties ?? {};
}

function isBounded(form: Form | undefined): boolean {
  if (form?.type === 'integer') return form.minimum !== undefined && form.maximum !== undefined;
  return form?.pattern !== undefined && form.maxLength !== undefined;
}

const compiled = compiledOnce((form: Form) => Compile(form as TSchema));

/** @returns a function that throws OpenBankingError for values that do not fit */
function reader(forms: Forms): (given: Values) => Values {
  const checks = new Map(Object.entries(forms).map(([name, form]) => [name, compiled(form)]));
  return (given) =>
    Object.fromEntries(
      Object.entries(given).map(([name, text]) => {
        const form = forms[name];
        // The name of an unknown parameter is not repeated: it can contain anything.
        if (form === undefined) throw invalid('query', 'The query has a parameter that this operation does not have.');
        if (typeof text !== 'string') throw invalid(name, `${name} must be given once.`);
        const value = form.type === 'integer' && /^\d{1,9}$/.test(text) ? Number(text) : text;
        if (checks.get(name)?.Check(value) !== true) throw invalid(name, `${name} ${demandOf(form)}`);
        return [name, value];
      }),
    );
}

function demandOf({ type, pattern, maxLength, minimum, maximum, description }: Form): string {
  if (type === 'integer') return `must be a number from ${minimum} to ${maximum}.`;
  if (pattern === printable)
    return `must be a text of at most ${maxLength} characters, and without control characters.`;
  return `does not have the form of this parameter: ${description}`;
}

function invalid(path: string, message: string): OpenBankingError {
  return new OpenBankingError('field-invalid', { message, path });
}
