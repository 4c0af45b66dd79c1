import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankClock } from '../../clock/clock.js';
import type { AuthenticatedCustomer } from '../../customer-authentication/customer-authentication.js';
import { asksForDetails, awaitedMark, detailsOf, waitingPlace } from '../journey/journey-places.js';
import { atDetails, beginJourney, journeyMs, signedIn, type Journey } from '../journey/journey.policy.js';
import { JourneyStore, type StoredJourney } from '../journey/journey.store.js';
import { PendingPosts } from '../journey/pending-posts.js';
import { readCredentials, SignInSteps, type Exchange, type SignInOutcome } from '../journey/sign-in-steps.js';
import { newBearer, readCookie, setCookie } from '../listeners/cookies.js';
import { seeOther, sendPage, sendWaitingPage } from '../listeners/page-answer.js';
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
    private readonly pending: PendingPosts,
    private readonly sessions: DashboardSessions,
    private readonly pages: BankPages,
    private readonly clock: BankClock,
  ) {}

  async show(exchange: Exchange): Promise<void> {
    const { request, reply } = exchange;
    const { signInCookie } = this.sessions;
    const known = readCookie(request, signInCookie);
    const nowMs = this.clock.nowMs();
    const kept = known === undefined ? undefined : await this.journeys.find(known, nowMs);
    const mark = awaitedMark(request);
    if (known !== undefined && kept === undefined && mark !== undefined) return this.handOver(reply, known, mark);
    if (kept !== undefined && mark !== undefined && this.pending.isTaken(kept, mark)) return this.waiting(reply, mark);
    const over = kept && nowMs >= kept.journey.deadlineMs;
    const journey = kept && !over ? kept.journey : undefined;
    if (known !== undefined && journey?.step === 'decide') return this.enter(reply, known, journey.customer);
    const uid = known === undefined || over ? newBearer() : known;
    if (uid !== known) setCookie(reply, signInCookie, uid);
    this.showStep(exchange, uid, journey && asksForDetails(request) ? atDetails(journey) : journey);
  }

  private showStep({ request, reply }: Exchange, uid: string, journey: Journey | undefined): void {
    const pages = this.pages.for(request).dashboard;
    const message = journey?.message && { message: journey.message };
    if (journey?.step === 'code') {
      const sent = { sentTo: journey.challenge.sentTo, checkDetails: detailsOf(dashboardPath) };
      return sendPage(reply, 200, pages.oneTimeCode({ form: formFor('code', uid), ...sent, ...message }));
    }
    const typed = journey?.step === 'sign-in' && journey.loginName !== undefined && { loginName: journey.loginName };
    const view = { form: formFor('sign-in', uid), ...typed, ...(message ?? this.whyHere(request)) };
    sendPage(reply, 200, pages.signIn(view));
  }

  /** Another post has replaced the cookie: only the browser that posted the same gets the present one. */
  private async handOver(reply: FastifyReply, former: string, mark: string): Promise<void> {
    const bearer = await this.journeys.successor(former, mark);
    if (bearer !== undefined) setCookie(reply, this.sessions.signInCookie, bearer);
    seeOther(reply, dashboardPath);
  }

  private waiting(reply: FastifyReply, mark: string): void {
    const resume = waitingPlace(dashboardPath, mark);
    const pages = this.pages.for(reply.request).dashboard;
    sendWaitingPage(reply, pages.notice({ kind: 'being-processed', resume }));
  }

  /** Begins the session only here, so that both answers to a double click lead to it. */
  private async enter(reply: FastifyReply, bearer: string, customer: AuthenticatedCustomer): Promise<void> {
    if (await this.journeys.end(bearer)) await this.sessions.begin(reply, customer);
    seeOther(reply, dashboardPath);
  }

  /** Writes nothing before a whole form is posted: a visit, or a made-up cookie with its token, leaves no row. */
  async identify(exchange: Exchange, step: 'signIn' | 'code'): Promise<void> {
    const { request, reply } = exchange;
    const uid = readCookie(request, this.sessions.signInCookie);
    const posted = this.sessions.readOwnForm(exchange, uid);
    if (posted === undefined || uid === undefined) return;
    // A customer who signs in, even in an old window, must not see the session of the previous customer.
    await this.sessions.end(exchange);
    const nowMs = this.clock.nowMs();
    const begun = await this.journeys.find(uid, nowMs);
    if (begun === undefined) {
      const mark = this.pending.markOf(posted);
      if ((await this.journeys.successor(uid, mark)) !== undefined)
        return this.answer(exchange, { kind: 'pending', mark });
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
    if (outcome.kind === 'blocked') return this.sessions.notice(reply, 429, { kind: 'blocked', resume: dashboardPath });
    if (outcome.kind === 'pending') return seeOther(reply, waitingPlace(dashboardPath, outcome.mark));
    const renewed =
      outcome.kind === 'go-on'
        ? outcome
        : await this.journeys.renew(outcome.kept, signedIn(outcome.kept.journey, outcome.customer), outcome.mark);
    if (renewed?.bearer !== undefined) setCookie(reply, this.sessions.signInCookie, renewed.bearer);
    seeOther(reply, dashboardPath);
  }

  private whyHere(request: FastifyRequest): Pick<DashboardSignInView, 'ended' | 'message'> {
    const query = request.query as Readonly<Record<string, unknown>>;
    if (query['incomplete'] !== undefined) return { message: 'incomplete' };
    if (query['signed-out'] !== undefined) return { ended: 'signed-out' };
    // A cookie without a session: the session timed out, for signing out removes the cookie.
    return this.sessions.bearerOf(request) === undefined ? {} : { ended: 'timed-out' };
  }
}
