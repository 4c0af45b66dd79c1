import { Injectable } from '@nestjs/common';
import { BankClock } from '../../clock/clock.js';
import { equalSecrets } from '../../security/tls/client-certificate.js';
import type { Step } from '../../../packages/customer-authentication/customer-authentication.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { fields, type Decision } from '../pages/customer-pages.js';
import { BankSignOn } from './bank-sign-on.js';
import { returnOf } from './journey-places.js';
import type { CodeStep } from './journey.js';
import { JourneyTrail } from './journey-trail.js';
import { backToSignIn, readCode, triesAtOneCode, withMessage, withTry } from './journey.policy.js';
import { JourneyStore, type StoredJourney } from './journey.store.js';
import { PendingPosts } from './pending-posts.js';
import { SignInAdvance, type Underway } from './sign-in-advance.js';
import { SignInLimits } from './sign-in-limits.js';
import { blocked, type SignInExchange, type SignInOutcome } from './sign-in-outcome.js';

/** A post of a code, while no other post is under way. */
interface CodePost extends Underway {
  readonly journey: CodeStep;
}

/** The customer's answers to the bank's steps. No outcome tells which of two factors was wrong. */
@Injectable()
export class SignInAnswers {
  constructor(
    private readonly bank: BankSignOn,
    private readonly advance: SignInAdvance,
    private readonly journeys: JourneyStore,
    private readonly pending: PendingPosts,
    private readonly limits: SignInLimits,
    private readonly clock: BankClock,
    private readonly trail: JourneyTrail,
    private readonly log: AuthorisationLog,
  ) {}

  async code(exchange: SignInExchange, kept: StoredJourney, posted: URLSearchParams): Promise<SignInOutcome> {
    const { journey } = kept;
    const mark = this.pending.markOf(posted);
    if (this.pending.isTaken(kept, mark)) return { kind: 'pending', mark };
    // When several guesses arrive at once, the bank judges one.
    if (journey.step !== 'code' || this.pending.isBusy(kept)) return { kind: 'go-on' };
    const post = { ...exchange, kept, journey, begun: journey.begun, mark };
    const decision = posted.get(fields.decision) as Decision | null;
    if (decision === 'send-again') return this.sendAgain(post, 'sent-again');
    const typed = readCode(posted.get(fields.code) ?? '');
    if ('fault' in typed) return this.advance.step(kept, withMessage(journey, typed.fault));
    // The process died before it sent the next code.
    if (journey.tries >= triesAtOneCode) return this.sendAgain(post, 'code-replaced');
    return this.judge(post, typed.code);
  }

  /** Asks the bank whether the customer has approved in the app; `undefined` while the customer has not. */
  async poll(exchange: SignInExchange, kept: StoredJourney): Promise<SignInOutcome | undefined> {
    const { journey } = kept;
    const { pending } = this;
    if (journey.step !== 'wait' || this.clock.nowMs() < journey.pollAtMs || pending.isBusy(kept)) return undefined;
    const taken = await pending.take(kept, journey, pending.pollMark);
    if (taken === undefined) return undefined;
    const underway = { ...exchange, kept: taken, begun: journey.begun, mark: pending.pollMark, polled: true } as const;
    const step = await this.polled(journey.state);
    if (step === undefined || step.step === 'wait') {
      const pollAtMs = this.clock.nowMs() + journey.pollAfterSeconds * 1_000;
      await this.journeys.step(taken, { ...journey, ...(step && { state: step.state }), pollAtMs });
      return undefined;
    }
    return this.asked(underway, () => Promise.resolve(step));
  }

  /** The browser came back from the bank's own sign-on. */
  async returned(exchange: SignInExchange, kept: StoredJourney): Promise<SignInOutcome> {
    const { journey } = kept;
    const { query, state } = returnOf(exchange.request);
    const mark = this.pending.markOfReturn(query);
    if (this.pending.isTaken(kept, mark)) return { kind: 'pending', mark };
    if (journey.step !== 'redirect' || this.pending.isBusy(kept)) return { kind: 'go-on' };
    if (!equalSecrets(state, journey.begun.returnState)) return { kind: 'stale' };
    const taken = await this.pending.take(kept, journey, mark);
    if (taken === undefined) return { kind: 'pending', mark };
    const underway = { ...exchange, kept: taken, begun: journey.begun, mark };
    return this.asked(underway, () => this.bank.returned(journey.state, query));
  }

  private async judge(post: CodePost, code: string): Promise<SignInOutcome> {
    const { begun, mark } = post;
    const journey = withTry(post.journey);
    const taken = await this.pending.take(post.kept, journey, mark);
    if (taken === undefined) return { kind: 'pending', mark };
    const underway = { ...post, kept: taken, journey };
    try {
      const judged = await this.bank.continue(journey.state, { input: 'code', code });
      const refusal = judged.step === 'refused' ? judged.reason : undefined;
      // An expired code cannot be guessed, so the try does not count.
      if (refusal === 'expired') return await this.advance.step(taken, withMessage(post.journey, 'code-expired'));
      if (refusal !== 'wrong') return await this.advance.by(underway, judged);
      this.trail.step('sign-in-failed', post.subject, { reason: 'sign-in-wrong' });
      if (journey.tries < triesAtOneCode) return await this.advance.step(taken, withMessage(journey, 'wrong-code'));
    } catch (error) {
      return this.advance.unavailable({ kept: taken, begun, subject: post.subject }, error);
    }
    return this.sendAgain(underway, 'code-replaced');
  }

  /**
   * Sends another code, which counts like a sign-in: an attacker cannot flood a customer with codes this way either.
   * @param message why: the customer asked for it, or the tries at the present code are used up
   */
  private async sendAgain(post: CodePost, message: 'sent-again' | 'code-replaced'): Promise<SignInOutcome> {
    const { request, kept, journey, begun, mark } = post;
    const { loginName } = begun;
    const { limits, clock, advance } = this;
    const taken = await this.pending.take(kept, journey, mark);
    if (taken === undefined) return { kind: 'pending', mark };
    const start = await limits.take(request, loginName, clock.nowMs());
    if (start === undefined && message === 'sent-again')
      return advance.step(taken, withMessage(journey, 'wait-for-code'));
    if (start === undefined) {
      await this.journeys.step(taken, backToSignIn(journey, 'not-recognised', loginName));
      return blocked;
    }
    const counted = { ...begun, starts: [...begun.starts, start] };
    const underway = { ...post, kept: taken, begun: counted };
    try {
      const next = await this.bank.continue(journey.state, { input: 'another-code' });
      if (next.step === 'refused' && next.reason === 'expired')
        return await advance.step(taken, backToSignIn(journey, 'code-expired', loginName));
      // A guess at the previous code must not count as a try at the next one: it arrives with the previous cookie.
      return await advance.by(underway, next, message);
    } catch (error) {
      return advance.unavailable(underway, error, start);
    }
  }

  /** The customer goes on waiting while the bank does not answer: the next question may be answered. */
  private async polled(state: string): Promise<Step | undefined> {
    try {
      return await this.bank.continue(state, { input: 'poll' });
    } catch (error) {
      this.log.fault(error);
      return undefined;
    }
  }

  private async asked(underway: Underway, ask: () => Promise<Step>): Promise<SignInOutcome> {
    try {
      return await this.advance.by(underway, await ask());
    } catch (error) {
      return this.advance.unavailable(underway, error);
    }
  }
}
