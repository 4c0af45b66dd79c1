import type { FastifyRequest } from 'fastify';
import { declarationOf } from '../endpoint/route-declaration.js';
import type { TracedRequest } from '../observability/tracing.js';

/** The route as its pattern, for a span: a path or a query may hold a customer's data. */
export function tracedRequest(request: FastifyRequest): TracedRequest {
  const route = request.is404 ? undefined : request.routeOptions.url;
  return {
    method: request.method,
    route: route?.replace(/:(\w+)/g, '{$1}'),
    basePath: declarationOf(request)?.version?.basePath ?? '',
    traceparent: request.headers['traceparent'],
  };
}
