import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankClock } from '../../clock/clock.js';
import {
  CUSTOMER_AUTHENTICATION,
  CustomerAuthenticationUnavailable,
  type AuthenticatedCustomer,
  type CustomerAuthentication,
  type CustomerCredentials,
} from '../../customer-authentication/customer-authentication.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { fields, type Decision } from '../pages/customer-pages.js';
import {
  backToSignIn,
  challenged,
  idle,
  readCode,
  triesAtOneCode,
  withMessage,
  withTry,
  type CodeStep,
  type Journey,
  type SignedInCustomer,
} from './journey.policy.js';
import { JourneyStore, type StoredJourney } from './journey.store.js';
import { PendingPosts } from './pending-posts.js';
import { SignInLimits, type Start } from './sign-in-limits.js';

/**
 * - `go-on`: the journey has the customer's present step and the fault, if any; `bearer` is the new value of its cookie,
 *   where that was replaced.
 * - `pending`: an equal post, with this mark, is being carried out or was just carried out.
 * - `blocked`: a limit is reached; no answer says which.
 * - `signed-in`: both factors were right; `kept` is the journey as it is now, with the challenge used up, and `mark` that of
 *   the post.
 */
export type SignInOutcome =
  | { readonly kind: 'go-on'; readonly bearer?: string | undefined }
  | { readonly kind: 'pending'; readonly mark: string }
  | { readonly kind: 'blocked' }
  | {
      readonly kind: 'signed-in';
      readonly customer: SignedInCustomer;
      readonly kept: StoredJourney;
      readonly mark: string;
    };

const blocked = { kind: 'blocked' } as const;

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A post of a code, while no other post is under way. */
interface CodePost extends Exchange {
  readonly kept: StoredJourney;
  readonly journey: CodeStep;
  readonly mark: string;
}

/** `undefined` where a field was left empty. */
export function readCredentials(posted: URLSearchParams): CustomerCredentials | undefined {
  const loginName = typedName(posted);
  const password = posted.get(fields.password) ?? '';
  return loginName === '' || password === '' ? undefined : { loginName, password };
}

function typedName(posted: URLSearchParams): string {
  return (posted.get(fields.loginName) ?? '').trim();
}

/** Both factors, under the same limits, wherever customers sign in. No outcome tells which of the two was wrong. */
@Injectable()
export class SignInSteps {
  constructor(
    @Inject(CUSTOMER_AUTHENTICATION) private readonly customers: CustomerAuthentication,
    private readonly journeys: JourneyStore,
    private readonly pending: PendingPosts,
    private readonly limits: SignInLimits,
    private readonly clock: BankClock,
    private readonly settings: AuthorisationSettings,
    private readonly log: AuthorisationLog,
  ) {}

  /**
   * The first factor where no journey is stored yet. A start that is refused stores nothing.
   * @param bearer of the cookie under which `begin` begins the journey
   */
  async begin(
    { request }: Exchange,
    bearer: string,
    posted: URLSearchParams,
    begin: () => Promise<StoredJourney | undefined>,
  ): Promise<SignInOutcome> {
    const credentials = readCredentials(posted);
    if (credentials === undefined) return { kind: 'go-on' };
    const mark = this.pending.markOf(posted);
    const start = await this.limits.take(request, credentials.loginName, this.clock.nowMs());
    // The second post of a double click may be refused where the first one was not.
    if (start === undefined) return (await this.pending.isBegun(bearer, mark)) ? { kind: 'pending', mark } : blocked;
    const kept = await begin();
    const taken =
      kept === undefined || this.pending.isTaken(kept, mark)
        ? undefined
        : await this.pending.take(kept, kept.journey, mark);
    if (taken !== undefined) return this.challenge(taken, credentials, start, mark);
    await this.limits.giveBack(start);
    return { kind: 'pending', mark };
  }

  async signIn({ request }: Exchange, kept: StoredJourney, posted: URLSearchParams): Promise<SignInOutcome> {
    const { journey } = kept;
    const { limits, journeys, clock, pending } = this;
    const credentials = readCredentials(posted);
    if (credentials === undefined) return this.step(kept, backToSignIn(journey, 'incomplete', typedName(posted)));
    const mark = this.pending.markOf(posted);
    // A second code would make the first one useless.
    const taken = pending.isTaken(kept, mark) ? undefined : await pending.take(kept, journey, mark);
    if (taken === undefined) return { kind: 'pending', mark };
    // Counted before it is judged, and before anything is sent.
    const start = await limits.take(request, credentials.loginName, clock.nowMs());
    if (start !== undefined) return this.challenge(taken, credentials, start, mark);
    await journeys.step(taken, idle(journey));
    return blocked;
  }

  private async challenge(
    taken: StoredJourney,
    credentials: CustomerCredentials,
    start: Start,
    mark: string,
  ): Promise<SignInOutcome> {
    const { loginName } = credentials;
    try {
      const challenge = await this.customers.start(credentials, this.signal());
      const next = challenged(taken.journey, { loginName, challenge, starts: [start] });
      const renewed = await this.journeys.renew(taken, next, mark);
      return { kind: 'go-on', bearer: renewed?.bearer };
    } catch (error) {
      return this.unavailable(taken, error, loginName, [start]);
    }
  }

