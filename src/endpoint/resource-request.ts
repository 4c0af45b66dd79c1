import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { EndpointForm } from './endpoint-form.js';
import type { EndpointRule } from './endpoint-rule.js';
import { declarationOf, granted, type Grant, type GrantedAccount } from './request-context.js';

/** The part of a request that a resource may use. Every guard has passed it. */
export interface ResourceRequest<Rule extends EndpointRule = EndpointRule> {
  /** That of the version to which the request came. */
  readonly form: EndpointForm<Rule['read']>;
  readonly grant: Grant;
  readonly account: GrantedAccount;
  /** As the rule's query reader gave it. */
  readonly filter: ReturnType<NonNullable<Rule['query']>['read']>;
  readonly request: FastifyRequest;
}

/** The account that the guards granted. */
export const ConsentedAccount = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { account, filter } = request;
  if (account === undefined) throw new Error('the request has passed no account check');
  return { form: formOf(request), grant: granted(request), account, filter, request };
});

/** The grant, for the one endpoint that is about all its accounts. */
export const ConsentedAccounts = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { form: formOf(request), grant: granted(request), filter: request.filter, request };
});

function formOf(request: FastifyRequest): EndpointForm {
  const declaration = declarationOf(request);
  if (declaration?.kind !== 'resource') throw new Error('the route is not declared as a resource');
  return declaration.form;
}
