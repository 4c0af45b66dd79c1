import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankSignOn } from '../journey/bank-sign-on.js';
import { asksForDetails, asksToLeave, detailsOf, waitingPlace } from '../journey/journey-places.js';
import type { Journey } from '../journey/journey.js';
import { atDetails } from '../journey/journey.policy.js';
import { PendingPosts } from '../journey/pending-posts.js';
import type { Exchange } from '../journey/sign-in-outcome.js';
import { refreshAfter, sendPage, sendWaitingPage } from '../listeners/page-answer.js';
import { BankPages } from '../pages/bank-pages.js';
import { dashboardPath } from '../pages/customer-pages.js';
import type { DashboardSignInView } from '../pages/dashboard-views.js';
import { formFor } from './dashboard-places.js';
import { DashboardSessions } from './dashboard-sessions.js';

/** The page of the dashboard's present step. */
@Injectable()
export class DashboardSignInPages {
  constructor(
    private readonly pages: BankPages,
    private readonly bank: BankSignOn,
    private readonly pending: PendingPosts,
    private readonly sessions: DashboardSessions,
  ) {}

  /** @param uid the value of the sign-in's cookie @param journey absent where nothing was posted yet */
  show({ request, reply }: Exchange, uid: string, journey: Journey | undefined): void {
    const pages = this.pages.for(request).dashboard;
    const step = journey && asksForDetails(request) ? atDetails(journey) : journey;
    const message = journey?.message && { message: journey.message };
    switch (step?.step) {
      case 'code': {
        const sent = { sentTo: step.sentTo, checkDetails: detailsOf(dashboardPath) };
        return sendPage(reply, 200, pages.oneTimeCode({ form: formFor('code', uid), ...sent, ...message }));
      }
      case 'wait': {
        const check = waitingPlace(dashboardPath, this.pending.pollMark);
        const shown = step.shown === undefined ? {} : { shown: step.shown };
        refreshAfter(reply, step.pollAfterSeconds, check);
        return sendPage(reply, 200, pages.approveInApp({ check, ...shown, checkDetails: detailsOf(dashboardPath) }));
      }
      case 'choose-customer': {
        const names = step.customers.map(({ displayName }) => displayName);
        return sendPage(reply, 200, pages.chooseCustomer({ form: formFor('customer', uid), names, ...message }));
      }
      case 'redirect':
        return asksToLeave(request) ? this.leave(reply, step.url) : this.details(request, reply, uid, {});
      default: {
        const typed = step?.step === 'sign-in' && step.loginName !== undefined && { loginName: step.loginName };
        return this.details(request, reply, uid, { ...typed, ...(message ?? this.whyHere(request)) });
      }
    }
  }

  waiting(reply: FastifyReply, mark: string): void {
    const resume = waitingPlace(dashboardPath, mark);
    const pages = this.pages.for(reply.request).dashboard;
    sendWaitingPage(reply, pages.notice({ kind: 'being-processed', resume }));
  }

  private details(
    request: FastifyRequest,
    reply: FastifyReply,
    uid: string,
    view: Omit<DashboardSignInView, 'form'>,
  ): void {
    const atBank = !this.bank.asksCredentials && { atBank: true as const };
    const page = this.pages.for(request).dashboard.signIn({ form: formFor('sign-in', uid), ...view, ...atBank });
    sendPage(reply, 200, page);
  }

  private leave(reply: FastifyReply, url: string): void {
    refreshAfter(reply, 0, url);
    sendPage(reply, 200, this.pages.for(reply.request).dashboard.notice({ kind: 'leaving', resume: url }));
  }

  private whyHere(request: FastifyRequest): Pick<DashboardSignInView, 'ended' | 'message'> {
    const query = request.query as Readonly<Record<string, unknown>>;
    if (query['incomplete'] !== undefined) return { message: 'incomplete' };
    if (query['signed-out'] !== undefined) return { ended: 'signed-out' };
    // A cookie without a session: the session timed out, for signing out removes the cookie.
    return this.sessions.bearerOf(request) === undefined ? {} : { ended: 'timed-out' };
  }
}
