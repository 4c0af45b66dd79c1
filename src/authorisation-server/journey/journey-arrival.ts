import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankClock } from '../../clock/clock.js';
import { OidcRoutes } from '../oidc/oidc.routes.js';
import { JourneyAnswers } from './journey-answers.js';
import { JourneyTrail } from '../sign-in/journey-trail.js';
import { JourneyStore } from '../sign-in/journey.store.js';
import { JourneyContextReader, type JourneyContext } from './journey-context.js';

export interface JourneyPath {
  id: string;
}

/** Finds the journey to which a request belongs. */
@Injectable()
export class JourneyArrival {
  constructor(
    private readonly contexts: JourneyContextReader,
    private readonly journeys: JourneyStore,
    private readonly answers: JourneyAnswers,
    private readonly library: OidcRoutes,
    private readonly clock: BankClock,
    private readonly trail: JourneyTrail,
  ) {}

  /** Sets `request.journeyContext`, or answers the request where the journey cannot go on. */
  async arrive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { id } = request.params as JourneyPath;
    const stored = await this.contexts.findJourney(request, id);
    if (stored === undefined) this.answers.notice(reply, 400, { kind: 'ended' });
    else if (stored.journey.step === 'ended') this.answers.leave({ reply, id });
    else {
      const context = await this.contexts.read(request, reply, id, stored);
      if (context === undefined) this.answers.notice(reply, 400, { kind: 'ended' });
      // At each step: it may have lost its standing since the one before.
      else if (!context.tppMayAct) {
        this.trail.step('ended', context.consent, { reason: 'tpp-suspended' });
        this.answers.barred(reply, context.tpp);
      }
      // Approved or refused already: the customer clicked twice, or went back to an earlier page.
      else if (context.interaction.result !== undefined) await this.answers.finish(context);
      else if (context.consent.reason === 'not-completed' && request.method === 'GET')
        this.answers.closed(context, 409);
      else if (this.clock.nowMs() >= stored.journey.deadlineMs)
        await this.answers.abandoned(context, 'took-too-long', 'the customer took too long');
      else {
        request.journeyContext = context;
        request.context.isProven = stored.journey.step === 'decide' || stored.journey.step === 'choose-customer';
        return undefined;
      }
    }
    return reply;
  }

  /** The journey has ended: the library sends the browser to the TPP. */
  async resume(request: FastifyRequest, reply: FastifyReply, url: string): Promise<FastifyReply> {
    const { id } = request.params as JourneyPath;
    const stored = await this.contexts.findJourney(request, id);
    const barred = stored && (await this.contexts.findBarredTpp(stored));
    if (stored === undefined) this.answers.notice(reply, 400, { kind: 'ended' });
    else if (barred !== undefined) this.answers.barred(reply, barred);
    else if (stored.journey.step !== 'ended') this.answers.goOn({ reply, id });
    // One of two requests at the same moment gets the answer: the library would give each a code.
    else if (!(await this.journeys.end(stored.bearer))) this.answers.notice(reply, 400, { kind: 'ended' });
    else {
      this.answers.takeCookie(reply, id);
      await this.library.resume(request, reply, url, stored.journey.request?.uid ?? '');
    }
    return reply;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    journeyContext: JourneyContext | undefined;
  }
}
