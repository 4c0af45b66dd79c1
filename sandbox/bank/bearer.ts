import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A Fastify `onRequest` hook that admits only callers with the credential. The refusal names it by `name`. */
export function bearerOnly(credential: string, name: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (sameSecret(request.headers.authorization ?? '', `Bearer ${credential}`)) return;
    await reply
      .code(401)
      .header('www-authenticate', 'Bearer')
      .send({ error: `the ${name} credential is missing or wrong` });
  };
}

/** In constant time, whatever the lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** A member of a body that may be anything. */
export function member(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}
