import { Injectable } from '@nestjs/common';
import { BankPages } from '../pages/bank-pages.js';
import type { OfferedAccount } from '../pages/customer-pages.js';
import { accessRequest } from './access-request.js';
import { JourneyAnswers } from './journey-answers.js';
import { asksForDetails, detailsOf, formOf, pageOf, type JourneyStep } from './journey-places.js';
import { atDetails, type Deciding, type Offer } from './journey.policy.js';
import type { Visit } from './visit.js';

/** Shows a customer the page of where the journey is. */
@Injectable()
export class JourneyShow {
  constructor(
    private readonly pages: BankPages,
    private readonly answers: JourneyAnswers,
  ) {}

  show(arrived: Visit): void {
    const visit = asksForDetails(arrived.request) ? beforeDetails(arrived) : arrived;
    const { kept, consent } = visit;
    const { journey } = kept;
    const pages = this.pages.for(visit.request).journey;
    const again = consent.status !== 'AwaitingAuthorisation';
    if (again && consent.status !== 'Authorised') return this.answers.noticeOf(visit, 'already-decided');
    // Withdrawn since the customer signed in, in another window: only another sign-in can give it again.
    if (journey.step === 'decide' && consent.ended && consent.ended.at.getTime() >= journey.customer.authenticatedAtMs)
      return this.answers.noticeOf(visit, 'already-decided');
    switch (journey.step) {
      case 'ended':
        return this.answers.leave(visit);
      case 'sign-in': {
        const typed = journey.loginName !== undefined && { loginName: journey.loginName };
        return this.answers.page(visit, pages.signIn({ ...viewOf(visit, 'sign-in'), ...typed }));
      }
      case 'code': {
        const sent = { sentTo: journey.challenge.sentTo, checkDetails: detailsOf(pageOf(visit.id)) };
        return this.answers.page(visit, pages.oneTimeCode({ ...viewOf(visit, 'code'), ...sent }));
      }
      case 'decide':
        return this.decision(visit, journey);
    }
  }

  private decision(visit: Visit, { customer, offered, allChosen = false }: Deciding): void {
    const { authorisation, statusUpdatedAt } = visit.consent;
    const pages = this.pages.for(visit.request).journey;
    const view = { ...viewOf(visit, 'decision'), customerName: customer.displayName };
    if (authorisation === undefined) {
      if (offered.length === 0) return this.answers.noticeOf(visit, 'no-accounts');
      return this.answers.page(visit, pages.authorise({ ...view, accounts: offered.map(shown), allChosen }));
    }
    const selected = new Set(authorisation.accounts.map(({ ref }) => ref));
    const accounts = offered.filter(({ ref }) => selected.has(ref)).map(shown);
    this.answers.page(visit, pages.reauthenticate({ ...view, accounts, givenAt: statusUpdatedAt }));
  }
}

function beforeDetails(visit: Visit): Visit {
  return { ...visit, kept: { ...visit.kept, journey: atDetails(visit.kept.journey) } };
}

/** The content that every page of a journey shows. */
function viewOf({ id, kept, consent, tpp }: Visit, step: JourneyStep) {
  const { message } = kept.journey;
  return {
    form: formOf(id, step, kept.bearer),
    again: consent.status !== 'AwaitingAuthorisation',
    request: accessRequest(consent, tpp),
    ...(consent.ended && { withdrawnAt: consent.ended.at }),
    ...(message && { message }),
  };
}

function shown({ key, name, endsWith, product }: Offer): OfferedAccount {
  return { key, name, endsWith, product };
}
