import type { Clock } from '../clock/clock.js';
import {
  CustomerAuthenticationUnavailable,
  type CustomerAuthentication,
  type CustomerCredentials,
} from '../customer-authentication/customer-authentication.js';
import { fields } from './customer-pages.js';
import { backToSignIn, challenged, withMessage, type Journey, type SignedInCustomer } from './journey.policy.js';
import type { JourneyStore, KeptJourney } from './journey.store.js';
import type { SignInAttemptsStore } from './sign-in-attempts.store.js';

export interface SignInParts {
  readonly customers: CustomerAuthentication;
  readonly journeys: JourneyStore;
  readonly attempts: SignInAttemptsStore;
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Something failed that is not the customer's doing. */
  readonly onFault: (error: unknown) => void;
}

/**
 * - `go-on`: the journey says where the customer is now, and what was wrong.
 * - `blocked`: too many failures in a row.
 * - `signed-in`: both factors were right; `kept` is the journey as it is now, with the challenge used up.
 */
export type SignInOutcome =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'blocked'; readonly until: Date }
  | { readonly kind: 'signed-in'; readonly customer: SignedInCustomer; readonly kept: KeptJourney };

/** `undefined` where a field was left empty. */
export function readCredentials(posted: URLSearchParams): CustomerCredentials | undefined {
  const loginName = (posted.get(fields.loginName) ?? '').trim();
  const password = posted.get(fields.password) ?? '';
  return loginName === '' || password === '' ? undefined : { loginName, password };
}

/** Both factors, under one lock-out, wherever customers sign in. No outcome tells which of the two was wrong. */
export class SignInSteps {
  constructor(private readonly parts: SignInParts) {}

  async signIn(uid: string, kept: KeptJourney, posted: URLSearchParams): Promise<SignInOutcome> {
    const { journey } = kept;
    const credentials = readCredentials(posted);
    if (credentials === undefined) return this.step(uid, kept, backToSignIn(journey, 'incomplete'));
    const { loginName } = credentials;
    const until = await this.parts.attempts.blockedUntil(loginName, this.now());
    if (until !== undefined) return { kind: 'blocked', until };
    try {
      const challenge = await this.parts.customers.start(credentials, this.signal());
      return await this.step(uid, kept, challenged(journey, loginName, challenge));
    } catch (error) {
      return this.unavailable(uid, kept, error);
    }
  }

  async code(uid: string, kept: KeptJourney, posted: URLSearchParams): Promise<SignInOutcome> {
    const { journey, version } = kept;
    const code = (posted.get(fields.code) ?? '').trim();
    if (journey.step !== 'code') return { kind: 'go-on' };
    if (code === '') return this.step(uid, kept, withMessage(journey, 'incomplete'));
    const { attempts, customers, journeys, clock } = this.parts;
    const { loginName, challenge } = journey;
    // The challenge is gone before it is judged: of many guesses at once one is heard.
    const spent = await journeys.step(uid, version, backToSignIn(journey, 'not-recognised'));
    if (spent === undefined) return { kind: 'go-on' };
    if (!(await attempts.take(loginName, this.now()))) return this.refused(loginName);
    try {
      const customer = await customers.verify(challenge, code, this.signal());
      if (customer === undefined) return await this.refused(loginName);
      const { customerRef, displayName } = customer;
      const authenticatedAtMs = clock.nowMs();
      await attempts.succeeded(loginName);
      return { kind: 'signed-in', customer: { customerRef, displayName, authenticatedAtMs }, kept: spent };
    } catch (error) {
      if (error instanceof CustomerAuthenticationUnavailable) await attempts.untake(loginName);
      return this.unavailable(uid, spent, error);
    }
  }

  /** Where the bank cannot say who the customer is: back to the beginning, and nothing was counted. */
  async unavailable(uid: string, kept: KeptJourney, error: unknown): Promise<SignInOutcome> {
    if (!(error instanceof CustomerAuthenticationUnavailable)) throw error;
    this.parts.onFault(error);
    return this.step(uid, kept, backToSignIn(kept.journey, 'unavailable'));
  }

  /** The block where there is one by now; else the journey says that the customer may try again. */
  private async refused(loginName: string): Promise<SignInOutcome> {
    const until = await this.parts.attempts.blockedUntil(loginName, this.now());
    return until === undefined ? { kind: 'go-on' } : { kind: 'blocked', until };
  }

  private async step(uid: string, { version }: KeptJourney, journey: Journey): Promise<SignInOutcome> {
    // Where another window took a step first, the customer sees where that led.
    await this.parts.journeys.step(uid, version, journey);
    return { kind: 'go-on' };
  }

  private now(): Date {
    return new Date(this.parts.clock.nowMs());
  }

  private signal(): AbortSignal {
    return AbortSignal.timeout(this.parts.deadlineMs);
  }
}
