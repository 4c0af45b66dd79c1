import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import * as oidc from 'openid-client';
import type { Clock } from '../../src/clock/clock.js';
import { sameSecret } from '../bank/bearer.js';
import { type Html, html } from '../web/html.js';
import { sendPage } from '../web/page.js';
import { type Choice, permissionsOf } from './asked-for.js';
import { type Access, type BankClient, faultOfBank } from './bank.client.js';
import { layout, script, style } from './layout.js';
import { type Session, Sessions } from './sessions.js';
import { type Resource, accounts, resourcePage, resources, welcome } from './views.js';

const dayMs = 86_400_000;
/** A little less than the 90 days that may be read without a fresh authentication: the bank's clock decides. */
const recentDays = 89;
const cookie = 'moneyview';
/** Renewed when so little of a token's life is left. */
const renewBeforeMs = 30_000;

export interface TppOptions {
  /** The origin under which browsers reach this server. */
  readonly origin: string;
  /** Opened at first use, and again after a failure: the bank may start later than we do. */
  readonly openBank: () => Promise<BankClient>;
  /** The origin of the bank's pages, to which forms lead. */
  readonly bankOrigin: string;
  readonly choices: readonly Choice[];
  readonly inboxUrl: string;
  readonly clock: Clock;
}

/** The web site of the sandbox's TPP. */
export function createTppServer(options: TppOptions): FastifyInstance {
  const { clock } = options;
  const sessions = new Sessions();
  const server = fastify({ forceCloseConnections: true, bodyLimit: 16 * 1024 });
  let opened: Promise<BankClient> | undefined;
  const bank = (): Promise<BankClient> => {
    opened ??= options.openBank().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  server.addHook('onClose', async () => (await opened?.catch(() => undefined))?.close());
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );

  const sessionOf = (request: FastifyRequest, reply: FastifyReply): Session => {
    const id = new RegExp(`(?:^|;\\s*)${cookie}=([\\w-]{43})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
    const known = sessions.find(id);
    if (known !== undefined) return known;
    const fresh = sessions.open();
    reply.header('set-cookie', `${cookie}=${fresh.id}; Path=/; HttpOnly; SameSite=Lax`);
    return fresh;
  };
  const page = (reply: FastifyReply, session: Session, title: string, content: Html, status = 200): FastifyReply =>
    sendPage(reply, layout(title, session, content, clock.nowMs()), status, [options.bankOrigin]);

  server.get('/', async (request, reply) => {
    const session = sessionOf(request, reply);
    const access = await current(session);
    if (access === undefined) return page(reply, session, 'See your bank accounts', welcome({ session, ...options }));
    const exchange = await (await bank()).read('/accounts', access);
    if (exchange.response.status === 401) return over(session, reply);
    return page(reply, session, 'Your accounts', accounts(exchange));
  });

  server.get<{ Params: { id: string; resource: string }; Querystring: Record<string, unknown> }>(
    '/accounts/:id/:resource',
    async (request, reply) => {
      const session = sessionOf(request, reply);
      const access = await current(session);
      const known = resources.find(([name]) => name === request.params.resource);
      if (known === undefined)
        return page(reply, session, 'There is no such page', html`<p>Go <a href="/">home</a>.</p>`, 404);
      if (access === undefined) return reply.redirect('/', 303);
      const [resource, words] = known;
      const exchange = await (
        await bank()
      ).read(pathOf(request.params.id, resource, request.query, clock.nowMs()), access);
      if (exchange.response.status === 401) return over(session, reply);
      return page(reply, session, words, resourcePage(request.params.id, resource, exchange, session));
    },
  );

  server.get('/callback', async (request, reply) => {
    const session = sessionOf(request, reply);
    const { departure } = session;
    if (departure === undefined) return back(session, reply, 'Nothing was asked of the bank in this browser.');
    // Of use once, whatever comes of it.
    delete session.departure;
    try {
      const arrived = new URL(request.url, options.origin);
      session.access = await (await bank()).arrival(arrived, departure, clock.nowMs());
      return await back(session, reply, 'You are connected.');
    } catch (error) {
      const fault = faultOfBank(error);
      if (fault === undefined) throw error;
      return back(session, reply, `You were not connected: ${fault}.`);
    }
  });

  const posted = (
    path: string,
    act: (session: Session, form: URLSearchParams, reply: FastifyReply) => unknown,
  ): void => {
    server.post<{ Body: unknown }>(path, async (request, reply) => {
      const session = sessionOf(request, reply);
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      if (!sameSecret(form.get('csrf') ?? '', session.csrf))
        return page(reply, session, 'That page has expired', html`<p>Go <a href="/">home</a> and try again.</p>`, 403);
      await act(session, form, reply);
      return reply;
    });
  };

  posted('/connect', async (session, form, reply) => {
    const days = Number(form.get('days'));
    const { consentId } = await (
      await bank()
    ).createConsent({
      permissions: permissionsOf(form.getAll('see'), options.choices),
      ...(days > 0 && { expires: new Date(clock.nowMs() + days * dayMs).toISOString() }),
    });
    return depart(session, consentId, reply);
  });
  posted('/reauthenticate', (session, _form, reply) =>
    session.access === undefined ? reply.redirect('/', 303) : depart(session, session.access.consentId, reply),
  );
  posted('/disconnect', async (session, _form, reply) => {
    const { access } = session;
    if (access === undefined) return reply.redirect('/', 303);
    const { response } = await (await bank()).deleteConsent(access.consentId);
    if (response.status !== 204 && response.status !== 400)
      return back(session, reply, `The bank did not end the access: it answered ${response.status}. Try again.`);
    delete session.access;
    return back(session, reply, 'You are disconnected: Moneyview sees nothing any more.');
  });

  server.get('/tpp.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  server.get('/tpp.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  server.get('/health', () => ({ status: 'up' }));

  server.setErrorHandler((error, request, reply) => {
    const session = sessionOf(request, reply);
    return page(
      reply,
      session,
      'That did not work',
      html`<p>${reasonOf(error)}</p>
        <p><a href="/">Home</a></p>`,
      502,
    );
  });

  async function depart(session: Session, consentId: string, reply: FastifyReply): Promise<FastifyReply> {
    const { url, departure } = await (await bank()).departure(consentId);
    session.departure = departure;
    return reply.redirect(url.href, 303);
  }

  /** The access with a token that is good for a while, or none. */
  async function current(session: Session): Promise<Access | undefined> {
    const { access } = session;
    if (access === undefined || access.expiresAtMs - renewBeforeMs > clock.nowMs()) return access;
    try {
      session.access = await (await bank()).refresh(access, clock.nowMs());
    } catch (error) {
      if (!(error instanceof oidc.ResponseBodyError) || error.error !== 'invalid_grant') throw error;
      delete session.access;
      session.notice = ended;
    }
    return session.access;
  }

  function over(session: Session, reply: FastifyReply): FastifyReply {
    delete session.access;
    return back(session, reply, ended);
  }

  return server;
}

const ended = 'The access has ended: it was withdrawn at the bank, it ran out, or it was never given.';

function back(session: Session, reply: FastifyReply, notice: string): FastifyReply {
  session.notice = notice;
  return reply.redirect('/', 303);
}

/** The API's path. The query of a link to another page of an answer is passed on as it is. */
function pathOf(accountId: string, resource: Resource, given: Record<string, unknown>, nowMs: number): string {
  const query = new URLSearchParams();
  if (resource === 'transactions')
    query.set('fromBookingDateTime', new Date(nowMs - recentDays * dayMs).toISOString().slice(0, 10));
  for (const name of ['fromBookingDateTime', 'page']) {
    const value = given[name];
    if (typeof value === 'string') query.set(name, value);
  }
  const name = resource === 'all-transactions' ? 'transactions' : resource;
  return `/accounts/${encodeURIComponent(accountId)}/${name}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** What may be told of a fault. */
function reasonOf(error: unknown): string {
  const fault = faultOfBank(error) ?? 'something in this sandbox is broken';
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`;
}
