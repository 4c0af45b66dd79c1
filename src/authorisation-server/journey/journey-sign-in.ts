import { Injectable } from '@nestjs/common';
import { AuthorisationSettings } from '../listeners/settings.js';
import { BankPages } from '../pages/bank-pages.js';
import { accessRequest } from './access-request.js';
import { JourneyAnswers } from './journey-answers.js';
import { atDetails } from './journey.policy.js';
import { JourneyTrail } from './journey-trail.js';
import { JourneyStore } from './journey.store.js';
import { SignInAnswers } from './sign-in-answers.js';
import type { SignedInOutcome, SignInExchange, SignInOutcome } from './sign-in-outcome.js';
import { SignInSteps } from './sign-in-steps.js';
import type { Visit } from './visit.js';

/** How a customer signs in on a journey. */
@Injectable()
export class JourneySignIn {
  constructor(
    private readonly steps: SignInSteps,
    private readonly customer: SignInAnswers,
    private readonly journeys: JourneyStore,
    private readonly answers: JourneyAnswers,
    private readonly pages: BankPages,
    private readonly settings: AuthorisationSettings,
    private readonly trail: JourneyTrail,
  ) {}

  async signIn(visit: Visit, posted: URLSearchParams): Promise<void> {
    return this.answer(visit, await this.steps.signIn(this.exchange(visit), visit.kept, posted));
  }

  async code(visit: Visit, posted: URLSearchParams): Promise<void> {
    return this.answer(visit, await this.customer.code(this.exchange(visit), visit.kept, posted));
  }

  async returned(visit: Visit): Promise<void> {
    return this.answer(visit, await this.customer.returned(this.exchange(visit), visit.kept));
  }

  async choose(visit: Visit, posted: URLSearchParams): Promise<void> {
    return this.answer(visit, await this.steps.choose(visit.kept, posted));
  }

  /** Whether the request is answered, because the customer has answered in the bank's app. */
  async poll(visit: Visit): Promise<boolean> {
    const outcome = await this.customer.poll(this.exchange(visit), visit.kept);
    if (outcome !== undefined) await this.answer(visit, outcome);
    return outcome !== undefined;
  }

  private async answer(visit: Visit, outcome: SignInOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'go-on':
        return outcome.leaves ? this.answers.leaveForBank(visit) : this.answers.goOn(visit, outcome.bearer);
      case 'pending':
        return this.answers.wait(visit, outcome.mark);
      case 'blocked':
        this.trail.step('sign-in-blocked', visit.consent, { reason: 'too-many-sign-ins' });
        return this.answers.noticeOf(visit, 'blocked', 429);
      case 'stale':
        return this.answers.noticeOf(visit, 'form-expired', 400);
      case 'bank-page':
        return this.answers.noticeOf(visit, outcome.reason, 403, outcome.page);
      case 'signed-in':
        return this.enter(visit, outcome);
    }
  }

  private async enter(visit: Visit, outcome: SignedInOutcome): Promise<void> {
    const { kept, customers } = outcome;
    const { authorisation } = visit.consent;
    // The customer who gave the access is the only one who can confirm it: there is nothing to choose.
    const own =
      authorisation === undefined
        ? customers
        : customers.filter(({ customerRef }) => customerRef === authorisation.customerRef);
    if (own.length === 0) {
      this.trail.step('sign-in-failed', visit.consent, { reason: 'another-customer' });
      // The bank's state is used up: a customer who goes back begins with the details.
      const again = await this.journeys.step(kept, atDetails(kept.journey));
      return this.answers.noticeOf({ ...visit, kept: again ?? kept }, 'another-customer', 403);
    }
    const renewed = await this.steps.enter(outcome, own);
    this.answers.goOn(visit, renewed?.bearer);
  }

  private exchange({ request, reply, id, consent, tpp }: Visit): SignInExchange {
    const { expiresAt, clusters } = accessRequest(consent, tpp, this.settings.profile);
    const asked = {
      ...(tpp.name !== undefined && { tpp: tpp.name }),
      ...(tpp.agent !== undefined && { agent: tpp.agent }),
      data: this.pages.for(request).clusterNames(clusters),
      ...(expiresAt && { expiresAt }),
    };
    const purpose = consent.authorisation === undefined ? 'consent' : 're-authentication';
    return { request, reply, wish: { at: id, purpose, asked }, subject: consent };
  }
}
