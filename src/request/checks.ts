import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CheckName } from '../open-banking/checks.js';
import type { RequestTrace } from './request-trace.js';

/** One check of docs/specification.md, section "The checks of a request", or a part of one. */
export interface RequestCheck<Request = FastifyRequest> {
  /** The access record of a request that it refuses names it. */
  readonly name: CheckName;
  /** Throws an `OpenBankingError` to refuse. */
  check(request: Request, reply: FastifyReply): void | Promise<void>;
}

/** A request whose route is known, with path and query as Fastify reads them. */
export type RoutedRequest = FastifyRequest<{
  Params: { readonly AccountId?: string; readonly ConsentId?: string };
  Querystring: Readonly<Record<string, unknown>>;
}>;

/** Runs the checks in their order. The first that throws ends them, and stays the check of the request's context. */
export async function runChecks<Request extends Pick<FastifyRequest, 'context'>>(
  checks: readonly RequestCheck<Request>[],
  request: Request,
  reply: FastifyReply,
): Promise<void> {
  const { context } = request;
  for (const check of checks) {
    context.check = check.name;
    const { trace } = context;
    const pending = trace === undefined ? check.check(request, reply) : traced(trace, check, request, reply);
    // Most checks wait for nothing, and a turn of the event loop's queue for each would cost more than they do.
    if (pending !== undefined) await pending;
  }
  context.check = undefined;
}

async function traced<Request>(
  trace: RequestTrace,
  check: RequestCheck<Request>,
  request: Request,
  reply: FastifyReply,
): Promise<void> {
  const span = trace.check(check.name);
  let refused = true;
  try {
    await check.check(request, reply);
    refused = false;
  } finally {
    span.end(refused);
  }
}

/** Has Nest run the checks of a routed request, once its body was read. */
export class ChecksGuard implements CanActivate {
  constructor(private readonly checks: readonly RequestCheck<RoutedRequest>[]) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    await runChecks(this.checks, http.getRequest<RoutedRequest>(), http.getResponse<FastifyReply>());
    return true;
  }
}
