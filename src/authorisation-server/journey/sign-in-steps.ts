import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../clock/clock.js';
import { CurrentCustomers } from '../../customer-authentication/current-customers.js';
import {
  CustomerAuthenticationUnavailable,
  type CustomerCredentials,
} from '../../customer-authentication/customer-authentication.js';
import { fields } from '../pages/customer-pages.js';
import {
  backToSignIn,
  withPendingStep,
  challenged,
  idle,
  withMessage,
  type Journey,
  type SignedInCustomer,
} from './journey.policy.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { JourneyStore, type StoredJourney } from './journey.store.js';
import { SignInLimits, type Start } from './sign-in-limits.js';

/** How long the second of two equal posts waits beyond the deadline of what the first one asks. */
export const followMs = 2_000;
export const followEveryMs = 50;

/**
 * - `go-on`: the journey says where the customer is now, and what was wrong; `bearer` is the value of its cookie where
 *   that is another one now.
 * - `blocked`: a limit is reached; no answer says which.
 * - `signed-in`: both factors were right; `kept` is the journey as it is now, with the challenge used up, and `posted` what
 *   proves a second post of the same to be one.
 */
export type SignInOutcome =
  | { readonly kind: 'go-on'; readonly bearer?: string | undefined }
  | { readonly kind: 'blocked' }
  | {
      readonly kind: 'signed-in';
      readonly customer: SignedInCustomer;
      readonly kept: StoredJourney;
      readonly posted: string;
    };

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** `undefined` where a field was left empty. */
export function readCredentials(posted: URLSearchParams): CustomerCredentials | undefined {
  const loginName = (posted.get(fields.loginName) ?? '').trim();
  const password = posted.get(fields.password) ?? '';
  return loginName === '' || password === '' ? undefined : { loginName, password };
}

/** The proof of a post beside the cookie: the factor that the customer typed. */
export function provedBy(posted: URLSearchParams): string {
  return JSON.stringify([fields.loginName, fields.password, fields.code].map((field) => posted.get(field)));
}

/** Both factors, under the same limits, wherever customers sign in. No outcome tells which of the two was wrong. */
@Injectable()
export class SignInSteps {
  constructor(
    private readonly customers: CurrentCustomers,
    private readonly journeys: JourneyStore,
    private readonly limits: SignInLimits,
    private readonly clock: Clock,
    private readonly settings: AuthorisationSettings,
    private readonly log: AuthorisationLog,
  ) {}

  async signIn({ request }: Exchange, kept: StoredJourney, posted: URLSearchParams): Promise<SignInOutcome> {
    const { journey } = kept;
    const { limits, customers, journeys, clock } = this;
    const credentials = readCredentials(posted);
    if (credentials === undefined) return this.step(kept, backToSignIn(journey, 'incomplete'));
    const proof = provedBy(posted);
    // Of a double click one asks the bank: a second code would make the first one useless.
    const taken = this.isTaken(kept, proof) ? undefined : await this.take(kept, journey, proof);
    if (taken === undefined) return this.follow(kept, proof);
    const { loginName } = credentials;
    // Counted before it is judged, and before anything is sent.
    const start = await limits.take(request, loginName, clock.nowMs());
    if (start === undefined) {
      await journeys.step(taken, idle(journey));
      return { kind: 'blocked' };
    }
    try {
      const challenge = await customers.start(credentials, this.signal());
      const renewed = await journeys.renew(taken, challenged(journey, { loginName, challenge, start }), proof);
      return { kind: 'go-on', bearer: renewed?.bearer };
    } catch (error) {
      return this.unavailable(taken, error, start);
    }
  }

  async code({ reply }: Exchange, kept: StoredJourney, posted: URLSearchParams): Promise<SignInOutcome> {
    const { journey } = kept;
    const proof = provedBy(posted);
    if (this.isTaken(kept, proof)) return this.follow(kept, proof);
    if (journey.step !== 'code') return { kind: 'go-on' };
    const code = (posted.get(fields.code) ?? '').trim();
    if (code === '') return this.step(kept, withMessage(journey, 'incomplete'));
    const { limits, customers, clock, journeys } = this;
    const { loginName, challenge, start } = journey;
    // The challenge is gone before it is judged: of many guesses at once one is heard.
    const spent = await this.take(kept, backToSignIn(journey, 'not-recognised'), proof);
    if (spent === undefined) return this.follow(kept, proof);
    try {
      const customer = await customers.verify(challenge, code, this.signal());
      if (customer === undefined) {
        await journeys.step(spent, backToSignIn(journey, 'not-recognised'));
        return { kind: 'go-on' };
      }
      const { customerRef, displayName } = customer;
      const authenticatedAtMs = clock.nowMs();
      await limits.giveBack(start);
      limits.remember(reply, loginName, authenticatedAtMs);
      return {
        kind: 'signed-in',
        customer: { customerRef, displayName, authenticatedAtMs },
        kept: spent,
        posted: proof,
      };
    } catch (error) {
      return this.unavailable(spent, error, start);
    }
  }

  /** Where the bank cannot say who the customer is: back to the beginning, and nothing was counted. */
  async unavailable(kept: StoredJourney, error: unknown, start?: Start): Promise<SignInOutcome> {
    if (!(error instanceof CustomerAuthenticationUnavailable)) throw error;
    this.log.fault(error);
    if (start !== undefined) await this.limits.giveBack(start);
    return this.step(kept, backToSignIn(kept.journey, 'unavailable'));
  }

  private async step(kept: StoredJourney, journey: Journey): Promise<SignInOutcome> {
    // Where another window took a step first, the customer sees where that led.
    await this.journeys.step(kept, journey);
    return { kind: 'go-on' };
  }

  /** The right to carry out this post: of several at once one has it. */
  private take(kept: StoredJourney, journey: Journey, proof: string): Promise<StoredJourney | undefined> {
    const untilMs = this.clock.nowMs() + this.settings.deadlineMs + followMs;
    return this.journeys.step(kept, withPendingStep(journey, { untilMs, post: this.journeys.mark(proof) }));
  }

  private isTaken({ journey: { busy } }: StoredJourney, proof: string): boolean {
    return busy !== undefined && this.clock.nowMs() < busy.untilMs && busy.post === this.journeys.mark(proof);
  }

  /** A second post of the same waits for the first one, and gets its cookie; any other goes where the journey is. */
  private async follow({ bearer }: StoredJourney, proof: string): Promise<SignInOutcome> {
    const { journeys, clock } = this;
    for (let waitedMs = 0; waitedMs < this.settings.deadlineMs + followMs; waitedMs += followEveryMs) {
      const kept = await journeys.find(bearer, clock.nowMs());
      if (kept === undefined) return { kind: 'go-on', bearer: await journeys.successor(bearer, proof) };
      if (!this.isTaken(kept, proof)) break;
      await sleep(followEveryMs);
    }
    return { kind: 'go-on' };
  }

  private signal(): AbortSignal {
    return AbortSignal.timeout(this.settings.deadlineMs);
  }
}
