import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Consent } from '../../consents/consent.js';
import { CurrentCustomers } from '../../customer-authentication/current-customers.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { JourneyAnswers } from './journey-answers.js';
import { accountsToOffer, signedIn, type Offer } from './journey.policy.js';
import { JourneyStore } from './journey.store.js';
import { SignInSteps, type SignInOutcome } from './sign-in-steps.js';
import type { Visit } from './visit.js';

/** Both factors of a customer on a journey, and the accounts that are then offered. */
@Injectable()
export class JourneySignIn {
  constructor(
    private readonly steps: SignInSteps,
    private readonly customers: CurrentCustomers,
    private readonly journeys: JourneyStore,
    private readonly answers: JourneyAnswers,
    private readonly settings: AuthorisationSettings,
  ) {}

  async signIn(visit: Visit, posted: URLSearchParams): Promise<void> {
    this.answer(visit, await this.steps.signIn(visit, visit.kept, posted));
  }

  async code(visit: Visit, posted: URLSearchParams): Promise<void> {
    const outcome = await this.steps.code(visit, visit.kept, posted);
    if (outcome.kind !== 'signed-in') return this.answer(visit, outcome);
    const { customer, kept } = outcome;
    const { authorisation } = visit.consent;
    if (authorisation !== undefined && authorisation.customerRef !== customer.customerRef)
      return this.answers.noticeOf({ ...visit, kept }, 'another-customer', 403);
    try {
      const offered = await this.offers(customer.customerRef, visit.consent);
      const renewed = await this.journeys.renew(kept, signedIn(kept.journey, customer, offered), outcome.posted);
      this.answers.goOn(visit, renewed?.bearer);
    } catch (error) {
      this.answer(visit, await this.steps.unavailable(kept, error, '', []));
    }
  }

  private answer(visit: Visit, outcome: SignInOutcome): void {
    if (outcome.kind === 'blocked') this.answers.noticeOf(visit, 'blocked', 429);
    else this.answers.goOn(visit, outcome.kind === 'go-on' ? outcome.bearer : undefined);
  }

  private async offers(customerRef: string, consent: Consent): Promise<Offer[]> {
    const { deadlineMs, profile } = this.settings;
    const accounts = await this.customers.accounts(customerRef, AbortSignal.timeout(deadlineMs));
    return accountsToOffer(accounts, consent.permissions, profile).map(({ ref, product, name, endsWith }) => ({
      key: randomBytes(9).toString('base64url'),
      ref,
      product,
      name,
      endsWith,
    }));
  }
}
