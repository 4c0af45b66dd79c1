import { Injectable } from '@nestjs/common';
import { BankClock } from '../../clock/clock.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { fields } from '../pages/customer-pages.js';
import type { Journey } from './journey.js';
import { withPendingStep } from './journey.policy.js';
import { JourneyStore, type StoredJourney } from './journey.store.js';

/** The gateway's own work on a post, in addition to the bank's. */
const marginMs = 2_000;

/**
 * When a customer clicks twice, two equal posts arrive, and the browser drops the answer to the first. The first post asks
 * the bank. The second is answered at once: its browser waits on a page that loads itself again until the first is done.
 */
@Injectable()
export class PendingPosts {
  /** The mark of every post that ends a journey. Such a post proves nothing in addition to the cookie. */
  readonly endMark: string;
  /** The mark of every question whether the customer has approved in the bank's app. See `JourneyStore.settle`. */
  readonly pollMark: string;

  constructor(
    private readonly journeys: JourneyStore,
    private readonly clock: BankClock,
    private readonly settings: AuthorisationSettings,
  ) {
    this.endMark = journeys.mark('');
    this.pollMark = journeys.mark('poll');
  }

  /** The mark of a post with a factor. Equal posts have the same mark, and only a person who knows the factor can post it. */
  markOf(posted: URLSearchParams): string {
    const proof = [fields.loginName, fields.password, fields.code, fields.decision].map((field) => posted.get(field));
    return this.journeys.mark(JSON.stringify(proof));
  }

  /** The mark of a return from the bank's own sign-on, whose query only that browser knows. */
  markOfReturn(query: string): string {
    return this.journeys.mark(`return ${query}`);
  }

  /** Gives one of several posts the right to be carried out. `undefined`: another post changed the journey first. */
  take<J extends Journey>(kept: StoredJourney, journey: J, mark: string): Promise<StoredJourney | undefined> {
    const untilMs = this.clock.nowMs() + this.settings.deadlineMs + marginMs;
    return this.journeys.step(kept, withPendingStep(journey, { untilMs, mark }));
  }

  /** Whether any post is being carried out. */
  isBusy({ journey: { busy } }: StoredJourney): boolean {
    return busy !== undefined && this.clock.nowMs() < busy.untilMs;
  }

  /** Whether a post with this mark is being carried out. */
  isTaken(kept: StoredJourney, mark: string): boolean {
    return this.isBusy(kept) && kept.journey.busy?.mark === mark;
  }

  /** Whether a journey lives under this cookie, or an equal post has replaced the cookie. */
  async isBegun(bearer: string, mark: string): Promise<boolean> {
    const kept = await this.journeys.find(bearer, this.clock.nowMs());
    return kept !== undefined || (await this.journeys.successor(bearer, mark)) !== undefined;
  }
}
