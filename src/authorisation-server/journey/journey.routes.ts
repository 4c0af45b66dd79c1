import { authorisationPaths as paths, mountPath } from '../../open-banking/authorisation-paths.js';
import { Injectable } from '@nestjs/common';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BankClock } from '../../clock/clock.js';
import { canBeAnswered } from '../../consents/access.policy.js';
import { TppMayNotAct } from '../../consents/consent-errors.js';
import { toOpenBankingError } from '../../server/error-responder.js';
import { equalSecrets } from '../../security/client-certificate.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { declareRoutes } from '../../server/routes.js';
import { acceptForms, formTooLarge, postedForm } from '../listeners/posted-form.js';
import { hasGone } from '../listeners/refusals.js';
import { OidcRoutes } from '../oidc/oidc.routes.js';
import { fields, type Decision } from '../pages/customer-pages.js';
import { formToken } from '../sealing.js';
import { JourneyAnswers } from './journey-answers.js';
import { JourneyDecision } from './journey-decision.js';
import { anyPost, JourneyEnd } from './journey-end.js';
import { journeysPath, journeySteps, pageOf, type JourneyStep } from './journey-places.js';
import { JourneyShow } from './journey-show.js';
import { JourneySignIn } from './journey-sign-in.js';
import { JourneyStore } from './journey.store.js';
import { provedBy } from './pending-posts.js';
import { Visits, type Visit } from './visit.js';

interface JourneyPath {
  id: string;
}

/** The customer's way through the pages, over HTTP. The journey's cookie is another one after each step that changes who is signed in. */
@Injectable()
export class JourneyRoutes {
  constructor(
    private readonly visits: Visits,
    private readonly journeys: JourneyStore,
    private readonly pages: JourneyShow,
    private readonly signIn: JourneySignIn,
    private readonly decision: JourneyDecision,
    private readonly ending: JourneyEnd,
    private readonly answers: JourneyAnswers,
    private readonly library: OidcRoutes,
    private readonly clock: BankClock,
    private readonly log: AuthorisationLog,
  ) {}

  declare(server: FastifyInstance, url: string): void {
    declareRoutes(server, journeysPath, (routes) => {
      acceptForms(routes);
      routes.decorateRequest('visit', undefined);
      routes.setErrorHandler((error: FastifyError, request, reply) => this.failed(error, request, reply));
      // Before the methods that a path lacks are refused as well: without the cookie nobody learns what is there.
      routes.addHook('preHandler', (request, reply) => this.arrive(request, reply));
      routes.get('/:id', async ({ visit }, reply) => {
        await this.pages.show(arrived(visit));
        return reply;
      });
      for (const step of journeySteps)
        routes.post(`/:id/${step}`, { config: { step } }, async ({ visit }, reply) => {
          await this.post(arrived(visit), step);
          return reply;
        });
    });
    declareRoutes(server, `${mountPath}${paths.authorization}`, (routes) => {
      routes.setErrorHandler((error: FastifyError, request, reply) => this.failed(error, request, reply));
      routes.get('/:id', (request, reply) => this.resume(request, reply, url));
    });
  }

