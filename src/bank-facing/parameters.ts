import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { BootError } from '../config/boot-error.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { printable } from './bank-facing.schema.js';

const mostLength = 1_000;
const printableText = new RegExp(printable);

type Values = Readonly<Record<string, unknown>>;

/**
 * Refuses a parameter of path or query that its route does not declare, that comes twice, or that is no short text without
 * control characters, for each route that is declared from now on. So no route meets a list, or a text that the database
 * cannot keep.
 * @throws BootError for a route that does not declare the parameters of its path
 */
export function checkParameters(routes: FastifyInstance): void {
  routes.addHook('onRoute', ({ method, url, schema = {} }) => {
    if ((schema as { hide?: boolean }).hide === true) return;
    const declared = namesIn(schema.params);
    const missing = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name).filter((name) => !declared.has(name));
    if (missing.length > 0)
      throw new BootError(
        `the route ${String(method)} ${url} declares no schema of its parameter ${missing.join(', ')}`,
      );
  });
  routes.addHook('onRequest', (request, _reply, done) => done(faultOf(request)));
}

function faultOf({ params, query, routeOptions: { schema = {} } }: FastifyRequest): OpenBankingError | undefined {
  if ((schema as { hide?: boolean }).hide === true) return undefined;
  const undeclared = Object.keys(query as Values).find((name) => !namesIn(schema.querystring).has(name));
  // The name of an unknown parameter is not repeated: it can contain anything.
  if (undeclared !== undefined) return invalid('query', 'The query has a parameter that this operation does not have.');
  const given = [...Object.entries(params as Values), ...Object.entries(query as Values)];
  const [name] = given.find(([, value]) => !isText(value)) ?? [];
  if (name === undefined) return undefined;
  return invalid(
    name,
    `${name} must be given once, as a text of at most ${mostLength} characters without control characters.`,
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= mostLength && (value === '' || printableText.test(value));
}

function namesIn(schema: FastifySchema['params']): ReadonlySet<string> {
  return new Set(Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}));
}

function invalid(path: string, message: string): OpenBankingError {
  return new OpenBankingError('field-invalid', { message, path });
}
