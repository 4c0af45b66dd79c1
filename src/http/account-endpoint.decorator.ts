import { applyDecorators, createParamDecorator, Get, type ExecutionContext } from '@nestjs/common';
import { RouteConfig, RouteSchema } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Type, type TSchema } from 'typebox';
import { endpointPermissions, type Endpoint } from '../open-banking/endpoints.js';
import { AccountIdSchema } from '../open-banking/schemas.js';
import { envelopeSchema } from './envelope.js';
import { declarationOf, granted, type Grant, type GrantedAccount } from './request-context.js';
import type { QueryReader, ResourceRoute, WindowRule } from './route-declaration.js';

interface EndpointOptions {
  readonly endpoint: Endpoint;
  /** The one key of `Data`. */
  readonly collection: string;
  /** Schema of one item: it types, serialises and documents; a member that it does not declare cannot leave. */
  readonly schema: TSchema;
  /** `Data` holds one object, not an array. */
  readonly single?: boolean;
  readonly window: WindowRule;
  readonly query?: QueryReader;
  readonly summary: string;
}

/** `GET /accounts/{AccountId}/<endpoint>`: the one place that says what the endpoint needs and answers. */
export function AccountEndpoint(options: EndpointOptions): MethodDecorator {
  return resourceRoute(`accounts/:AccountId/${options.endpoint}`, options);
}

/** `GET /accounts`. */
export function AccountListEndpoint(options: EndpointOptions): MethodDecorator {
  return resourceRoute('accounts', options);
}

/** `GET /accounts/{AccountId}`, mandatory in the standard, with the rules of `/accounts`. */
export function SingleAccountEndpoint(options: EndpointOptions): MethodDecorator {
  return resourceRoute('accounts/:AccountId', options);
}

function resourceRoute(path: string, options: EndpointOptions): MethodDecorator {
  const declaration: ResourceRoute = {
    kind: 'resource',
    endpoint: options.endpoint,
    path: `/${path}`,
    permissions: endpointPermissions[options.endpoint],
    window: options.window,
    collection: options.collection,
    ...(options.query ? { query: options.query } : {}),
  };
  return applyDecorators(
    Get(path),
    RouteConfig({ declaration }),
    RouteSchema({
      summary: options.summary,
      tags: ['Account information'],
      security: [{ consentToken: ['accounts'] }],
      ...(path.includes(':AccountId')
        ? { params: Type.Object({ AccountId: { ...AccountIdSchema, description: 'From GET /accounts.' } }) }
        : {}),
      ...(options.query ? { querystring: querySchema(options.query) } : {}),
      response: { 200: envelopeSchema(options.collection, options.schema, options.single === true) },
    }),
  );
}

function querySchema(query: QueryReader): TSchema {
  return Type.Object(
    Object.fromEntries(
      Object.entries(query.parameters).map(([name, description]) => [
        name,
        Type.Optional(Type.String({ description })),
      ]),
    ),
  );
}

/** What a resource may know of the request: all of it has passed the guards. */
export interface ResourceRequest<Filter = unknown> {
  readonly endpoint: Endpoint;
  readonly grant: Grant;
  readonly account: GrantedAccount;
  readonly filter: Filter;
  readonly request: FastifyRequest;
}

/** The account that the guards granted. */
export const ConsentedAccount = createParamDecorator((_: unknown, context: ExecutionContext): ResourceRequest => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { account, filter } = request;
  if (account === undefined) throw new Error('the request has passed no account check');
  return { endpoint: endpointOf(request), grant: granted(request), account, filter, request };
});

/** The grant, for the one endpoint that is about all its accounts. */
export const ConsentedAccounts = createParamDecorator(
  (_: unknown, context: ExecutionContext): Omit<ResourceRequest, 'account'> => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return { endpoint: endpointOf(request), grant: granted(request), filter: request.filter, request };
  },
);

function endpointOf(request: FastifyRequest): Endpoint {
  const declaration = declarationOf(request);
  if (declaration?.kind !== 'resource') throw new Error('the route is not declared as a resource');
  return declaration.endpoint;
}
