import { Injectable } from '@nestjs/common';
import { JourneyAnswers } from './journey-answers.js';
import { atDetails, signedIn } from './journey.policy.js';
import { JourneyStore } from './journey.store.js';
import { SignInSteps, type SignInOutcome } from './sign-in-steps.js';
import type { Visit } from './visit.js';

/** Both factors of a customer on a journey. */
@Injectable()
export class JourneySignIn {
  constructor(
    private readonly steps: SignInSteps,
    private readonly journeys: JourneyStore,
    private readonly answers: JourneyAnswers,
  ) {}

  async signIn(visit: Visit, posted: URLSearchParams): Promise<void> {
    this.answer(visit, await this.steps.signIn(visit, visit.kept, posted));
  }

  async code(visit: Visit, posted: URLSearchParams): Promise<void> {
    const outcome = await this.steps.code(visit, visit.kept, posted);
    if (outcome.kind !== 'signed-in') return this.answer(visit, outcome);
    const { customer, kept } = outcome;
    const { authorisation } = visit.consent;
    if (authorisation !== undefined && authorisation.customerRef !== customer.customerRef) {
      // The code is used up: a customer who goes back begins with the details.
      const again = await this.journeys.step(kept, atDetails(kept.journey));
      return this.answers.noticeOf({ ...visit, kept: again ?? kept }, 'another-customer', 403);
    }
    const renewed = await this.journeys.renew(kept, signedIn(kept.journey, customer), outcome.mark);
    this.answers.goOn(visit, renewed?.bearer);
  }

  private answer(visit: Visit, outcome: SignInOutcome): void {
    if (outcome.kind === 'blocked') this.answers.noticeOf(visit, 'blocked', 429);
    else if (outcome.kind === 'pending') this.answers.wait(visit, outcome.mark);
    else this.answers.goOn(visit, outcome.kind === 'go-on' ? outcome.bearer : undefined);
  }
}
