import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { InteractionResults } from 'oidc-provider';
import { BankClock } from '../../clock/clock.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { JourneyAnswers } from './journey-answers.js';
import { withPendingStep, ended } from './journey.policy.js';
import { JourneyStore } from './journey.store.js';
import { followEveryMs, followMs } from './pending-posts.js';
import type { Visit } from './visit.js';

/** A post that ends the journey needs no proof beside the cookie: it follows the step that ended the journey. */
export const anyPost = '';

/** The end of a journey, which leads back to the TPP. */
@Injectable()
export class JourneyEnd {
  constructor(
    private readonly journeys: JourneyStore,
    private readonly answers: JourneyAnswers,
    private readonly clock: BankClock,
    private readonly settings: AuthorisationSettings,
  ) {}

  /**
   * Ends the journey by `act`. Of two clicks, or of what two windows answer at once, one has the right to, and the other is
   * led where that one leads. So the TPP is told the truth about the consent.
   */
  async claim(visit: Visit, act: (claimed: Visit) => Promise<void>): Promise<void> {
    const { journey } = visit.kept;
    const nowMs = this.clock.nowMs();
    const isDecided = journey.step === 'decide' && journey.busy !== undefined && nowMs < journey.busy.untilMs;
    const busy = { untilMs: nowMs + this.settings.deadlineMs + followMs, post: anyPost };
    const kept = isDecided ? undefined : await this.journeys.step(visit.kept, withPendingStep(journey, busy));
    return kept === undefined ? this.wait(visit) : act({ ...visit, kept });
  }

  /** For the answer that another post is giving. */
  async wait(visit: Visit): Promise<void> {
    const { bearer } = visit.kept;
    for (let waitedMs = 0; waitedMs < followMs; waitedMs += followEveryMs) {
      if ((await this.journeys.find(bearer, this.clock.nowMs())) === undefined) break;
      await sleep(followEveryMs);
    }
    this.answers.goOn(visit, await this.journeys.successor(bearer, anyPost));
  }

  /** Nothing was decided, or the customer refused: the TPP is told, and told no more than that. */
  async withError(visit: Visit, description: string): Promise<void> {
    await this.withResult(visit, { error: 'access_denied', error_description: description });
  }

  async withResult(visit: Visit, result: InteractionResults): Promise<void> {
    visit.interaction.result = result;
    await visit.interaction.persist();
    await this.leave(visit);
  }

  /** To the TPP, under the last value of the cookie. */
  async leave(visit: Visit): Promise<void> {
    const { kept } = visit;
    const last = await this.journeys.renew(kept, ended(kept.journey), anyPost);
    this.answers.leave(visit, last?.bearer ?? (await this.journeys.successor(kept.bearer, anyPost)));
  }
}
