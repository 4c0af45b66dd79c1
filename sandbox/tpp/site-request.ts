import { fastifyCookie } from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../src/clock/clock.js';
import { sameSecret } from '../bank/bearer.js';
import { type Html, html } from '../web/html.js';
import { sendPage } from '../web/page.js';
import { layout } from './layout.js';
import type { Notice, Session, Sessions } from './sessions.js';

const cookie = 'moneyview';

export interface SiteSettings {
  /** The origin of the bank's pages, to which forms lead. */
  readonly bankOrigin: string;
  /** For how long the bank shows everything after an authentication. The bank's answers decide. */
  readonly windowMs: number;
  /** Whether the bank confirms funds. */
  readonly offersFunds: boolean;
  readonly clock: Clock;
  readonly sessions: Sessions;
}

/** The browsers of the site, by their cookies. */
export class SiteRequests {
  constructor(private readonly settings: SiteSettings) {}

  private get sessions(): Sessions {
    return this.settings.sessions;
  }

  /** Lets the server read and set cookies, and read forms. */
  register(server: FastifyInstance): void {
    void server.register(fastifyCookie);
    // Saved before the answer leaves, so that a connection that a page shows survives a restart.
    server.addHook('onSend', () => this.sessions.save());
    // The plugin's type allows only plain objects, but fields of a form may come several times.
    void server.register(formbody, { parser: (text) => new URLSearchParams(text) as never });
  }

  /** Declares a path for a form of the site's own pages. */
  post(
    server: FastifyInstance,
    path: string,
    answer: (site: SiteRequest, form: URLSearchParams) => Promise<FastifyReply>,
  ): void {
    server.post(path, (request, reply) => {
      const site = this.open(request, reply);
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      if (sameSecret(form.get('csrf') ?? '', site.session.csrf)) return answer(site, form);
      return site.page('That page has expired', html`<p>Go <a href="/">home</a> and try again.</p>`, 403);
    });
  }

  /** The request with its session; a browser without a session gets one. */
  open(request: FastifyRequest, reply: FastifyReply): SiteRequest {
    const present = this.sessions.find(request.cookies[cookie]);
    if (present !== undefined) return new SiteRequest(request, reply, present, this.settings);
    const session = this.sessions.open();
    void reply.setCookie(cookie, session.id, { path: '/', httpOnly: true, sameSite: 'lax' });
    return new SiteRequest(request, reply, session, this.settings);
  }
}

/** One request of a browser, its session, and the ways to answer it. */
export class SiteRequest {
  constructor(
    readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    readonly session: Session,
    private readonly settings: SiteSettings,
  ) {}

  page(title: string, content: Html, status = 200): FastifyReply {
    const { windowMs, offersFunds, bankOrigin, clock } = this.settings;
    const { session, request } = this;
    const document = layout({
      title,
      content,
      session,
      path: request.url,
      windowMs,
      offersFunds,
      nowMs: clock.nowMs(),
    });
    return sendPage(this.reply, document, status, [bankOrigin], { live: true });
  }

  notFound(): FastifyReply {
    return this.page('There is no such page', html`<p>Go <a href="/">home</a>.</p>`, 404);
  }

  /** Sends the browser to another address. */
  leaveFor(url: string): FastifyReply {
    return this.reply.redirect(url, 303);
  }

  /** Leads to a page that shows the notice. */
  goOn(notice: Notice, to = '/'): FastifyReply {
    this.session.notice = notice;
    return this.leaveFor(to);
  }
}
