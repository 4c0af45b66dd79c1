import type { FastifyReply, FastifyRequest } from 'fastify';

/** The names of this machine for itself. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why the request must be refused. The console can do everything that the bank's staff can, and asks for no password. So it
 * takes requests by this machine's own names only (a page of another site could have its own name lead here), and
 * changes only from its own pages.
 */
export function foreignPageFault(
  { method, headers }: Pick<FastifyRequest, 'method'> & { readonly headers: FastifyRequest['headers'] },
  port: number,
): string | undefined {
  const host = headers.host?.toLowerCase();
  if (host === undefined || !loopbackNames.some((name) => host === `${name}:${port}`))
    return `The console answers at http://localhost:${port} only.`;
  if (method === 'GET' || method === 'HEAD') return undefined;
  return headers.origin === `http://${host}` ? undefined : 'The console takes changes from its own page only.';
}

/** A Fastify `onRequest` hook. */
export function refuseForeignPages(port: () => number) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const fault = foreignPageFault(request, port());
    if (fault === undefined) return done();
    void reply.code(403).type('text/plain; charset=utf-8').send(`${fault}\n`);
  };
}