  async code(exchange: Exchange, kept: StoredJourney, posted: URLSearchParams): Promise<SignInOutcome> {
    const { journey } = kept;
    const mark = this.pending.markOf(posted);
    if (this.pending.isTaken(kept, mark)) return { kind: 'pending', mark };
    // When several guesses arrive at once, the bank judges one.
    if (journey.step !== 'code' || this.pending.isBusy(kept)) return { kind: 'go-on' };
    const post = { ...exchange, kept, journey, mark };
    const decision = posted.get(fields.decision) as Decision | null;
    if (decision === 'send-again') return this.sendAgain(post, 'sent-again');
    const typed = readCode(posted.get(fields.code) ?? '');
    if ('fault' in typed) return this.step(kept, withMessage(journey, typed.fault));
    // The process died before it sent the next code.
    if (journey.tries >= triesAtOneCode) return this.sendAgain(post, 'code-replaced');
    return this.judge(post, typed.code);
  }

  private async judge(post: CodePost, code: string): Promise<SignInOutcome> {
    const { kept, mark } = post;
    const journey = withTry(post.journey);
    const { loginName, challenge, starts } = journey;
    const taken = await this.pending.take(kept, journey, mark);
    if (taken === undefined) return { kind: 'pending', mark };
    try {
      const judged = await this.customers.verify(challenge, code, this.signal());
      if (typeof judged === 'object') return await this.recognised({ ...post, kept: taken, journey }, judged);
      // An expired code cannot be guessed, so the try does not count.
      if (judged === 'expired') return await this.step(taken, withMessage(post.journey, 'code-expired'));
      if (journey.tries < triesAtOneCode) return await this.step(taken, withMessage(journey, 'wrong-code'));
    } catch (error) {
      return this.unavailable(taken, error, loginName, starts);
    }
    return this.sendAgain({ ...post, kept: taken, journey }, 'code-replaced');
  }

  private async recognised(
    { reply, kept, journey, mark }: CodePost,
    { customerRef, customerRefs, displayName }: AuthenticatedCustomer,
  ): Promise<SignInOutcome> {
    const { loginName, starts } = journey;
    const authenticatedAtMs = this.clock.nowMs();
    await this.giveBack(starts);
    this.limits.remember(reply, loginName, authenticatedAtMs);
    const customer = { customerRef, ...(customerRefs && { customerRefs }), displayName, authenticatedAtMs };
    return { kind: 'signed-in', customer, kept, mark };
  }

  /**
   * Sends another code, which counts like a sign-in: an attacker cannot flood a customer with codes this way either.
   * @param message why: the customer asked for it, or the tries at the present code are used up
   */
  private async sendAgain(post: CodePost, message: 'sent-again' | 'code-replaced'): Promise<SignInOutcome> {
    const { request, kept, journey, mark } = post;
    const { loginName, challenge, starts } = journey;
    const { limits, clock, journeys } = this;
    const taken = await this.pending.take(kept, journey, mark);
    if (taken === undefined) return { kind: 'pending', mark };
    const start = await limits.take(request, loginName, clock.nowMs());
    if (start === undefined && message === 'sent-again') return this.step(taken, withMessage(journey, 'wait-for-code'));
    if (start === undefined) {
      await journeys.step(taken, backToSignIn(journey, 'not-recognised', loginName));
      return blocked;
    }
    const counted = [...starts, start];
    try {
      const next = await this.customers.sendAgain(challenge, this.signal());
      if (next === undefined) return await this.step(taken, backToSignIn(journey, 'code-expired', loginName));
      // A guess at the previous code must not count as a try at the next one: it arrives with the previous cookie.
      const another = withMessage(challenged(journey, { loginName, challenge: next, starts: counted }), message);
      const renewed = await journeys.renew(taken, another, mark);
      return { kind: 'go-on', bearer: renewed?.bearer };
    } catch (error) {
      return this.unavailable(taken, error, loginName, counted);
    }
  }

  /** The bank could not judge the factors: back to the beginning, and nothing is counted. */
  private async unavailable(
    kept: StoredJourney,
    error: unknown,
    loginName: string,
    starts: readonly Start[],
  ): Promise<SignInOutcome> {
    if (!(error instanceof CustomerAuthenticationUnavailable)) throw error;
    this.log.fault(error);
    await this.giveBack(starts);
    return this.step(kept, backToSignIn(kept.journey, 'unavailable', loginName));
  }

  private async giveBack(starts: readonly Start[]): Promise<void> {
    for (const start of starts) await this.limits.giveBack(start);
  }

  private async step(kept: StoredJourney, journey: Journey): Promise<SignInOutcome> {
    // If another window took a step first, the customer sees the page of that step.
    await this.journeys.step(kept, journey);
    return { kind: 'go-on' };
  }

  private signal(): AbortSignal {
    return AbortSignal.timeout(this.settings.deadlineMs);
  }
}
