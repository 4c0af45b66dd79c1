import { authorisationPaths as paths, mountPath } from '../../open-banking/authorisation-paths.js';
import { Injectable } from '@nestjs/common';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { canBeAnswered } from '../../consents/access.policy.js';
import { TppMayNotAct } from '../../consents/consent-errors.js';
import { toOpenBankingError } from '../../server/error-responder.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { declareRoutes } from '../../server/routes.js';
import { acceptForms, formTooLarge, postedForm } from '../listeners/posted-form.js';
import { seeOther } from '../listeners/page-answer.js';
import { hasGone } from '../listeners/fault-answers.js';
import { fields, type Decision } from '../pages/customer-pages.js';
import { readFormToken } from '../sealing.js';
import { JourneyAnswers } from './journey-answers.js';
import { JourneyArrival, type JourneyPath } from './journey-arrival.js';
import { JourneyDecision } from './journey-decision.js';
import {
  journeysPath,
  journeySteps,
  pageOf,
  returnAddress,
  returnedStep,
  returnPath,
  type JourneyStep,
} from '../sign-in/journey-addresses.js';
import { JourneyPages } from './journey-pages.js';
import { JourneySignIn } from './journey-sign-in.js';
import type { JourneyContext } from './journey-context.js';

/** The customer's way through the pages, over HTTP. Each step that changes who is signed in replaces the journey's cookie. */
@Injectable()
export class JourneyRoutes {
  constructor(
    private readonly arrival: JourneyArrival,
    private readonly pages: JourneyPages,
    private readonly signIn: JourneySignIn,
    private readonly decision: JourneyDecision,
    private readonly answers: JourneyAnswers,
    private readonly log: AuthorisationLog,
  ) {}

  declare(server: FastifyInstance, url: string): void {
    declareRoutes(server, journeysPath, (routes) => {
      acceptForms(routes);
      routes.decorateRequest('journeyContext', undefined);
      routes.setErrorHandler((error: FastifyError, request, reply) => this.failed(error, request, reply));
      // This also runs before a missing method is refused: a browser without the cookie learns nothing about the paths.
      routes.addHook('preHandler', (request, reply) => this.arrival.arrive(request, reply));
      routes.get('/:id', async ({ journeyContext }, reply) => {
        await this.pages.show(arrived(journeyContext));
        return reply;
      });
      for (const step of journeySteps)
        routes.post(`/:id/${step}`, async ({ journeyContext }, reply) => {
          await this.post(arrived(journeyContext), step);
          return reply;
        });
      routes.get(`/:id/${returnedStep}`, async ({ journeyContext }, reply) => {
        await this.returned(arrived(journeyContext));
        return reply;
      });
    });
    declareRoutes(server, returnPath, (routes) => {
      routes.get('/', async (request, reply) => this.fromBank(request, reply));
    });
    declareRoutes(server, `${mountPath}${paths.authorization}`, (routes) => {
      routes.setErrorHandler((error: FastifyError, request, reply) => this.failed(error, request, reply));
      routes.get('/:id', (request, reply) => this.arrival.resume(request, reply, url));
    });
  }

  private async post(context: JourneyContext, step: JourneyStep): Promise<void> {
    const posted = postedForm(context.request);
    // A page of another site does not know the token, so its posts change nothing.
    const version = readFormToken(posted?.get(fields.csrf), context.stored.bearer);
    if (posted === undefined || version === undefined) return this.answers.noticeOf(context, 'form-expired', 403);
    // The form was posted before, or another window has taken its step.
    if (version !== context.stored.version) return this.answers.elsewhere(context);
    const decision = (posted.get(fields.decision) ?? 'continue') as Decision;
    if (step === 'cancel' || decision === 'cancel')
      return this.answers.claim(context, (claimed) =>
        this.answers.abandoned(claimed, 'customer-left', 'the customer went back'),
      );
    // The consent can no longer be given: the customer need not sign in.
    if (!canBeAnswered(context.consent) && (step !== 'decision' || context.consent.reason === 'not-completed'))
      return this.answers.closed(context, 409);
    if (step === 'decision') return this.decision.decide(context, decision, posted.getAll(fields.account));
    return this.signIn.post(context, step, posted);
  }

  /** From the bank's own sign-on, with the parameters of its answer. A browser without the journey's cookie gets nothing. */
  private fromBank(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const address = returnAddress(request);
    if (address === undefined) this.answers.notice(reply, 400, { kind: 'ended' });
    else seeOther(reply, address);
    return reply;
  }

  private async returned(context: JourneyContext): Promise<void> {
    if (!canBeAnswered(context.consent)) return this.answers.closed(context, 409);
    return this.signIn.returned(context);
  }

  private failed(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    if (hasGone(request, reply)) return;
    const { id } = request.params as JourneyPath;
    if (error.code === formTooLarge)
      return this.answers.notice(reply, 403, { kind: 'form-expired', resume: pageOf(id) });
    if (error instanceof TppMayNotAct) return this.answers.barred(reply, request.journeyContext?.tpp);
    const { kind, details } = toOpenBankingError(error);
    if (kind === 'field-invalid' && details[0]?.path === 'customerRef')
      return this.answers.notice(reply, 403, { kind: 'another-customer' });
    if (kind === 'consent-status' || kind === 'consent-not-found')
      return this.answers.notice(reply, 409, { kind: 'already-decided' });
    this.log.fault(error);
    this.answers.notice(reply, 503, { kind: 'unavailable', resume: pageOf(id) });
  }
}

function arrived(context: JourneyContext | undefined): JourneyContext {
  if (context === undefined) throw new Error('the request has found no journey');
  return context;
}
