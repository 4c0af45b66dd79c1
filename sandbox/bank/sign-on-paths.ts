import type { FastifyInstance } from 'fastify';
import { bearerOnly, member } from './bearer.js';
import type { SignOn } from './sign-on.js';

/** No person types a longer text. */
const longest = 200;

/**
 * The bank's customer authentication, registered below `/sign-on`, for a caller that signs customers on in the bank's name:
 *
 * - `POST /tickets` with `user` and `pass`: always 201 with `ticket` and `via`, where the code can be read.
 * - `POST /proofs` with `ticket` and `code`: 200 with `client` and `name`; 403 `NOT_PROVEN` for every other fault, and the code
 *   can be corrected twice; or 403 `EXPIRED` once the code's time is over.
 * - `POST /codes` with `ticket`: 201 with another `ticket`, for another code, and `via`; or 403 `EXPIRED`.
 */
export function signOnPaths(signOn: SignOn, credential: string, inboxUrl: () => string) {
  const via = () => `the sandbox inbox, ${inboxUrl()}`;
  return (paths: FastifyInstance, _: object, done: () => void): void => {
    paths.addHook('onRequest', bearerOnly(credential, 'sign-on'));
    paths.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
    paths.setNotFoundHandler((_request, reply) => void reply.code(404).send({ fail: 'NO_PATH' }));

    paths.post<{ Body: unknown }>('/tickets', ({ body }, reply) => {
      const [user, pass] = [typed(body, 'user'), typed(body, 'pass')];
      if (user === undefined || pass === undefined) return reply.code(400).send({ fail: 'BAD_BODY' });
      return reply.code(201).send({ ticket: signOn.begin(user, pass), via: via() });
    });

    paths.post<{ Body: unknown }>('/proofs', (request, reply) => {
      const [ticket, code] = [typed(request.body, 'ticket'), typed(request.body, 'code')];
      if (ticket === undefined || code === undefined) return reply.code(400).send({ fail: 'BAD_BODY' });
      const person = signOn.prove(ticket, code);
      if (person === 'wrong') return reply.code(403).send({ fail: 'NOT_PROVEN' });
      if (person === 'expired') return reply.code(403).send({ fail: 'EXPIRED' });
      return { client: person.key, name: person.name };
    });

    paths.post<{ Body: unknown }>('/codes', ({ body }, reply) => {
      const ticket = signOn.sendAgain(typed(body, 'ticket') ?? '');
      if (ticket === undefined) return reply.code(403).send({ fail: 'EXPIRED' });
      return reply.code(201).send({ ticket, via: via() });
    });
    done();
  };
}

function typed(body: unknown, name: string): string | undefined {
  const value = member(body, name);
  return typeof value === 'string' && value.length <= longest ? value : undefined;
}
