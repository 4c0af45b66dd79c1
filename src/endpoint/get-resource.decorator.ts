import { applyDecorators, createParamDecorator, Get, type ExecutionContext } from '@nestjs/common';
import { RouteConfig, RouteSchema } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Type, type TSchema } from 'typebox';
import { AccountIdSchema } from '../open-banking/schemas.js';
import type { EndpointDeclaration, QueryReader } from './endpoint-declaration.js';
import { envelopeSchema } from './envelope.js';
import { declarationOf, granted, type Grant, type GrantedAccount } from './request-context.js';

/** `GET` of the endpoint's path, with all that its declaration says. */
export function GetResource(declaration: EndpointDeclaration): MethodDecorator {
  const { path, query, collection, schema, single, summary } = declaration;
  return applyDecorators(
    Get(path),
    RouteConfig({ declaration }),
    RouteSchema({
      summary,
      tags: ['Account information'],
      security: [{ consentToken: ['accounts'] }],
      ...(path.includes(':AccountId') && {
        params: Type.Object({ AccountId: { ...AccountIdSchema, description: 'From GET /accounts.' } }),
      }),
      ...(query && { querystring: querySchema(query) }),
      response: { 200: envelopeSchema(collection, schema, single) },
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

/** The part of a request that a resource may use. Every guard has passed it. */
export interface ResourceRequest<Filter = unknown> {
  readonly endpoint: EndpointDeclaration;
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

function endpointOf(request: FastifyRequest): EndpointDeclaration {
  const declaration = declarationOf(request);
  if (declaration?.kind !== 'resource') throw new Error('the route is not declared as a resource');
  return declaration;
}
