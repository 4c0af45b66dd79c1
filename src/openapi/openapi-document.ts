import { errorAnswers, errorTable, type ErrorAnswer, type ErrorKind } from '../open-banking/error-table.js';
import { errorBody, OpenBankingError, type ErrorNames } from '../open-banking/errors.js';
import type { ApiVersion } from '../endpoint/api-version.js';
import type { WindowRule } from '../endpoint/endpoint-rule.js';
import type { ListedProducts } from '../endpoint/resource-reader.js';
import type { RouteDeclaration } from '../endpoint/route-declaration.js';
import { nameSchemas } from './named-schemas.js';

type Json = Record<string, unknown>;

/** The parts of an OpenAPI 3.1 document that this code writes or reads. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json & { readonly schemas?: Json };
}

interface Operation extends Json {
  readonly parameters?: readonly unknown[];
  readonly responses: Readonly<Record<string, Json>>;
}

const windowRules: Readonly<Record<WindowRule, string>> = {
  exempt: 'Answers whenever the consent is live, however long ago the customer authenticated.',
  always: 'Answers within the authentication window only; afterwards 403 `Reauthentication`.',
  'recent-history':
    'Outside the authentication window, answers only a request whose `fromBookingDateTime` is recent enough; ' +
    'otherwise 403 `Reauthentication`.',
};

/** Describes an endpoint in words, from its declaration and the profile. */
export function describeOperation(
  declaration: RouteDeclaration | undefined,
  listed: ListedProducts,
): string | undefined {
  if (declaration?.kind !== 'resource') return undefined;
  const { name, permissions, window } = declaration.form.rule;
  const codes = permissions.map((group) => group.join(' or ')).join(', and ');
  const products = (listed[name] ?? []).join(', ');
  return [
    `Permission: ${codes}.`,
    `Products: ${products}; an account of any other product has nothing here.`,
    windowRules[window],
  ].join('\n\n');
}

const interactionId = 'x-fapi-interaction-id';

const parameters: Readonly<Record<string, Json>> = {
  [interactionId]: {
    description:
      'A UUID (RFC 4122) that identifies the request. The answer repeats it. The gateway makes one when it is absent.',
    schema: { type: 'string', format: 'uuid' },
    example: '93bac548-d2de-4546-b106-880a5018460d',
  },
  'x-fapi-auth-date': {
    description: 'When the customer last logged in at the TPP. Accepted, not used.',
    schema: { type: 'string' },
    example: 'Sun, 10 Sep 2017 19:43:31 GMT',
  },
  'x-fapi-customer-ip-address': {
    description:
      "The customer's IP address while the customer is present. Without it a request counts as unattended: see `UnattendedAccess` of the published facts.",
    schema: { type: 'string' },
    example: '104.25.212.99',
  },
  'x-customer-user-agent': {
    description: "The customer's user agent. Accepted, not used.",
    schema: { type: 'string' },
  },
  'x-fapi-financial-id': {
    description: 'The id of the bank in the directory. Accepted, not used.',
    schema: { type: 'string' },
  },
  DPoP: {
    description: 'RFC 9449: the proof that belongs to a token that is bound to a key. Other tokens need none.',
    schema: { type: 'string' },
  },
};

