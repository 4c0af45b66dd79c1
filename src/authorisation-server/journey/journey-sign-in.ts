import { Injectable } from '@nestjs/common';
import { AuthorisationSettings } from '../listeners/settings.js';
import { PagesByLanguage } from '../pages/pages.js';
import { accessRequest } from './access-request.js';
import { JourneyAnswers } from './journey-answers.js';
import type { SignInExchange } from '../sign-in/exchange.js';
import { SignIn, type Outcome, type SignInStep } from '../sign-in/service.js';
import type { JourneyContext } from './journey-context.js';

/** How a customer signs in on a journey. */
@Injectable()
export class JourneySignIn {
  constructor(
    private readonly signIn: SignIn,
    private readonly answers: JourneyAnswers,
    private readonly pages: PagesByLanguage,
    private readonly settings: AuthorisationSettings,
  ) {}

  async post(context: JourneyContext, step: SignInStep, posted: URLSearchParams): Promise<void> {
    this.answer(context, await this.signIn.post(this.exchange(context), context.stored, step, posted));
  }

  async returned(context: JourneyContext): Promise<void> {
    this.answer(context, await this.signIn.returned(this.exchange(context), context.stored));
  }

  /** The context where the customer goes on waiting for the bank's app; otherwise the request is answered. */
  async poll(context: JourneyContext): Promise<JourneyContext | undefined> {
    const outcome = await this.signIn.poll(this.exchange(context), context.stored);
    if (outcome.answer === 'stay') return { ...context, stored: outcome.stored };
    this.answer(context, outcome);
    return undefined;
  }

  private answer(before: JourneyContext, outcome: Outcome): void {
    const { stored } = outcome;
    const context = { ...before, stored };
    switch (outcome.answer) {
      case 'page':
      case 'stay':
        return this.answers.goOn(context, stored.bearer === before.stored.bearer ? undefined : stored.bearer);
      case 'leave':
        return this.answers.leaveForBank(context);
      case 'elsewhere':
        return this.answers.elsewhere(context);
      case 'blocked':
        return this.answers.noticeOf(context, 'blocked', 429);
      case 'out-of-date':
        return this.answers.noticeOf(context, 'form-expired', 400);
      case 'another-customer':
        return this.answers.noticeOf(context, 'another-customer', 403);
      case 'locked':
      case 'must-change-password':
        return this.answers.noticeOf(context, outcome.answer, 403, outcome.page);
    }
  }

  private exchange({ request, reply, id, consent, tpp }: JourneyContext): SignInExchange {
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
