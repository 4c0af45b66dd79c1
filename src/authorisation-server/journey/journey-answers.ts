import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import { cookieLine, setCookie } from '../listeners/cookies.js';
import { refreshAfter, seeOther, sendPage } from '../listeners/page-answer.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { PagesByLanguage } from '../pages/pages.js';
import {
  dashboardPath,
  type AccessRequest,
  type NoticeKind,
  type NoticeView,
  type PageDocument,
} from '../pages/customer-pages.js';
import { formOf, journeyCookie, leavingAddress, pageOf, resumeOf } from '../sign-in/journey-addresses.js';
import { JourneyTrail } from '../sign-in/journey-trail.js';
import { JourneyStore } from '../sign-in/journey.store.js';
import type { SignInPage } from '../sign-in/page.js';
import { ended, stageOf } from '../sign-in/states.js';
import type { JourneyContext } from './journey-context.js';

/** The answers to a request on a journey, also those that end it and send the browser back to the TPP. */
@Injectable()
export class JourneyAnswers {
  constructor(
    private readonly pages: PagesByLanguage,
    private readonly journeys: JourneyStore,
    private readonly settings: AuthorisationSettings,
    private readonly trail: JourneyTrail,
  ) {}

  page({ reply, redirectUri }: JourneyContext, document: PageDocument): void {
    sendPage(reply, 200, document, { redirect: redirectUri });
  }

  signInPage(context: JourneyContext, { document, refresh }: SignInPage): void {
    if (refresh !== undefined) refreshAfter(context.reply, refresh.seconds, refresh.address);
    this.page(context, document);
  }

  /**
   * Something ended or cannot go on, and the customer can go back to the TPP.
   * @param bankPage where the customer can put it right
   */
  noticeOf(
    { reply, tpp, id, stored, redirectUri }: JourneyContext,
    kind: NoticeKind,
    status = 200,
    bankPage?: string,
  ): void {
    const way = {
      ...((kind === 'form-expired' || kind === 'accounts-unavailable') && { resume: pageOf(id) }),
      ...(kind !== 'form-expired' && { back: formOf(pageOf(id), 'cancel', stored) }),
      ...(bankPage !== undefined && { resume: bankPage }),
    };
    sendPage(reply, status, this.pages.for(reply.request).notice({ kind, tpp, ...way }), { redirect: redirectUri });
  }

  /** The consent can no longer be given. */
  closed(context: JourneyContext, status?: number): void {
    this.noticeOf(context, context.consent.reason === 'not-completed' ? 'too-late' : 'already-decided', status);
  }

  /** A notice where the journey is not known. */
  notice(reply: FastifyReply, status: number, view: NoticeView): void {
    sendPage(reply, status, this.pages.for(reply.request).notice(view));
  }

  /** The TPP may not act: the notice has no way back to it. */
  barred(reply: FastifyReply, tpp: AccessRequest['tpp'] | undefined): void {
    this.notice(reply, 403, { kind: 'tpp-barred', ...(tpp && { tpp }), resume: dashboardPath });
  }

  /** @param bearer the new value of the cookie, where it was replaced */
  goOn({ reply, id }: Pick<JourneyContext, 'reply' | 'id'>, bearer?: string): void {
    this.giveCookie(reply, id, bearer);
    seeOther(reply, pageOf(id));
  }

  /** To the page that sends the browser on to the bank's own sign-on. */
  leaveForBank({ reply, id }: Pick<JourneyContext, 'reply' | 'id'>): void {
    seeOther(reply, leavingAddress(pageOf(id)));
  }

  /** The post changes nothing: the journey goes on where the customer posted first. */
  elsewhere({ reply, id }: Pick<JourneyContext, 'reply' | 'id'>): void {
    this.notice(reply, 409, { kind: 'elsewhere', resume: pageOf(id) });
  }

  /** To the library, which redirects to the TPP. */
  leave({ reply, id }: Pick<JourneyContext, 'reply' | 'id'>, bearer?: string): void {
    this.giveCookie(reply, id, bearer);
    seeOther(reply, resumeOf(id));
  }

  /** To be called before the library answers, because the library's answer bypasses Fastify. */
  takeCookie({ raw }: FastifyReply, id: string): void {
    raw.appendHeader('set-cookie', cookieLine(journeyCookie(id, this.settings.secure)));
  }

  /** Ends the journey by `act`. Where two posts would end it, only one acts, so the TPP gets an answer that fits the consent. */
  async claim(context: JourneyContext, act: (claimed: JourneyContext) => Promise<void>): Promise<void> {
    const stored = await this.journeys.step(context.stored, context.stored.journey);
    if (stored === undefined) return this.elsewhere(context);
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
    await this.finish(context);
  }

  /** Sends the browser to the TPP, and gives it the last value of the cookie. */
  async finish(context: JourneyContext): Promise<void> {
    const { stored } = context;
    const last = await this.journeys.renew(stored, ended(stored.journey));
    return last === undefined ? this.elsewhere(context) : this.leave(context, last.bearer);
  }

  private giveCookie(reply: FastifyReply, id: string, bearer: string | undefined): void {
    if (bearer !== undefined) setCookie(reply, journeyCookie(id, this.settings.secure), bearer);
  }
}
