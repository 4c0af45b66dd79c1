import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { BankClock } from '../../clock/clock.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { fields } from '../pages/customer-pages.js';
import { withPendingStep, type Journey } from './journey.policy.js';
import { JourneyStore, type StoredJourney } from './journey.store.js';

/** How long the second of two equal posts waits beyond the deadline of what the first one asks. */
export const followMs = 2_000;
export const followEveryMs = 50;

/** The proof of a post beside the cookie: the factor that the customer typed, and the button. */
export function provedBy(posted: URLSearchParams): string {
  return JSON.stringify(
    [fields.loginName, fields.password, fields.code, fields.decision].map((field) => posted.get(field)),
  );
}

/** Of a double click one post asks the bank; the other one waits for it and is led where that one leads. */
@Injectable()
export class PendingPosts {
  constructor(
    private readonly journeys: JourneyStore,
    private readonly clock: BankClock,
    private readonly settings: AuthorisationSettings,
  ) {}

  /** The right to carry out this post: of several at once one has it. */
  take<J extends Journey>(kept: StoredJourney, journey: J, proof: string): Promise<StoredJourney | undefined> {
    const untilMs = this.clock.nowMs() + this.settings.deadlineMs + followMs;
    return this.journeys.step(kept, withPendingStep(journey, { untilMs, post: this.journeys.mark(proof) }));
  }

  /** Whether any post is being carried out. */
  isBusy({ journey: { busy } }: StoredJourney): boolean {
    return busy !== undefined && this.clock.nowMs() < busy.untilMs;
  }

  /** Whether this very post is. */
  isTaken(kept: StoredJourney, proof: string): boolean {
    return this.isBusy(kept) && kept.journey.busy?.post === this.journeys.mark(proof);
  }

  /** Whether a journey lives under this cookie, or began under it by this very post. */
  async isBegun(bearer: string, proof: string): Promise<boolean> {
    const kept = await this.journeys.find(bearer, this.clock.nowMs());
    return kept !== undefined || (await this.journeys.successor(bearer, proof)) !== undefined;
  }

  /** Waits until this very post is carried out, and gives the value of the cookie where that is another one then. */
  async follow({ bearer }: Pick<StoredJourney, 'bearer'>, proof: string): Promise<string | undefined> {
    const { journeys, clock } = this;
    for (let waitedMs = 0; waitedMs < this.settings.deadlineMs + followMs; waitedMs += followEveryMs) {
      const kept = await journeys.find(bearer, clock.nowMs());
      if (kept === undefined) return journeys.successor(bearer, proof);
      if (!this.isTaken(kept, proof)) break;
      await sleep(followEveryMs);
    }
    return undefined;
  }
}
