import { Injectable } from '@nestjs/common';
import type { InteractionResults } from 'oidc-provider';
import { JourneyAnswers } from './journey-answers.js';
import { ended, idle, stageOf } from './journey.policy.js';
import { JourneyTrail } from './journey-trail.js';
import { JourneyStore } from './journey.store.js';
import { PendingPosts } from './pending-posts.js';
import type { Visit } from './visit.js';

/** The end of a journey, which leads back to the TPP. */
@Injectable()
export class JourneyEnd {
  constructor(
    private readonly journeys: JourneyStore,
    private readonly pending: PendingPosts,
    private readonly answers: JourneyAnswers,
    private readonly trail: JourneyTrail,
  ) {}

  /**
   * Ends the journey by `act`. When two posts would end it, from a double click or from two windows, the first one acts and
   * the browser of the second waits for it. So the TPP is told the truth about the consent.
   */
  async claim(visit: Visit, act: (claimed: Visit) => Promise<void>): Promise<void> {
    const { journeys, pending } = this;
    const { journey } = visit.kept;
    const isEnding = pending.isTaken(visit.kept, pending.endMark);
    const kept = isEnding ? undefined : await pending.take(visit.kept, journey, pending.endMark);
    if (kept === undefined) return this.wait(visit);
    try {
      await act({ ...visit, kept });
    } catch (error) {
      await journeys.step(kept, idle(journey));
      throw error;
    }
  }

  /** For the end that another post is carrying out. */
  wait(visit: Visit): void {
    this.answers.wait(visit, this.pending.endMark);
  }

  /** The customer decided nothing. */
  async abandoned(visit: Visit, reason: 'customer-left' | 'took-too-long', description: string): Promise<void> {
    this.trail.step('abandoned', visit.consent, { reason, stage: stageOf(visit.kept.journey) });
    await this.withError(visit, description);
  }

  /** The TPP learns only that access was denied, whether the customer refused or decided nothing. */
  async withError(visit: Visit, description: string): Promise<void> {
    await this.withResult(visit, { error: 'access_denied', error_description: description });
  }

  async withResult(visit: Visit, result: InteractionResults): Promise<void> {
    visit.interaction.result = result;
    await visit.interaction.persist();
    await this.leave(visit);
  }

  /** Leads to the TPP, and gives the browser the last value of the cookie. */
  async leave(visit: Visit): Promise<void> {
    const { kept } = visit;
    const last = await this.journeys.renew(kept, ended(kept.journey), this.pending.endMark);
    return last === undefined ? this.wait(visit) : this.answers.leave(visit, last.bearer);
  }
}
