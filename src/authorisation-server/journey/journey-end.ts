import { Injectable } from '@nestjs/common';
import type { InteractionResults } from 'oidc-provider';
import { JourneyAnswers } from './journey-answers.js';
import { JourneyTrail } from '../sign-in/journey-trail.js';
import { JourneyStore } from '../sign-in/journey.store.js';
import { ended, stageOf } from '../sign-in/states.js';
import type { JourneyVisit } from './journey-visit.js';

/** Ends a journey, and sends the browser back to the TPP. */
@Injectable()
export class JourneyEnd {
  constructor(
    private readonly journeys: JourneyStore,
    private readonly answers: JourneyAnswers,
    private readonly trail: JourneyTrail,
  ) {}

  /** Ends the journey by `act`. Where two posts would end it, only one acts, so the TPP gets an answer that fits the consent. */
  async claim(visit: JourneyVisit, act: (claimed: JourneyVisit) => Promise<void>): Promise<void> {
    const stored = await this.journeys.step(visit.stored, visit.stored.journey);
    if (stored === undefined) return this.answers.elsewhere(visit);
    try {
      await act({ ...visit, stored });
    } catch (error) {
      await this.journeys.undo(stored);
      throw error;
    }
  }

  /** The customer decided nothing. */
  async abandoned(visit: JourneyVisit, reason: 'customer-left' | 'took-too-long', description: string): Promise<void> {
    this.trail.step('abandoned', visit.consent, { reason, stage: stageOf(visit.stored.journey) });
    await this.withError(visit, description);
  }

  /** The TPP learns only that access was denied, whether the customer refused or decided nothing. */
  async withError(visit: JourneyVisit, description: string): Promise<void> {
    await this.withResult(visit, { error: 'access_denied', error_description: description });
  }

  async withResult(visit: JourneyVisit, result: InteractionResults): Promise<void> {
    visit.interaction.result = result;
    await visit.interaction.persist();
    await this.leave(visit);
  }

  /** Sends the browser to the TPP, and gives it the last value of the cookie. */
  async leave(visit: JourneyVisit): Promise<void> {
    const { stored } = visit;
    const last = await this.journeys.renew(stored, ended(stored.journey));
    return last === undefined ? this.answers.elsewhere(visit) : this.answers.leave(visit, last.bearer);
  }
}
