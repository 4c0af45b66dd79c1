import type { FastifyError, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';

/** The answers of both listeners to a request that no route takes: without a body, for nobody reads one. */
function refuse(reply: FastifyReply, status: number, headers: Readonly<Record<string, string>> = {}): FastifyReply {
  return reply.code(status).headers(headers).send();
}

export function notFound(reply: FastifyReply): FastifyReply {
  return refuse(reply, 404);
}

/** RFC 9110, section 15.5.20. */
export function misdirected(reply: FastifyReply): FastifyReply {
  return refuse(reply, 421, { connection: 'close' });
}

export function notAllowed(allow: string): Pick<RouteOptions, 'handler'> {
  return { handler: (_request, reply) => refuse(reply, 405, { allow }) };
}

/** What a route did not answer itself. */
export function answerFault(onFault: (error: unknown) => void) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    if (hasGone(request, reply)) return;
    const { statusCode = 500 } = error;
    if (statusCode < 500) return void refuse(reply, statusCode, { connection: 'close' });
    onFault(error);
    refuse(reply, 500);
  };
}

/** Whether the connection ended before the request or its answer did: nobody is left to answer, and nothing is wrong with us. */
export function hasGone({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  if (!raw.destroyed || raw.complete) return false;
  reply.hijack();
  return true;
}
