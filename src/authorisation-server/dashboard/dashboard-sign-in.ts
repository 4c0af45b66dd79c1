import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { BankClock } from '../../clock/clock.js';
import type { AuthenticatedCustomer } from '../../../packages/customer-authentication/customer-authentication.js';
import { awaitedMark, leavingPlace, returnOf, waitingPlace } from '../journey/journey-places.js';
import { beginJourney, journeyMs } from '../journey/journey.policy.js';
import { JourneyTrail } from '../journey/journey-trail.js';
import { JourneyStore, type StoredJourney } from '../journey/journey.store.js';
import { PendingPosts } from '../journey/pending-posts.js';
import { SignInAnswers } from '../journey/sign-in-answers.js';
import { atDashboard, type Exchange, type SignInExchange, type SignInOutcome } from '../journey/sign-in-outcome.js';
import { SignInSteps } from '../journey/sign-in-steps.js';
import { newBearer, readCookie, setCookie } from '../listeners/cookies.js';
import { seeOther } from '../listeners/page-answer.js';
import { dashboardPath } from '../pages/customer-pages.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { DashboardSignInPages } from './dashboard-sign-in-pages.js';

const wish = { at: atDashboard, purpose: 'dashboard' } as const;
/** No consent. */
const subject = {};

type PostedStep = 'signIn' | 'code' | 'customer';

/** How customers sign in to the dashboard. */
@Injectable()
export class DashboardSignIn {
  constructor(
    private readonly steps: SignInSteps,
    private readonly customer: SignInAnswers,
    private readonly journeys: JourneyStore,
    private readonly pending: PendingPosts,
    private readonly sessions: DashboardSessions,
    private readonly pages: DashboardSignInPages,
    private readonly clock: BankClock,
    private readonly trail: JourneyTrail,
  ) {}

  async show(exchange: Exchange): Promise<void> {
    const { request, reply } = exchange;
    const { signInCookie } = this.sessions;
    const known = readCookie(request, signInCookie);
    const nowMs = this.clock.nowMs();
    const kept = known === undefined ? undefined : await this.journeys.find(known, nowMs);
    const mark = awaitedMark(request);
    if (known !== undefined && kept === undefined && mark !== undefined) return this.handOver(reply, known, mark);
    const isOpen = kept !== undefined && nowMs < kept.journey.deadlineMs;
    if (isOpen && kept.journey.unsettled) {
      await this.journeys.settle(kept);
      return this.show(exchange);
    }
    if (isOpen && kept.journey.step === 'wait') return this.waitForApp({ ...exchange, wish, subject }, kept);
    if (kept !== undefined && mark !== undefined && this.pending.isTaken(kept, mark))
      return this.pages.waiting(reply, mark);
    const journey = isOpen ? kept.journey : undefined;
    if (known !== undefined && journey?.step === 'decide') return this.enter(reply, known, journey.customer);
    const uid = known === undefined || (kept && !isOpen) ? newBearer() : known;
    if (uid !== known) setCookie(reply, signInCookie, uid);
    this.pages.show(exchange, uid, journey);
  }

  private async waitForApp(exchange: SignInExchange, kept: StoredJourney): Promise<void> {
    const outcome = await this.customer.poll(exchange, kept);
    if (outcome !== undefined) return this.answer(exchange, outcome);
    this.pages.show(exchange, kept.bearer, kept.journey);
  }

  /** Another post has replaced the cookie: only the browser that posted the same gets the present one. */
  private async handOver(reply: FastifyReply, former: string, mark: string): Promise<void> {
    const bearer = await this.journeys.successor(former, mark);
    if (bearer !== undefined) setCookie(reply, this.sessions.signInCookie, bearer);
    seeOther(reply, dashboardPath);
  }

  /** Begins the session only here, so that both answers to a double click lead to it. */
  private async enter(reply: FastifyReply, bearer: string, customer: AuthenticatedCustomer): Promise<void> {
    if (await this.journeys.end(bearer)) await this.sessions.begin(reply, customer);
    seeOther(reply, dashboardPath);
  }

  /** Writes nothing before a whole form is posted: a visit, or a made-up cookie with its token, leaves no row. */
  async identify(exchange: Exchange, step: PostedStep): Promise<void> {
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
      if (step !== 'signIn') return seeOther(reply, dashboardPath);
      if (this.steps.isIncomplete(posted)) return seeOther(reply, `${dashboardPath}?incomplete`);
      const begin = () => this.begin(uid, nowMs);
      return this.answer(exchange, await this.steps.begin({ ...exchange, wish, subject }, uid, posted, begin));
    }
    if (nowMs >= begun.journey.deadlineMs) return seeOther(reply, dashboardPath);
    await this.answer(exchange, await this.take({ ...exchange, wish, subject }, step, begun, posted));
  }

  /** The browser came back from the bank's own sign-on. */
  async returned(exchange: Exchange): Promise<void> {
    const { request, reply } = exchange;
    const uid = readCookie(request, this.sessions.signInCookie);
    const begun = uid && (await this.journeys.find(uid, this.clock.nowMs()));
    if (begun) return this.answer(exchange, await this.customer.returned({ ...exchange, wish, subject }, begun));
    // An equal return has replaced the cookie, or the browser has never begun here.
    return uid
      ? this.handOver(reply, uid, this.pending.markOfReturn(returnOf(request).query))
      : seeOther(reply, dashboardPath);
  }

  private take(
    exchange: SignInExchange,
    step: PostedStep,
    kept: StoredJourney,
    posted: URLSearchParams,
  ): Promise<SignInOutcome> {
    switch (step) {
      case 'signIn':
        return this.steps.signIn(exchange, kept, posted);
      case 'code':
        return this.customer.code(exchange, kept, posted);
      case 'customer':
        return this.steps.choose(kept, posted);
    }
  }

  private async begin(uid: string, nowMs: number): Promise<StoredJourney | undefined> {
    await this.journeys.begin(uid, beginJourney(nowMs), nowMs, new Date(nowMs + journeyMs));
    return this.journeys.find(uid, nowMs);
  }

  private async answer({ reply }: Exchange, outcome: SignInOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'blocked':
        this.trail.step('sign-in-blocked', {}, { reason: 'too-many-sign-ins' });
        return this.sessions.notice(reply, 429, { kind: 'blocked', resume: dashboardPath });
      case 'pending':
        return seeOther(reply, waitingPlace(dashboardPath, outcome.mark));
      case 'stale':
        return this.sessions.notice(reply, 400, { kind: 'form-expired', resume: dashboardPath });
      case 'bank-page':
        return this.sessions.notice(reply, 403, { kind: outcome.reason, resume: outcome.page });
      case 'go-on':
        return this.goOn(reply, outcome.bearer, outcome.leaves);
      case 'signed-in':
        return this.goOn(reply, (await this.steps.enter(outcome, outcome.customers))?.bearer);
    }
  }

  private goOn(reply: FastifyReply, bearer: string | undefined, leaves = false): void {
    if (bearer !== undefined) setCookie(reply, this.sessions.signInCookie, bearer);
    seeOther(reply, leaves ? leavingPlace(dashboardPath) : dashboardPath);
  }
}
