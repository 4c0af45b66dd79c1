import { Injectable } from '@nestjs/common';
import { canBeAnswered } from '../../consents/access.policy.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { BankPages } from '../pages/bank-pages.js';
import { BankSignOn } from '../sign-in/bank-sign-on.js';
import { JourneyAnswers } from './journey-answers.js';
import { asksForDetails, pageOf } from '../sign-in/journey-places.js';
import { JourneySignIn } from './journey-sign-in.js';
import { JourneyDecisionPage } from './journey-decision-page.js';
import { requestView } from './journey-view.js';
import { signInPage } from '../sign-in/page.js';
import type { JourneyVisit } from './journey-visit.js';

/** Shows the page of the journey's present step. */
@Injectable()
export class JourneyShow {
  constructor(
    private readonly pages: BankPages,
    private readonly answers: JourneyAnswers,
    private readonly signIn: JourneySignIn,
    private readonly bank: BankSignOn,
    private readonly decision: JourneyDecisionPage,
    private readonly settings: AuthorisationSettings,
  ) {}

  async show(visit: JourneyVisit): Promise<void> {
    const { stored, consent, request } = visit;
    const { journey } = stored;
    if (!canBeAnswered(consent)) return this.answers.closed(visit);
    // The access was withdrawn in another window after this sign-in: only a new sign-in can give it again.
    if (
      journey.step === 'decide' &&
      consent.status === 'cancelled' &&
      consent.statusUpdatedAt.getTime() >= journey.customer.authenticatedAtMs
    )
      return this.answers.noticeOf(visit, 'already-decided');
    if (journey.step === 'ended') return this.answers.leave(visit);
    if (journey.step === 'decide') return this.decision.show(visit, journey);
    const waiting = journey.step === 'wait' && !asksForDetails(request) ? await this.signIn.poll(visit) : visit;
    if (waiting !== undefined) this.step(waiting);
  }

  private step(visit: JourneyVisit): void {
    const { request, id, stored } = visit;
    const more = requestView(visit, this.settings.profile);
    const pages = this.pages.for(request).journey;
    const { asksCredentials } = this.bank;
    const page = signInPage({ request, place: pageOf(id), pages, more, asksCredentials }, stored);
    return page === undefined ? this.answers.goOn(visit) : this.answers.signInPage(visit, page);
  }
}
