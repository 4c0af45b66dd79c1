import { Injectable } from '@nestjs/common';
import { BankClock, Clock } from '../../clock/clock.js';
import { ProofStore } from '../../security/tokens/proof.store.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { fields, type Decision } from '../pages/customer-pages.js';
import { hashed } from '../sealing.js';
import { BankSignOn } from './bank-sign-on.js';
import { returnOf, type JourneyStep } from './journey-addresses.js';
import { JourneyTrail } from './journey-trail.js';
import { JourneyStore, type StoredJourney } from './journey.store.js';
import {
  isStart,
  type Answer,
  type QuestionAndReply,
  type Effect,
  type Input,
  type Question,
  type Transition,
} from './terms.js';
import { journeyMs } from './states.js';
import { afterInput, afterReply, loginNameOf } from './machine.js';
import type { SignInExchange } from './exchange.js';
import { SignInLimits } from './sign-in-limits.js';

/** The steps of the sign-in that a customer can post. */
export type SignInStep = Exclude<JourneyStep, 'decision' | 'cancel'>;

/** The browser's answer, and the journey as it is stored then. */
export type Outcome = Answer & { readonly stored: StoredJourney };

const elsewhere = { answer: 'elsewhere' } as const;

/** Carries out the transitions of a sign-in, wherever customers sign in. */
@Injectable()
export class SignIn {
  constructor(
    private readonly bank: BankSignOn,
    private readonly journeys: JourneyStore,
    private readonly limits: SignInLimits,
    private readonly used: ProofStore,
    private readonly clock: BankClock,
    private readonly systemClock: Clock,
    private readonly trail: JourneyTrail,
    private readonly log: AuthorisationLog,
  ) {}

  post(exchange: SignInExchange, stored: StoredJourney, step: SignInStep, posted: URLSearchParams): Promise<Outcome> {
    return this.handle(exchange, stored, this.inputOf(exchange, step, posted));
  }

  /** The page of the bank's app was loaded: the bank may know the customer meanwhile. */
  poll(exchange: SignInExchange, stored: StoredJourney): Promise<Outcome> {
    return this.handle(exchange, stored, { input: 'poll' });
  }

  /** The browser came back from the bank's own sign-on. */
  returned(exchange: SignInExchange, stored: StoredJourney): Promise<Outcome> {
    const { query, state } = returnOf(exchange.request);
    return this.handle(exchange, stored, { input: 'return', query, returnState: state });
  }

  private inputOf(exchange: SignInExchange, step: SignInStep, posted: URLSearchParams): Input {
    const valueOf = (field: string): string => posted.get(field) ?? '';
    switch (step) {
      case 'sign-in': {
        const [loginName, password] = [valueOf(fields.loginName).trim(), valueOf(fields.password)];
        const returnState = this.bank.newReturnState(exchange);
        if (!this.bank.asksCredentials) return { input: 'details', loginName, isComplete: true, returnState };
        if (loginName === '' || password === '') return { input: 'details', loginName, isComplete: false, returnState };
        return { input: 'details', loginName, isComplete: true, returnState, credentials: { loginName, password } };
      }
      case 'code':
        if (valueOf(fields.decision) === ('send-again' satisfies Decision)) return { input: 'another-code' };
        return { input: 'code', typed: valueOf(fields.code) };
      case 'customer':
        return { input: 'customer', chosen: valueOf(fields.customer) };
    }
  }

  private handle(exchange: SignInExchange, stored: StoredJourney, input: Input): Promise<Outcome> {
    return this.carryOut(exchange, stored, afterInput(stored.journey, input, this.clock.nowMs()));
  }

  private async carryOut(exchange: SignInExchange, stored: StoredJourney, next: Transition): Promise<Outcome> {
    for (const effect of next.effects) await this.act(exchange, effect);
    const { then } = next;
    if ('ask' in then) return this.ask(exchange, stored, next, then);
    const updated = await this.store(stored, next);
    // Another window has changed the text of the same page: the customer sees that page.
    if (updated === undefined && next.storing === 'note') return { ...then, stored };
    return updated === undefined ? { ...elsewhere, stored } : { ...then, stored: updated };
  }

  /** The step is stored before the bank is asked: of two posts, one asks. A start is counted even before that. */
  private async ask(
    exchange: SignInExchange,
    stored: StoredJourney,
    next: Transition,
    question: Question,
  ): Promise<Outcome> {
    const start = isStart(question)
      ? await this.limits.take(exchange.request, loginNameOf(stored.journey, question), this.clock.nowMs())
      : undefined;
    const asked = { question, start, owner: exchange.owner };
    if (isStart(question) && start === undefined)
      return this.reply(exchange, stored, { ...asked, reply: { step: 'limited' } });
    const updated = await this.store(stored, next);
    if (updated === undefined) {
      if (start !== undefined) await this.limits.giveBack(start);
      return question.ask === 'poll' ? { answer: 'stay', stored } : { ...elsewhere, stored };
    }
    return this.reply(exchange, updated, {
      ...asked,
      reply: await this.bank.ask(exchange, updated.journey, question, start),
    });
  }

  private reply(exchange: SignInExchange, stored: StoredJourney, asked: QuestionAndReply): Promise<Outcome> {
    return this.carryOut(exchange, stored, afterReply(stored.journey, asked, this.clock.nowMs()));
  }

  private async act({ reply, wish, subject }: SignInExchange, effect: Effect): Promise<void> {
    switch (effect.effect) {
      case 'record':
        return this.trail.step(effect.step, subject, { reason: effect.reason });
      case 'give-back':
        return this.limits.giveBack(effect.start);
      case 'recognised': {
        const { loginName, starts } = effect.attempt;
        for (const start of starts) await this.limits.giveBack(start);
        if (loginName !== undefined) this.limits.remember(reply, loginName, this.clock.nowMs());
        this.log.signedIn(wish.purpose, effect.result);
      }
    }
  }

  /** `undefined`: another request was first. */
  private async store(stored: StoredJourney, { storing, journey }: Transition): Promise<StoredJourney | undefined> {
    if (storing === 'nothing') return stored;
    if (stored.version > 0) return this.journeys[storing](stored, journey);
    // At the dashboard nothing is stored before a whole form is posted, and then once for each value of the cookie.
    if (storing === 'note') return { ...stored, journey };
    const { bearer } = stored;
    const expiresAt = new Date(this.systemClock.nowMs() + journeyMs);
    if (!(await this.used.use(hashed('DashboardSignIn', bearer), expiresAt))) return undefined;
    return this.journeys.begin(bearer, journey, this.clock.nowMs());
  }
}
