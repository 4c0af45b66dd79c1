import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../../clock/clock.js';
import { asksForDetails, detailsOf } from '../journey/journey-places.js';
import { atDetails, beginJourney, journeyMs } from '../journey/journey.policy.js';
import { JourneyStore, type StoredJourney } from '../journey/journey.store.js';
import { provedBy } from '../journey/pending-posts.js';
import { readCredentials, SignInSteps, type Exchange, type SignInOutcome } from '../journey/sign-in-steps.js';
import { newBearer, readCookie, setCookie } from '../listeners/cookies.js';
import { seeOther, sendPage } from '../listeners/page-answer.js';
import { BankPages } from '../pages/bank-pages.js';
import { dashboardPath } from '../pages/customer-pages.js';
import type { DashboardSignInView } from '../pages/dashboard-views.js';
import { formFor } from './dashboard-places.js';
import { DashboardSessions } from './dashboard-sessions.js';

/** How customers sign in to the dashboard. */
@Injectable()
export class DashboardSignIn {
  constructor(
    private readonly steps: SignInSteps,
    private readonly journeys: JourneyStore,
    private readonly sessions: DashboardSessions,
    private readonly pages: BankPages,
    private readonly clock: BankClock,
  ) {}

  async show({ request, reply }: Exchange): Promise<void> {
    const { signInCookie } = this.sessions;
    const known = readCookie(request, signInCookie);
    const nowMs = this.clock.nowMs();
    const kept = known && (await this.journeys.find(known, nowMs));
    const over = kept && nowMs >= kept.journey.deadlineMs;
    const uid = known === undefined || over ? newBearer() : known;
    if (uid !== known) setCookie(reply, signInCookie, uid);
    const pages = this.pages.for(request).dashboard;
    const present = kept && !over ? kept.journey : undefined;
    const journey = present && asksForDetails(request) ? atDetails(present) : present;
    const message = journey?.message && { message: journey.message };
    if (journey?.step === 'code') {
      const sent = { sentTo: journey.challenge.sentTo, checkDetails: detailsOf(dashboardPath) };
      return sendPage(reply, 200, pages.oneTimeCode({ form: formFor('code', uid), ...sent, ...message }));
    }
    const typed = journey?.step === 'sign-in' && journey.loginName !== undefined && { loginName: journey.loginName };
    const view = { form: formFor('sign-in', uid), ...typed, ...(message ?? this.whyHere(request)) };
    sendPage(reply, 200, pages.signIn(view));
  }

  /** Nothing is written before a whole form comes: who merely looks, or makes a cookie and its token, leaves no row. */
  async identify(exchange: Exchange, step: 'signIn' | 'code'): Promise<void> {
    const { request, reply } = exchange;
    const uid = readCookie(request, this.sessions.signInCookie);
    const posted = this.sessions.readOwnForm(exchange, uid);
    if (posted === undefined || uid === undefined) return;
    // A customer who signs in, even in an old window, must not see the session of the one before.
    await this.sessions.end(exchange);
    const nowMs = this.clock.nowMs();
    const begun = await this.journeys.find(uid, nowMs);
    if (begun === undefined) {
      const bearer = await this.journeys.successor(uid, provedBy(posted));
      if (bearer !== undefined) return this.answer(exchange, { kind: 'go-on', bearer });
      if (step === 'code') return seeOther(reply, dashboardPath);
      if (readCredentials(posted) === undefined) return seeOther(reply, `${dashboardPath}?incomplete`);
      const begin = () => this.begin(uid, nowMs);
      return this.answer(exchange, await this.steps.begin(exchange, uid, posted, begin));
    }
    if (nowMs >= begun.journey.deadlineMs) return seeOther(reply, dashboardPath);
    await this.answer(exchange, await this.steps[step](exchange, begun, posted));
  }

  private async begin(uid: string, nowMs: number): Promise<StoredJourney | undefined> {
    await this.journeys.begin(uid, beginJourney(nowMs), nowMs, new Date(nowMs + journeyMs));
    return this.journeys.find(uid, nowMs);
  }

  private async answer({ reply }: Exchange, outcome: SignInOutcome): Promise<void> {
    if (outcome.kind === 'go-on' && outcome.bearer !== undefined)
      setCookie(reply, this.sessions.signInCookie, outcome.bearer);
    if (outcome.kind === 'blocked') return this.sessions.notice(reply, 429, { kind: 'blocked', resume: dashboardPath });
    if (outcome.kind === 'signed-in') {
      await this.sessions.begin(reply, outcome.customer);
      await this.journeys.end(outcome.kept.bearer);
    }
    seeOther(reply, dashboardPath);
  }

  private whyHere(request: FastifyRequest): Pick<DashboardSignInView, 'ended' | 'message'> {
    const query = request.query as Readonly<Record<string, unknown>>;
    if (query['incomplete'] !== undefined) return { message: 'incomplete' };
    if (query['signed-out'] !== undefined) return { ended: 'signed-out' };
    // Of a session that lasts no longer: signing out takes the cookie away.
    return this.sessions.bearerOf(request) === undefined ? {} : { ended: 'timed-out' };
  }
}