  /** Finds what the request is about; where the journey cannot go on, it is answered here. */
  private async arrive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { id } = request.params as JourneyPath;
    const kept = await this.visits.journey(request, id);
    if (kept === undefined) await this.follow(request, reply, id);
    else if (kept.journey.step === 'ended') this.answers.leave({ reply, id });
    else {
      const visit = await this.visits.visit(request, reply, id, kept);
      if (visit === undefined) this.answers.notice(reply, 400, { kind: 'ended' });
      // At each step: it may have lost its standing since the one before.
      else if (!visit.tppMayAct) this.answers.barred(reply, visit.tpp);
      // Approved or refused already: a second click, or a page that was gone back to.
      else if (visit.interaction.result !== undefined) await this.ending.leave(visit);
      else if (this.clock.nowMs() >= kept.journey.deadlineMs)
        await this.ending.withError(visit, 'the customer took too long');
      else {
        request.visit = visit;
        return undefined;
      }
    }
    return reply;
  }

  /** Under a cookie that was replaced: only who posts the same once more is led on, and gets the present one. */
  private async follow(request: FastifyRequest, reply: FastifyReply, id: string): Promise<void> {
    const { step } = request.routeOptions.config;
    const former = this.visits.bearerOf(request, id);
    const posted = former && step ? postedForm(request) : undefined;
    const bearer =
      former && posted && equalSecrets(posted.get(fields.csrf) ?? undefined, formToken(former))
        ? await this.journeys.successor(former, step === 'sign-in' || step === 'code' ? provedBy(posted) : anyPost)
        : undefined;
    if (bearer === undefined) return this.answers.notice(reply, 400, { kind: 'ended' });
    this.answers.goOn({ reply, id }, bearer);
  }

  private async post(visit: Visit, step: JourneyStep): Promise<void> {
    const posted = postedForm(visit.request);
    // A page of another site cannot know the token: whatever it posts changes nothing.
    if (posted === undefined || !equalSecrets(posted.get(fields.csrf) ?? undefined, formToken(visit.kept.bearer)))
      return this.answers.noticeOf(visit, 'form-expired', 403);
    const decision = (posted.get(fields.decision) ?? 'continue') as Decision;
    if (step === 'cancel' || decision === 'cancel')
      return this.ending.claim(visit, (claimed) => this.ending.withError(claimed, 'the customer went back'));
    // Nothing is asked of a customer for a consent that can no longer be given.
    if ((step === 'sign-in' || step === 'code') && !canBeAnswered(visit.consent))
      return this.answers.noticeOf(visit, 'already-decided', 409);
    switch (step) {
      case 'sign-in':
        return this.signIn.signIn(visit, posted);
      case 'code':
        return this.signIn.code(visit, posted);
      case 'decision':
        return this.decision.decide(visit, decision, posted.getAll(fields.account));
    }
  }

  /** The journey has ended: the library sends the browser to the TPP. */
  private async resume(request: FastifyRequest, reply: FastifyReply, url: string): Promise<FastifyReply> {
    const { id } = request.params as JourneyPath;
    const kept = await this.visits.journey(request, id);
    const barred = kept && (await this.visits.barredTpp(kept));
    if (kept === undefined) this.answers.notice(reply, 400, { kind: 'ended' });
    else if (barred !== undefined) this.answers.barred(reply, barred);
    else if (kept.journey.step !== 'ended') this.answers.goOn({ reply, id });
    // One of two requests at the same moment gets the answer: the library would give each a code.
    else if (!(await this.journeys.end(kept.bearer))) this.answers.notice(reply, 400, { kind: 'ended' });
    else {
      this.answers.takeCookie(reply, id);
      this.library.resume(request, reply, url, kept.journey.request?.uid ?? '');
    }
    return reply;
  }

  private failed(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    if (hasGone(request, reply)) return;
    const { id } = request.params as JourneyPath;
    if (error.code === formTooLarge)
      return this.answers.notice(reply, 403, { kind: 'form-expired', resume: pageOf(id) });
    if (error instanceof TppMayNotAct) return this.answers.barred(reply, request.visit?.tpp);
    const { kind, details } = toOpenBankingError(error);
    if (kind === 'field-invalid' && details[0]?.path === 'customerRef')
      return this.answers.notice(reply, 403, { kind: 'another-customer' });
    if (kind === 'consent-status' || kind === 'consent-not-found')
      return this.answers.notice(reply, 409, { kind: 'already-decided' });
    this.log.fault(error);
    this.answers.notice(reply, 503, { kind: 'unavailable', resume: pageOf(id) });
  }
}

function arrived(visit: Visit | undefined): Visit {
  if (visit === undefined) throw new Error('the request has found no journey');
  return visit;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The journey that a request belongs to. */
    visit: Visit | undefined;
  }
  interface FastifyContextConfig {
    /** The step that is posted there. */
    step?: JourneyStep;
  }
}
