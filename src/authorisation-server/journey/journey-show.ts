import { Injectable } from '@nestjs/common';
import { canBeAnswered } from '../../consents/access.policy.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { PagesByLanguage } from '../pages/pages.js';
import { BankSignOn } from '../sign-in/bank-sign-on.js';
import { JourneyAnswers } from './journey-answers.js';
import { asksForDetails, pageOf } from '../sign-in/journey-addresses.js';
import { JourneySignIn } from './journey-sign-in.js';
import { JourneyDecisionPage } from './journey-decision-page.js';
import { requestView } from './journey-view.js';
import { signInPage } from '../sign-in/page.js';
import type { JourneyContext } from './journey-context.js';

/** Shows the page of the journey's present step. */
@Injectable()
export class JourneyShow {
  constructor(
    private readonly pages: PagesByLanguage,
    private readonly answers: JourneyAnswers,
    private readonly signIn: JourneySignIn,
    private readonly bank: BankSignOn,
    private readonly decision: JourneyDecisionPage,
    private readonly settings: AuthorisationSettings,
  ) {}

  async show(context: JourneyContext): Promise<void> {
    const { stored, consent, request } = context;
    const { journey } = stored;
    if (!canBeAnswered(consent)) return this.answers.closed(context);
    // The access was withdrawn in another window after this sign-in: only a new sign-in can give it again.
    if (
      journey.step === 'decide' &&
      consent.status === 'cancelled' &&
      consent.statusUpdatedAt.getTime() >= journey.customer.authenticatedAtMs
    )
      return this.answers.noticeOf(context, 'already-decided');
    if (journey.step === 'ended') return this.answers.leave(context);
    if (journey.step === 'decide') return this.decision.show(context, journey);
    const waiting = journey.step === 'wait' && !asksForDetails(request) ? await this.signIn.poll(context) : context;
    if (waiting !== undefined) this.step(waiting);
  }

  private step(context: JourneyContext): void {
    const { request, id, stored } = context;
    const more = requestView(context, this.settings.profile);
    const pages = this.pages.for(request);
    const { asksCredentials } = this.bank;
    const page = signInPage({ request, address: pageOf(id), pages, more, asksCredentials }, stored);
    return page === undefined ? this.answers.goOn(context) : this.answers.signInPage(context, page);
  }
}
