import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import * as oidc from 'openid-client';
import type { Clock } from '../../src/clock/clock.js';
import { sameSecret } from '../bank/bearer.js';
import { type Html, html } from '../web/html.js';
import { sendPage } from '../web/page.js';
import { type Choice, permissionsOf } from './asked-for.js';
import { type BankClient, type Exchange, faultOfBank, listIn, textAt } from './bank.client.js';
import { layout } from './layout.js';
import { type Connection, type Notice, type Session, Sessions, type Trip } from './sessions.js';
import { style } from './style.js';
import {
  type Resource,
  accountName,
  accounts,
  isResource,
  resourceName,
  resourcePage,
  resourcesFor,
  welcome,
} from './views.js';
import { script } from './window-panel.js';

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
  /** For how long the bank shows everything after an authentication; what counts is what it answers. */
  readonly windowMs: number;
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
  const page = (
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    title: string,
    content: Html,
    status = 200,
  ): FastifyReply => {
    const { windowMs, bankOrigin } = options;
    const whole = layout({ title, content, session, path: request.url, windowMs, nowMs: clock.nowMs() });
    return sendPage(reply, whole, status, [bankOrigin]);
  };

  server.get('/', async (request, reply) => {
    const session = sessionOf(request, reply);
    const connection = await current(session);
    if (connection === undefined)
      return page(request, reply, session, 'See your bank accounts', welcome({ session, ...options }));
    const client = await bank();
    const read = await client.read('/accounts', connection.access);
    const ids = listIn(read.json, 'Account').map((account) => {
      const id = textAt(account, 'AccountId') ?? '';
      session.accountNames.set(id, accountName(account));
      return id;
    });
    const balances = await Promise.all(
      ids.map(
        async (id) => [id, await client.read(pathOf(id, 'balances', {}, clock.nowMs()), connection.access)] as const,
      ),
    );
    if ([read, ...balances.map(([, exchange]) => exchange)].some(isOver)) return over(session, reply);
    const into = resourcesFor(connection.permissions).includes('transactions') ? 'transactions' : 'balances';
    return page(request, reply, session, 'Your accounts', accounts(read, new Map(balances), into, session));
  });

  server.get<{ Params: { id: string; resource: string }; Querystring: Record<string, unknown> }>(
    '/accounts/:id/:resource',
    async (request, reply) => {
      const session = sessionOf(request, reply);
      const { id, resource } = request.params;
      if (!isResource(resource)) return notFound(request, reply);
      const connection = await current(session);
      if (connection === undefined) return reply.redirect('/', 303);
      const path = pathOf(id, resource, request.query, clock.nowMs());
      const exchange = await (await bank()).read(path, connection.access);
      if (isOver(exchange)) return over(session, reply);
      const title = session.accountNames.get(id) ?? resourceName(resource);
      const view = { accountId: id, resource, exchange, session, path: request.url };
      return page(request, reply, session, title, resourcePage(view));
    },
  );

  server.get('/callback', async (request, reply) => {
    const session = sessionOf(request, reply);
    const { trip } = session;
    if (trip === undefined) return back(session, reply, { words: 'Nothing was asked of the bank in this browser.' });
    // Of use once, whatever comes of it.
    delete session.trip;
    const { departure, permissions, returnTo } = trip;
    const again = session.connection?.access.consentId === departure.consentId;
    try {
      const access = await (await bank()).arrival(new URL(request.url, options.origin), departure, clock.nowMs());
      session.connection = { access, permissions };
      return await back(
        session,
        reply,
        { words: again ? 'You identified yourself again.' : 'You are connected.' },
        returnTo,
      );
    } catch (error) {
      const fault = faultOfBank(error);
      if (fault === undefined) throw error;
      const words = `${again ? 'Nothing has changed' : 'You were not connected'}: ${fault}.`;
      return back(session, reply, { words }, again ? returnTo : '/');
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
        return page(
          request,
          reply,
          session,
          'That page has expired',
          html`<p>Go <a href="/">home</a> and try again.</p>`,
          403,
        );
      await act(session, form, reply);
      return reply;
    });
  };

  posted('/connect', async (session, form, reply) => {
    const permissions = permissionsOf(form.getAll('see'), options.choices);
    const [days, history] = [Number(form.get('days')), Number(form.get('history'))];
    const inDays = (count: number): string => new Date(clock.nowMs() + count * dayMs).toISOString();
    const { consentId } = await (
      await bank()
    ).createConsent({
      permissions,
      ...(days > 0 && { expires: inDays(days) }),
      ...(history > 0 && { from: inDays(-history) }),
    });
    return depart(session, consentId, { permissions, returnTo: '/' }, reply);
  });
  posted('/reauthenticate', (session, form, reply) => {
    const { connection } = session;
    if (connection === undefined) return reply.redirect('/', 303);
    const { access, permissions } = connection;
    const asked = form.get('return') ?? '';
    const returnTo = /^\/accounts\/[\w%.~-]+\/[a-z-]+(\?|$)/.test(asked) ? asked : '/';
    return depart(session, access.consentId, { permissions, returnTo }, reply);
  });
  posted('/disconnect', async (session, _form, reply) => {
    const { connection } = session;
    if (connection === undefined) return reply.redirect('/', 303);
    const exchange = await (await bank()).deleteConsent(connection.access.consentId);
    const { status } = exchange.response;
    if (status !== 204 && status !== 400)
      return back(session, reply, { words: `The bank did not end the access: it answered ${status}. Try again.` });
    end(session);
    const words = 'You are disconnected: Moneyview sees nothing any more.';
    return back(session, reply, { words, exchanges: [exchange] });
  });

  server.get('/tpp.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  server.get('/tpp.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  // Whoever asks it waits for the bank to know us: nobody should find the page before it can do something.
  server.get('/health', async () => ({
    status: 'up',
    bank: await bank().then(
      () => 'knows us',
      (error: unknown) => reasonOf(error),
    ),
  }));

  server.setNotFoundHandler(notFound);
  server.setErrorHandler((error, request, reply) => {
    const content = html`<p>${reasonOf(error)}</p>
      <p><a href="/">Home</a></p>`;
    return page(request, reply, sessionOf(request, reply), 'That did not work', content, 502);
  });

  function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const content = html`<p>Go <a href="/">home</a>.</p>`;
    return page(request, reply, sessionOf(request, reply), 'There is no such page', content, 404);
  }

  async function depart(
    session: Session,
    consentId: string,
    trip: Omit<Trip, 'departure'>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { url, departure } = await (await bank()).departure(consentId);
    session.trip = { ...trip, departure };
    return reply.redirect(url.href, 303);
  }

  /** The connection with a token that is good for a while, or none. */
  async function current(session: Session): Promise<Connection | undefined> {
    const { connection } = session;
    if (connection === undefined || connection.access.expiresAtMs - renewBeforeMs > clock.nowMs()) return connection;
    try {
      session.connection = { ...connection, access: await (await bank()).refresh(connection.access, clock.nowMs()) };
    } catch (error) {
      if (!(error instanceof oidc.ResponseBodyError) || error.error !== 'invalid_grant') throw error;
      end(session);
      session.notice = ended;
    }
    return session.connection;
  }

  function over(session: Session, reply: FastifyReply): FastifyReply {
    end(session);
    return back(session, reply, ended);
  }

  return server;
}

const ended: Notice = {
  words: 'The access has ended: it was withdrawn at the bank, it ran out, or it was never given.',
};

function isOver({ response }: Exchange): boolean {
  return response.status === 401;
}

function end(session: Session): void {
  delete session.connection;
  session.accountNames.clear();
}

function back(session: Session, reply: FastifyReply, notice: Notice, to = '/'): FastifyReply {
  session.notice = notice;
  return reply.redirect(to, 303);
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
