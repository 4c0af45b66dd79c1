import { Injectable } from '@nestjs/common';
import { canBeAnswered } from '../../consents/access.policy.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { BankPages } from '../pages/bank-pages.js';
import { BankSignOn } from './bank-sign-on.js';
import { JourneyAnswers } from './journey-answers.js';
import { asksForDetails, asksToLeave, awaitedMark, detailsOf, pageOf, waitingPlace } from './journey-places.js';
import { JourneySignIn } from './journey-sign-in.js';
import { JourneyDecisionPage } from './journey-decision-page.js';
import type { BegunSteps } from './journey.js';
import { atDetails } from './journey.policy.js';
import { JourneyStore } from './journey.store.js';
import { PendingPosts } from './pending-posts.js';
import { viewOf } from './journey-view.js';
import type { Visit } from './visit.js';

/** Shows the page of the journey's present step. */
@Injectable()
export class JourneyShow {
  constructor(
    private readonly pages: BankPages,
    private readonly answers: JourneyAnswers,
    private readonly journeys: JourneyStore,
    private readonly pending: PendingPosts,
    private readonly signIn: JourneySignIn,
    private readonly bank: BankSignOn,
    private readonly decision: JourneyDecisionPage,
    private readonly settings: AuthorisationSettings,
  ) {}

  async show(arrived: Visit): Promise<void> {
    if (arrived.kept.journey.unsettled) {
      const kept = await this.journeys.settle(arrived.kept);
      return kept === undefined ? this.answers.goOn(arrived) : this.show({ ...arrived, kept });
    }
    const visit = asksForDetails(arrived.request) ? beforeDetails(arrived) : arrived;
    const { kept, consent } = visit;
    const { journey } = kept;
    const mark = awaitedMark(visit.request);
    if (mark !== undefined && journey.step !== 'wait' && this.pending.isTaken(kept, mark))
      return this.answers.waiting(visit, mark);
    const pages = this.pages.for(visit.request).journey;
    if (!canBeAnswered(consent)) return this.answers.noticeOf(visit, 'already-decided');
    // The access was withdrawn in another window after this sign-in: only a new sign-in can give it again.
    if (journey.step === 'decide' && consent.ended && consent.ended.at.getTime() >= journey.customer.authenticatedAtMs)
      return this.answers.noticeOf(visit, 'already-decided');
    switch (journey.step) {
      case 'ended':
        return this.answers.leave(visit);
      case 'sign-in':
        return this.details(visit, journey.loginName);
      case 'code':
      case 'wait':
      case 'redirect':
        return this.bankStep(visit, journey);
      case 'choose-customer': {
        const names = journey.customers.map(({ displayName }) => displayName);
        const view = viewOf(visit, 'customer', this.settings.profile);
        return this.answers.page(visit, pages.chooseCustomer({ ...view, names }));
      }
      case 'decide':
        return this.decision.show(visit, journey);
    }
  }

  /** The page on which the customer begins to sign in. */
  private details(visit: Visit, loginName?: string): void {
    const view = {
      ...viewOf(visit, 'sign-in', this.settings.profile),
      ...(loginName !== undefined && { loginName }),
      ...(!this.bank.asksCredentials && { atBank: true as const }),
    };
    this.answers.page(visit, this.pages.for(visit.request).journey.signIn(view));
  }

  private async bankStep(visit: Visit, journey: BegunSteps): Promise<void> {
    const pages = this.pages.for(visit.request).journey;
    const place = pageOf(visit.id);
    switch (journey.step) {
      case 'code': {
        const sent = { sentTo: journey.sentTo, checkDetails: detailsOf(place) };
        const view = viewOf(visit, 'code', this.settings.profile);
        return this.answers.page(visit, pages.oneTimeCode({ ...view, ...sent }));
      }
      case 'wait': {
        if (await this.signIn.poll(visit)) return;
        const check = waitingPlace(place, this.pending.pollMark);
        const shown = journey.shown === undefined ? {} : { shown: journey.shown };
        const addresses = { check, checkDetails: detailsOf(place) };
        const view = { ...viewOf(visit, 'cancel', this.settings.profile), ...shown, ...addresses };
        return this.answers.refreshing(visit, pages.approveInApp(view), journey.pollAfterSeconds, check);
      }
      case 'redirect': {
        // A browser that goes back sees the page on which the sign-in begins.
        if (!asksToLeave(visit.request)) return this.details(visit);
        const leaving = pages.notice({ kind: 'leaving', resume: journey.url });
        return this.answers.refreshing(visit, leaving, 0, journey.url);
      }
    }
  }
}

function beforeDetails(visit: Visit): Visit {
  return { ...visit, kept: { ...visit.kept, journey: atDetails(visit.kept.journey) } };
}
