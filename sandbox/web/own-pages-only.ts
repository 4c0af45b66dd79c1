import type { FastifyReply, FastifyRequest } from 'fastify';

/** The names of this machine for itself. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The reason to refuse the request, if any. The sandbox's pages need no password, and they show one-time codes or act as
 * the bank's staff. So they answer only under this machine's own names, because another site can point its name here, and
 * they accept changes only from their own pages.
 */
export function foreignPageFault(
  { method, headers }: Pick<FastifyRequest, 'method'> & { readonly headers: FastifyRequest['headers'] },
  port: number | undefined,
): string | undefined {
  const host = headers.host?.toLowerCase();
  if (host === undefined || !loopbackNames.some((name) => host === `${name}:${port}`))
    return `The sandbox shows this page at http://localhost:${port} only.`;
  if (method === 'GET' || method === 'HEAD') return undefined;
  return headers.origin === `http://${host}` ? undefined : 'The sandbox takes changes from its own pages only.';
}

/** A Fastify `onRequest` hook. */
export function refuseForeignPages(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const fault = foreignPageFault(request, request.socket.localPort);
  if (fault === undefined) return done();
  void reply.code(403).type('text/plain; charset=utf-8').send(`${fault}\n`);
}
