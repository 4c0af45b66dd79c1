import { Injectable } from '@nestjs/common';
import type { InteractionResults } from 'oidc-provider';
import { JourneyAnswers } from './journey-answers.js';
import { JourneyTrail } from '../sign-in/journey-trail.js';
import { JourneyStore } from '../sign-in/journey.store.js';
import { ended, stageOf } from '../sign-in/states.js';
import type { JourneyContext } from './journey-context.js';

/** Ends a journey, and sends the browser back to the TPP. */
@Injectable()
export class JourneyEnd {
  constructor(
    private readonly journeys: JourneyStore,
    private readonly answers: JourneyAnswers,
    private readonly trail: JourneyTrail,
  ) {}

  /** Ends the journey by `act`. Where two posts would end it, only one acts, so the TPP gets an answer that fits the consent. */
  async claim(context: JourneyContext, act: (claimed: JourneyContext) => Promise<void>): Promise<void> {
    const stored = await this.journeys.step(context.stored, context.stored.journey);
    if (stored === undefined) return this.answers.elsewhere(context);
    try {
      await act({ ...context, stored });
    } catch (error) {
      await this.journeys.undo(stored);
      throw error;
    }
  }

  /** The customer decided nothing. */
  async abandoned(
    context: JourneyContext,
    reason: 'customer-left' | 'took-too-long',
    description: string,
  ): Promise<void> {
    this.trail.step('abandoned', context.consent, { reason, stage: stageOf(context.stored.journey) });
    await this.withError(context, description);
  }

  /** The TPP learns only that access was denied, whether the customer refused or decided nothing. */
  async withError(context: JourneyContext, description: string): Promise<void> {
    await this.withResult(context, { error: 'access_denied', error_description: description });
  }

  async withResult(context: JourneyContext, result: InteractionResults): Promise<void> {
    context.interaction.result = result;
    await context.interaction.persist();
    await this.leave(context);
  }

  /** Sends the browser to the TPP, and gives it the last value of the cookie. */
  async leave(context: JourneyContext): Promise<void> {
    const { stored } = context;
    const last = await this.journeys.renew(stored, ended(stored.journey));
    return last === undefined ? this.answers.elsewhere(context) : this.answers.leave(context, last.bearer);
  }
}
