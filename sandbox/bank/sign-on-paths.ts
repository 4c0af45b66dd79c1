import type { FastifyInstance } from 'fastify';
import { bearerOnly, member } from './bearer.js';
import type { SignOn } from './sign-on.js';

/** For a customer who answers at once, and looks at the page then. */
const secondsBetweenProofs = 2;
/** No person types a longer text. */
const longest = 200;

/**
 * The bank's customer authentication, registered below `/sign-on`, for a caller that signs customers on in the bank's name:
 *
 * - `POST /tickets` with `user` and `pass`: always 201 with `ticket` and `via`, where the code can be read; or, where the
 *   app asks the customer, with `ticket`, `shown` (the number that the app shows) and `poll` (seconds between two proofs).
 * - `POST /proofs` with `ticket` and `code`, or without `code` for the app: 200 with `client` and `name`; 202 while the customer
 *   has not answered the app, with the members of the ticket; 403 `NOT_PROVEN` for every other fault, and the code can be
 *   corrected twice; 403 `EXPIRED` once the time is over; 403 `DECLINED` when the customer refused in the app; or 403 `LOCKED`
 *   with `page`, the bank's page for a customer who is locked out.
 * - `POST /codes` with `ticket`: 201 with another `ticket`, for another code, and `via`; or 403 `EXPIRED`.
 */
export function signOnPaths(signOn: SignOn, credential: string, bankUrl: () => string) {
  const via = () => `the sandbox inbox, ${bankUrl()}/inbox`;
  const stepOf = (ticket: string) => {
    const shown = signOn.shownFor(ticket);
    return shown === undefined ? { ticket, via: via() } : { ticket, shown, poll: secondsBetweenProofs };
  };
  return (paths: FastifyInstance, _: object, done: () => void): void => {
    paths.addHook('onRequest', bearerOnly(credential, 'sign-on'));
    paths.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
    paths.setNotFoundHandler((_request, reply) => void reply.code(404).send({ fail: 'NO_PATH' }));

    paths.post<{ Body: unknown }>('/tickets', ({ body }, reply) => {
      const [user, pass] = [typed(body, 'user'), typed(body, 'pass')];
      if (user === undefined || pass === undefined) return reply.code(400).send({ fail: 'BAD_BODY' });
      return reply.code(201).send(stepOf(signOn.begin(user, pass)));
    });

    paths.post<{ Body: unknown }>('/proofs', (request, reply) => {
      const [ticket, code] = [typed(request.body, 'ticket'), typed(request.body, 'code')];
      if (ticket === undefined) return reply.code(400).send({ fail: 'BAD_BODY' });
      const person = code === undefined ? signOn.askApp(ticket) : signOn.prove(ticket, code);
      if (person === 'waiting') return reply.code(202).send(stepOf(ticket));
      if (person === 'declined') return reply.code(403).send({ fail: 'DECLINED' });
      if (person === 'locked') return reply.code(403).send({ fail: 'LOCKED', page: `${bankUrl()}/app/locked` });
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
