import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankClock } from '../../clock/clock.js';
import type { AuthenticatedCustomer } from '../../../packages/customer-authentication/customer-authentication.js';
import type { Exchange } from '../sign-in/exchange.js';
import { hostCookie, newBearer, readCookie, setCookie, type Cookie } from '../listeners/cookies.js';
import { sendPage } from '../listeners/page-answer.js';
import { postedForm } from '../listeners/posted-form.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { dashboardPath, fields, type NoticeView } from '../pages/customer-pages.js';
import { PagesByLanguage } from '../pages/pages.js';
import { readFormToken } from '../sealing.js';
import { DashboardSessionStore } from './dashboard-session.store.js';

/** The request and reply of a customer who is signed in at the dashboard. */
export interface SignedInExchange extends Exchange {
  readonly bearer: string;
  readonly customer: AuthenticatedCustomer;
}

interface ReadForm {
  readonly posted: URLSearchParams;
  readonly version: number;
}

/** Which customer a browser is signed in for at the dashboard. */
@Injectable()
export class DashboardSessions {
  readonly cookie: Cookie;
  /** Differs from the session's cookie and is replaced after each factor: a value that was planted before opens nothing. */
  readonly signInCookie: Cookie;

  constructor(
    private readonly sessions: DashboardSessionStore,
    private readonly clock: BankClock,
    private readonly pages: PagesByLanguage,
    settings: AuthorisationSettings,
  ) {
    this.cookie = hostCookie('dashboard_session', settings.secure);
    this.signInCookie = hostCookie('dashboard_sign_in', settings.secure);
  }

  bearerOf(request: FastifyRequest): string | undefined {
    return readCookie(request, this.cookie);
  }

  /** `undefined` where the browser has no session. */
  async signedIn(exchange: Exchange): Promise<SignedInExchange | undefined> {
    const bearer = this.bearerOf(exchange.request);
    const customer = bearer && (await this.sessions.use(bearer, this.clock.nowMs()));
    if (!bearer || !customer) return undefined;
    exchange.request.context.isProven = true;
    return { ...exchange, bearer, customer };
  }

  async begin(reply: FastifyReply, customer: AuthenticatedCustomer): Promise<void> {
    const bearer = newBearer();
    await this.sessions.begin(bearer, customer, this.clock.nowMs());
    setCookie(reply, this.cookie, bearer);
    setCookie(reply, this.signInCookie);
  }

  async end({ request, reply }: Exchange): Promise<void> {
    const bearer = this.bearerOf(request);
    if (bearer === undefined) return;
    await this.sessions.end(bearer);
    setCookie(reply, this.cookie);
  }

  /** The posted form, and the version that it names. Refuses a form that does not come from a page for this browser. */
  readForm({ request, reply }: Exchange, bearer: string | undefined): ReadForm | undefined {
    const posted = postedForm(request);
    const version = bearer === undefined ? undefined : readFormToken(posted?.get(fields.csrf), bearer);
    if (posted !== undefined && version !== undefined) return { posted, version };
    this.notice(reply, 403, { kind: 'form-expired', resume: dashboardPath });
    return undefined;
  }

  notice(reply: FastifyReply, status: number, view: NoticeView): void {
    sendPage(reply, status, this.pages.for(reply.request).notice(view));
  }
}
