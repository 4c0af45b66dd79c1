import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Grant, GrantedAccount } from '../request/request-context.js';
import type { EndpointForm } from './endpoint-form.js';
import type { EndpointRule } from './endpoint-rule.js';

/** The part of a request that a resource may use. It has passed every check but the core's. */
export interface ResourceRequest<Rule extends EndpointRule = EndpointRule> {
  /** That of the version to which the request came. */
  readonly form: EndpointForm<Rule['read']>;
  readonly grant: Grant;
  readonly account: GrantedAccount;
  /** As the rule's query reader gave it. */
  readonly filter: ReturnType<NonNullable<Rule['query']>['read']>;
  readonly request: FastifyRequest;
}

/** The account that the checks granted. */
export const ConsentedAccount = createParamDecorator((_: unknown, host: ExecutionContext) => {
  const request = host.switchToHttp().getRequest<FastifyRequest>();
  const { context } = request;
  return {
    form: formOf(request),
    grant: context.granted(),
    account: context.grantedAccount(),
    filter: context.filter,
    request,
  };
});

/** The grant, for the one endpoint that is about all its accounts. */
export const ConsentedAccounts = createParamDecorator((_: unknown, host: ExecutionContext) => {
  const request = host.switchToHttp().getRequest<FastifyRequest>();
  const { context } = request;
  return { form: formOf(request), grant: context.granted(), filter: context.filter, request };
});

function formOf(request: FastifyRequest): EndpointForm {
  const { declaration } = request;
  if (declaration?.kind !== 'resource') throw new Error('the route is not declared as a resource');
  return declaration.form;
}
