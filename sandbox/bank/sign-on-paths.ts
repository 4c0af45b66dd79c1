import type { FastifyInstance } from 'fastify';
import { bearerOnly, member } from './bearer.js';
import type { AskedAccess, SignOn } from './sign-on.js';

/** For a customer who answers at once, and looks at the page then. */
const secondsBetweenProofs = 2;
/** No person types a longer text. */
const longest = 200;

/**
 * The bank's customer authentication, registered below `/sign-on`, for a caller that signs customers on in the bank's name:
 *
 * - `POST /tickets` with `user`, `pass` and `asked`, the TPP's request for the app to show: always 201 with `ticket` and `via`, where the code can be read; or, where the
 *   app asks the customer, with `ticket`, `shown` (the number that the app shows) and `poll` (seconds between two proofs).
 * - `POST /proofs` with `ticket` and `code`, or without `code` for the app: 200 with `client`, `name`, `at` (the time of the
 *   authentication) and, for a client of several cores, `refs` (the reference at each core where it is another); 202 while the customer
 *   has not answered the app, with the members of the ticket; 403 `NOT_PROVEN` for every other fault, and the code can be
 *   corrected twice; 403 `EXPIRED` once the time has ended; 403 `DECLINED` when the customer refused in the app; or 403 `LOCKED`
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
      return reply.code(201).send(stepOf(signOn.begin(user, pass, askedIn(body))));
    });

    paths.post<{ Body: unknown }>('/proofs', (request, reply) => {
      const [ticket, code] = [typed(request.body, 'ticket'), typed(request.body, 'code')];
      if (ticket === undefined) return reply.code(400).send({ fail: 'BAD_BODY' });
      const proven = code === undefined ? signOn.askApp(ticket) : signOn.prove(ticket, code);
      if (proven === 'waiting') return reply.code(202).send(stepOf(ticket));
      if (proven === 'declined') return reply.code(403).send({ fail: 'DECLINED' });
      if (proven === 'locked') return reply.code(403).send({ fail: 'LOCKED', page: `${bankUrl()}/app/locked` });
      if (proven === 'wrong') return reply.code(403).send({ fail: 'NOT_PROVEN' });
      if (proven === 'expired') return reply.code(403).send({ fail: 'EXPIRED' });
      const { persona, atMs } = proven;
      const { key: client, name } = persona.person;
      const { refs } = persona;
      return { client, name, at: new Date(atMs).toISOString(), ...(refs && { refs }) };
    });

    paths.post<{ Body: unknown }>('/codes', ({ body }, reply) => {
      const ticket = signOn.sendAgain(typed(body, 'ticket') ?? '');
      if (ticket === undefined) return reply.code(403).send({ fail: 'EXPIRED' });
      return reply.code(201).send({ ticket, via: via() });
    });
    done();
  };
}

/** Absent where no TPP asks. */
function askedIn(body: unknown): AskedAccess | undefined {
  const asked = member(body, 'asked');
  const [tpp, data] = [typed(asked, 'tpp'), member(asked, 'data')];
  return tpp !== undefined && Array.isArray(data) ? { tpp, data: data.map(String) } : undefined;
}

function typed(body: unknown, name: string): string | undefined {
  const value = member(body, name);
  return typeof value === 'string' && value.length <= longest ? value : undefined;
}
