import { Injectable } from '@nestjs/common';
import { AuthorisationSettings } from '../listeners/settings.js';
import { BankPages } from '../pages/bank-pages.js';
import { accessRequest } from './access-request.js';
import { JourneyAnswers } from './journey-answers.js';
import type { SignInExchange } from '../sign-in/exchange.js';
import { SignIn, type Outcome, type SignInStep } from '../sign-in/service.js';
import type { JourneyVisit } from './journey-visit.js';

/** How a customer signs in on a journey. */
@Injectable()
export class JourneySignIn {
  constructor(
    private readonly signIn: SignIn,
    private readonly answers: JourneyAnswers,
    private readonly pages: BankPages,
    private readonly settings: AuthorisationSettings,
  ) {}

  async post(visit: JourneyVisit, step: SignInStep, posted: URLSearchParams): Promise<void> {
    this.answer(visit, await this.signIn.post(this.exchange(visit), visit.stored, step, posted));
  }

  async returned(visit: JourneyVisit): Promise<void> {
    this.answer(visit, await this.signIn.returned(this.exchange(visit), visit.stored));
  }

  /** The visit where the customer goes on waiting for the bank's app; otherwise the request is answered. */
  async poll(visit: JourneyVisit): Promise<JourneyVisit | undefined> {
    const outcome = await this.signIn.poll(this.exchange(visit), visit.stored);
    if (outcome.answer === 'stay') return { ...visit, stored: outcome.stored };
    this.answer(visit, outcome);
    return undefined;
  }

  private answer(before: JourneyVisit, outcome: Outcome): void {
    const { stored } = outcome;
    const visit = { ...before, stored };
    switch (outcome.answer) {
      case 'page':
      case 'stay':
        return this.answers.goOn(visit, stored.bearer === before.stored.bearer ? undefined : stored.bearer);
      case 'leave':
        return this.answers.leaveForBank(visit);
      case 'elsewhere':
        return this.answers.elsewhere(visit);
      case 'blocked':
        return this.answers.noticeOf(visit, 'blocked', 429);
      case 'out-of-date':
        return this.answers.noticeOf(visit, 'form-expired', 400);
      case 'another-customer':
        return this.answers.noticeOf(visit, 'another-customer', 403);
      case 'locked':
      case 'must-change-password':
        return this.answers.noticeOf(visit, outcome.answer, 403, outcome.page);
    }
  }

  private exchange({ request, reply, id, consent, tpp }: JourneyVisit): SignInExchange {
    const { expiresAt, clusters } = accessRequest(consent, tpp, this.settings.profile);
    const asked = {
      ...(tpp.name !== undefined && { tpp: tpp.name }),
      ...(tpp.agent !== undefined && { agent: tpp.agent }),
      data: this.pages.for(request).clusterNames(clusters),
      ...(expiresAt && { expiresAt }),
    };
    const owner = consent.authorisation?.customerRef;
    const purpose = owner === undefined ? 'consent' : 're-authentication';
    return { request, reply, wish: { at: id, purpose, asked }, subject: consent, owner };
  }
}
