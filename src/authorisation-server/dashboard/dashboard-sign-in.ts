import { Injectable } from '@nestjs/common';
import { BankClock } from '../../clock/clock.js';
import { BankSignOn } from '../sign-in/bank-sign-on.js';
import { asksForDetails, leavingAddress } from '../sign-in/journey-addresses.js';
import { JourneyStore, type StoredJourney } from '../sign-in/journey.store.js';
import { beginJourney, withMessage } from '../sign-in/states.js';
import { signInPage } from '../sign-in/page.js';
import { atDashboard, type Exchange, type SignInExchange } from '../sign-in/exchange.js';
import { SignIn, type Outcome, type SignInStep } from '../sign-in/service.js';
import { newBearer, readCookie, setCookie } from '../listeners/cookies.js';
import { refreshAfter, seeOther, sendPage } from '../listeners/page-answer.js';
import { PagesByLanguage } from '../pages/pages.js';
import { dashboardPath } from '../pages/customer-pages.js';
import type { SignInStepView } from '../pages/customer-pages.js';
import { DashboardSessions } from './dashboard-sessions.js';

/** How customers sign in to the dashboard. Nothing is stored before a whole form is posted: a visit leaves no row. */
@Injectable()
export class DashboardSignIn {
  constructor(
    private readonly signIn: SignIn,
    private readonly bank: BankSignOn,
    private readonly journeys: JourneyStore,
    private readonly sessions: DashboardSessions,
    private readonly pages: PagesByLanguage,
    private readonly clock: BankClock,
  ) {}

  async show(exchange: Exchange): Promise<void> {
    const { request, reply } = exchange;
    const bearer = readCookie(request, this.sessions.signInCookie) ?? newBearer();
    const stored = await this.find(bearer);
    const { journey } = stored;
    // The fault of a form after which nothing was stored is in the address.
    if (stored.version === 0 && hasQuery(request, 'incomplete'))
      return this.showStep(exchange, { ...stored, journey: withMessage(journey, 'incomplete') });
    if (journey.step === 'decide') {
      if (await this.journeys.end(bearer)) await this.sessions.begin(reply, journey.customer);
      return seeOther(reply, dashboardPath);
    }
    if (journey.step !== 'wait' || asksForDetails(request)) return this.showStep(exchange, stored);
    const outcome = await this.signIn.poll(signInOf(exchange), stored);
    return outcome.answer === 'stay' ? this.showStep(exchange, outcome.stored) : this.answer(exchange, stored, outcome);
  }

  async post(exchange: Exchange, step: SignInStep): Promise<void> {
    const { request, reply } = exchange;
    const bearer = readCookie(request, this.sessions.signInCookie);
    const form = this.sessions.readForm(exchange, bearer);
    if (form === undefined || bearer === undefined) return;
    // A customer who signs in, even in an old window, must not see the session of the previous customer.
    await this.sessions.end(exchange);
    const stored = await this.find(bearer);
    // The sign-in has ended.
    if (stored.version === 0 && form.version > 0) return seeOther(reply, dashboardPath);
    const outcome =
      form.version === stored.version
        ? await this.signIn.post(signInOf(exchange), stored, step, form.posted)
        : ({ answer: 'elsewhere', stored } as const);
    this.answer(exchange, stored, outcome);
  }

  /** The browser came back from the bank's own sign-on. */
  async returned(exchange: Exchange): Promise<void> {
    const bearer = readCookie(exchange.request, this.sessions.signInCookie);
    if (bearer === undefined) return seeOther(exchange.reply, dashboardPath);
    const stored = await this.find(bearer);
    this.answer(exchange, stored, await this.signIn.returned(signInOf(exchange), stored));
  }

  private async find(bearer: string): Promise<StoredJourney> {
    const nowMs = this.clock.nowMs();
    const stored = await this.journeys.find(bearer, nowMs);
    return stored ?? { bearer, journey: beginJourney(nowMs), version: 0, sealed: '' };
  }

  private showStep({ request, reply }: Exchange, stored: StoredJourney): void {
    const pages = this.pages.for(request);
    const { asksCredentials } = this.bank;
    const more = this.whyHere(request, stored);
    const page = signInPage({ request, address: dashboardPath, pages, more, asksCredentials }, stored);
    if (page === undefined) return seeOther(reply, dashboardPath);
    if (stored.bearer !== readCookie(request, this.sessions.signInCookie))
      setCookie(reply, this.sessions.signInCookie, stored.bearer);
    if (page.refresh !== undefined) refreshAfter(reply, page.refresh.seconds, page.refresh.address);
    sendPage(reply, 200, page.document);
  }

  private whyHere(request: Exchange['request'], stored: StoredJourney): Pick<SignInStepView, 'ended'> {
    if (stored.version > 0 || stored.journey.message !== undefined) return {};
    if (hasQuery(request, 'signed-out')) return { ended: 'signed-out' };
    // A cookie without a session: the session timed out, for signing out removes the cookie.
    return this.sessions.bearerOf(request) === undefined ? {} : { ended: 'timed-out' };
  }

  private answer({ reply }: Exchange, before: StoredJourney, outcome: Outcome): void {
    const { stored } = outcome;
    const { signInCookie } = this.sessions;
    switch (outcome.answer) {
      case 'page':
      case 'stay':
      case 'another-customer':
        if (stored.bearer !== before.bearer) setCookie(reply, signInCookie, stored.bearer);
        return seeOther(
          reply,
          stored.journey.message && stored.version === 0 ? `${dashboardPath}?incomplete` : dashboardPath,
        );
      case 'leave':
        return seeOther(reply, leavingAddress(dashboardPath));
      case 'elsewhere':
        // The value of the cookie is used up, and nothing is stored under it: the customer can begin again.
        if (stored.version === 0) setCookie(reply, signInCookie);
        return this.sessions.notice(reply, 409, { kind: 'elsewhere', resume: dashboardPath });
      case 'blocked':
        return this.sessions.notice(reply, 429, { kind: 'blocked', resume: dashboardPath });
      case 'out-of-date':
        return this.sessions.notice(reply, 400, { kind: 'form-expired', resume: dashboardPath });
      case 'locked':
      case 'must-change-password':
        return this.sessions.notice(reply, 403, { kind: outcome.answer, resume: outcome.page });
    }
  }
}

function hasQuery({ query }: Exchange['request'], name: string): boolean {
  return (query as Readonly<Record<string, unknown>>)[name] !== undefined;
}

/** No consent is concerned. */
function signInOf(exchange: Exchange): SignInExchange {
  return { ...exchange, wish: { at: atDashboard, purpose: 'dashboard' }, subject: {} };
}
