import { Injectable } from '@nestjs/common';
import { BankClock } from '../../clock/clock.js';
import {
  type AuthenticationResult,
  type Refusal,
  type Step,
  isCustomerAuthenticationUnavailable,
} from '../../../packages/customer-authentication/customer-authentication.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import type { StepMessage } from '../pages/customer-pages.js';
import { BankSignOn } from './bank-sign-on.js';
import type { Reason } from '../../trail/reasons.js';
import { JourneyTrail } from './journey-trail.js';
import type { BegunSignIn } from './journey.js';
import { atDetails, atStep, backToSignIn, idle, withMessage } from './journey.policy.js';
import { JourneyStore, type StoredJourney } from './journey.store.js';
import type { SignInExchange, SignInOutcome } from './sign-in-outcome.js';
import { SignInLimits, type Start } from './sign-in-limits.js';
import type { OpenStep } from '../../../packages/customer-authentication/step-fault.js';

/** An input of the customer that this process carries out: no other post changes the journey meanwhile. */
export interface Underway extends SignInExchange {
  readonly kept: StoredJourney;
  readonly begun: BegunSignIn;
  /** The mark of the post. */
  readonly mark: string;
  /** The page asked by itself whether the customer has approved in the app. */
  readonly polled?: true;
}

const reasons = {
  locked: 'customer-locked',
  'must-change-password': 'password-change-needed',
  wrong: 'sign-in-wrong',
  expired: 'sign-in-expired',
  declined: 'sign-in-declined',
} as const satisfies Readonly<Record<Refusal['reason'], Reason>>;

/** Takes the journey on after an answer of the bank's sign-on, whichever input the bank answers. */
@Injectable()
export class SignInAdvance {
  constructor(
    private readonly bank: BankSignOn,
    private readonly journeys: JourneyStore,
    private readonly limits: SignInLimits,
    private readonly clock: BankClock,
    private readonly trail: JourneyTrail,
    private readonly log: AuthorisationLog,
  ) {}

  /** @param message for the page of the next step */
  async by(underway: Underway, step: Step, message?: StepMessage): Promise<SignInOutcome> {
    switch (step.step) {
      case 'done':
        return this.recognised(underway, step.result);
      case 'refused':
        return this.refused(underway, step);
      default:
        return this.open(underway, step, message);
    }
  }

  /**
   * The bank could not judge the factors: back to the beginning.
   * @param start of this step, which does not count where nothing of it reached the bank: the bank may have sent a code otherwise
   */
  async unavailable(
    { kept, begun, subject }: Pick<Underway, 'kept' | 'begun' | 'subject'>,
    error: unknown,
    start?: Start,
  ): Promise<SignInOutcome> {
    if (!isCustomerAuthenticationUnavailable(error)) throw error;
    this.log.fault(error);
    this.trail.step('sign-in-failed', subject, { reason: 'sign-on-away' });
    if (start !== undefined && !error.reached) await this.limits.giveBack(start);
    return this.step(kept, backToSignIn(kept.journey, 'unavailable', begun.loginName));
  }

  async step(kept: StoredJourney, journey: StoredJourney['journey']): Promise<SignInOutcome> {
    // If another window took a step first, the customer sees the page of that step.
    await this.journeys.step(kept, journey);
    return { kind: 'go-on' };
  }

  private async open(underway: Underway, step: OpenStep, message?: StepMessage): Promise<SignInOutcome> {
    const { kept, begun, mark, polled } = underway;
    const next = atStep(kept.journey, begun, step, this.clock.nowMs());
    const journey = message === undefined ? next : withMessage(next, message);
    // The customer has proved nothing yet, or nothing new: the cookie stays.
    if (step.step === 'redirect') {
      await this.journeys.step(kept, journey);
      return { kind: 'go-on', leaves: true };
    }
    if (polled) return this.step(kept, journey);
    const renewed = await this.journeys.renew(kept, journey, mark);
    return { kind: 'go-on', bearer: renewed?.bearer };
  }

  private async recognised(underway: Underway, result: AuthenticationResult): Promise<SignInOutcome> {
    const { reply, kept, begun, mark, polled = false } = underway;
    const { loginName, starts } = begun;
    const customers = this.bank.judge(result, begun);
    for (const start of starts) await this.limits.giveBack(start);
    if (loginName !== undefined) this.limits.remember(reply, loginName, this.clock.nowMs());
    this.log.signedIn(underway.wish.purpose, result);
    return { kind: 'signed-in', customers, kept, mark, polled };
  }

  private async refused({ kept, begun, subject }: Underway, refusal: Refusal): Promise<SignInOutcome> {
    const { loginName } = begun;
    this.trail.step('sign-in-failed', subject, { reason: reasons[refusal.reason] });
    switch (refusal.reason) {
      case 'locked':
      case 'must-change-password':
        await this.journeys.step(kept, idle(atDetails(kept.journey)));
        return { kind: 'bank-page', reason: refusal.reason, page: refusal.page };
      case 'wrong':
        return this.step(
          kept,
          backToSignIn(kept.journey, loginName === undefined ? 'not-finished' : 'not-recognised', loginName),
        );
      case 'expired':
      case 'declined':
        return this.step(kept, backToSignIn(kept.journey, 'not-finished', loginName));
    }
  }
}