const headers: Readonly<Record<string, Json>> = {
  [interactionId]: {
    description: "The request's interaction id, or the one that was made for it.",
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Policy': {
    description:
      'The limits of each TPP (IETF draft "RateLimit header fields for HTTP"): `q` requests at once, `w` seconds until as many are possible again. Each process of the gateway counts `requests` and `consents` for itself: a TPP that keeps to them is never refused, and may get more where the bank runs several. `unattended` counts over all processes.',
    schema: { type: 'string' },
    example: '"requests";q=1000;w=2, "consents";q=500;w=10',
  },
  RateLimit: {
    description:
      'The rest of these limits for this TPP at the process that answers: `r` requests now, `t` seconds until all are possible again.',
    schema: { type: 'string' },
    example: '"requests";r=998;t=1',
  },
  'Cache-Control': {
    description: 'No shared cache may keep account information.',
    required: true,
    schema: { type: 'string' },
    example: 'no-store',
  },
  Warning: {
    description: 'Query parameters that were ignored though their names are nearly right.',
    schema: { type: 'string' },
    example: '299 - "The parameter fromDate is ignored: its name is fromBookingDateTime"',
  },
  'WWW-Authenticate': {
    description: 'RFC 6750 and RFC 9449: why the token was refused, if one was sent.',
    required: true,
    schema: { type: 'string', pattern: '^(Bearer|DPoP) ' },
    example: 'Bearer realm="account-information", error="invalid_token", error_description="the token has expired"',
  },
  Allow: { description: 'The methods that the path has.', required: true, schema: { type: 'string' }, example: 'GET' },
  'Retry-After': {
    description: 'Seconds after which a retry can succeed.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '5',
  },
};

/**
 * Adds to the declarations of the routes the parts that all routes share: request headers, error answers, the interaction
 * id on each answer, and a name for every schema that has a title. Throws when two schemas share a title.
 */
export function completeDocument<D extends OpenApiDocument>(
  document: D,
  version: ApiVersion,
  errorNames: ErrorNames,
): D {
  const schemas: Json = {};
  const named = (value: unknown): unknown => nameSchemas(value, schemas);
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          named({ operationId: operationId(pathBelow(path, version), method), ...completed(method, operation) }),
        ]),
      ),
    ]),
  );
  const responses = named(errorResponses(version, errorNames));
  return {
    ...document,
    components: {
      ...document.components,
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, parameter]) => [name, { name, in: 'header', ...parameter }]),
      ),
      headers,
      responses,
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    paths,
  };
}

function pathBelow(path: string, { basePath, fundsPath, rootPath }: ApiVersion): string {
  const prefix = [basePath, fundsPath, rootPath].find((one) => path.startsWith(`${one}/`)) ?? '';
  return path.slice(prefix.length);
}

function completed(method: string, operation: Operation): Operation {
  const takesBody = method === 'post' || method === 'delete';
  return {
    ...operation,
    parameters: [
      ...(operation.parameters ?? []),
      ...Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          { ...response, headers: headerRefs(...ofEveryAnswer) },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries<ErrorAnswer>(errorAnswers)
          .filter(([, { ofBody }]) => takesBody || !ofBody)
          .map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
      ),
    },
  };
}

/**
 * The name that the standard's document would give the operation: `GetAccountsAccountIdBalances`.
 * @param path below the version's prefix
 */
function operationId(path: string, method: string): string {
  const words = path.match(/[A-Za-z]+/g) ?? [];
  const verb = method === 'post' ? 'create' : method;
  return [verb, ...words].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const ofEveryAnswer = [interactionId, 'Cache-Control', 'RateLimit-Policy', 'RateLimit', 'Warning'] as const;

function headerRefs(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function errorResponses(version: ApiVersion, errorNames: ErrorNames): Json {
  return Object.fromEntries(
    Object.entries<ErrorAnswer>(errorAnswers).map(([status, { name, description, header }]) => {
      const examples = errorExamples(Number(status), errorNames);
      return [
        name,
        {
          description,
          headers: headerRefs(...ofEveryAnswer, ...(header === undefined ? [] : [header])),
          ...(Object.keys(examples).length > 0 && {
            content: { 'application/json': { schema: version.errors.schema, examples } },
          }),
        },
      ];
    }),
  );
}

/** An example for each row of the error table that has this status and a body. */
function errorExamples(status: number, errorNames: ErrorNames): Json {
  const kinds = (Object.keys(errorTable) as ErrorKind[]).filter((kind) => errorTable[kind].status === status);
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const error = new OpenBankingError(kind, { message: 'The cause, and the remedy.' }, { reason: 'fault' });
      const body = errorBody(error, '5b8c1f0e-7f4e-4a53-9a0e-3c1d2b7f6a90', errorNames);
      return body === undefined ? [] : [[kind, { value: body }]];
    }),
  );
}
