import { Injectable } from '@nestjs/common';
import { BankClock } from '../../clock/clock.js';
import type { CustomerCredentials } from '../../../packages/customer-authentication/customer-authentication.js';
import { fields } from '../pages/customer-pages.js';
import { BankSignOn } from './bank-sign-on.js';
import { backToSignIn, chosenCustomer, idle, signedIn, unsettled, withMessage } from './journey.policy.js';
import type { SignedInCustomer } from './journey.js';
import { JourneyStore, type StoredJourney } from './journey.store.js';
import { PendingPosts } from './pending-posts.js';
import { SignInAdvance } from './sign-in-advance.js';
import { SignInLimits, type Start } from './sign-in-limits.js';
import { blocked, type SignedInOutcome, type SignInExchange, type SignInOutcome } from './sign-in-outcome.js';

/** `undefined` where a field was left empty. */
export function readCredentials(posted: URLSearchParams): CustomerCredentials | undefined {
  const loginName = typedName(posted);
  const password = posted.get(fields.password) ?? '';
  return loginName === '' || password === '' ? undefined : { loginName, password };
}

function typedName(posted: URLSearchParams): string {
  return (posted.get(fields.loginName) ?? '').trim();
}

/** The first step and the last one, under the same limits wherever customers sign in. */
@Injectable()
export class SignInSteps {
  constructor(
    private readonly bank: BankSignOn,
    private readonly advance: SignInAdvance,
    private readonly journeys: JourneyStore,
    private readonly pending: PendingPosts,
    private readonly limits: SignInLimits,
    private readonly clock: BankClock,
  ) {}

  /** Whether the post lacks what the bank must have at once. */
  isIncomplete(posted: URLSearchParams): boolean {
    return this.bank.asksCredentials && readCredentials(posted) === undefined;
  }

  /**
   * The first step where no journey is stored yet. A start that is refused stores nothing.
   * @param bearer of the cookie under which `begin` begins the journey
   */
  async begin(
    exchange: SignInExchange,
    bearer: string,
    posted: URLSearchParams,
    begin: () => Promise<StoredJourney | undefined>,
  ): Promise<SignInOutcome> {
    if (this.isIncomplete(posted)) return { kind: 'go-on' };
    const credentials = this.credentialsOf(posted);
    const mark = this.pending.markOf(posted);
    const start = await this.limits.take(exchange.request, credentials?.loginName, this.clock.nowMs());
    // The second post of a double click may be refused where the first one was not.
    if (start === undefined) return (await this.pending.isBegun(bearer, mark)) ? { kind: 'pending', mark } : blocked;
    const kept = await begin();
    const taken =
      kept === undefined || this.pending.isTaken(kept, mark)
        ? undefined
        : await this.pending.take(kept, kept.journey, mark);
    if (taken !== undefined) return this.askBank(exchange, taken, credentials, start, mark);
    await this.limits.giveBack(start);
    return { kind: 'pending', mark };
  }

  async signIn(exchange: SignInExchange, kept: StoredJourney, posted: URLSearchParams): Promise<SignInOutcome> {
    const { journey } = kept;
    const { limits, journeys, clock, pending } = this;
    if (this.isIncomplete(posted))
      return this.advance.step(kept, backToSignIn(journey, 'incomplete', typedName(posted)));
    const credentials = this.credentialsOf(posted);
    const mark = this.pending.markOf(posted);
    // A second code would make the first one useless.
    const taken = pending.isTaken(kept, mark) ? undefined : await pending.take(kept, journey, mark);
    if (taken === undefined) return { kind: 'pending', mark };
    // Counted before it is judged, and before anything is sent.
    const start = await limits.take(exchange.request, credentials?.loginName, clock.nowMs());
    if (start !== undefined) return this.askBank(exchange, taken, credentials, start, mark);
    await journeys.step(taken, idle(journey));
    return blocked;
  }

  /** Stores that the person is signed in; `undefined` where another post did so first. */
  enter(
    { kept, mark, polled }: SignedInOutcome,
    customers: readonly SignedInCustomer[],
  ): Promise<StoredJourney | undefined> {
    const next = signedIn(kept.journey, customers);
    return this.journeys.renew(kept, polled ? unsettled(next) : next, mark);
  }

  /** The person says for which customer. The cookie stays: this proves nothing new. */
  async choose(kept: StoredJourney, posted: URLSearchParams): Promise<SignInOutcome> {
    const { journey } = kept;
    if (journey.step !== 'choose-customer') return { kind: 'go-on' };
    const customer = chosenCustomer(journey, posted.get(fields.customer) ?? '');
    return this.advance.step(
      kept,
      customer === undefined ? withMessage(journey, 'choose-a-customer') : signedIn(journey, [customer]),
    );
  }

  private credentialsOf(posted: URLSearchParams): CustomerCredentials | undefined {
    return this.bank.asksCredentials ? readCredentials(posted) : undefined;
  }

  private async askBank(
    exchange: SignInExchange,
    kept: StoredJourney,
    credentials: CustomerCredentials | undefined,
    start: Start,
    mark: string,
  ): Promise<SignInOutcome> {
    const begun = {
      ...(credentials && { loginName: credentials.loginName }),
      atMs: start.atMs,
      starts: [start],
      returnState: this.bank.newReturnState(exchange),
    };
    const underway = { ...exchange, kept, begun, mark };
    try {
      return await this.advance.by(underway, await this.bank.begin(exchange, begun.returnState, credentials));
    } catch (error) {
      return this.advance.unavailable(underway, error, start);
    }
  }
}
