import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { cookieLine, setCookie } from '../listeners/cookies.js';
import { refreshAfter, seeOther, sendPage, sendWaitingPage } from '../listeners/page-answer.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { BankPages } from '../pages/bank-pages.js';
import {
  dashboardPath,
  type AccessRequest,
  type NoticeKind,
  type NoticeView,
  type PageDocument,
} from '../pages/customer-pages.js';
import { formOf, journeyCookie, leavingPlace, pageOf, resumeOf, waitingPlace } from './journey-places.js';
import type { Visit } from './visit.js';

/** The answers to a request on a journey. */
@Injectable()
export class JourneyAnswers {
  constructor(
    private readonly pages: BankPages,
    private readonly settings: AuthorisationSettings,
  ) {}

  page({ reply, redirectUri }: Visit, document: PageDocument): void {
    sendPage(reply, 200, document, { redirect: redirectUri });
  }

  /** A page that the browser leaves by itself, with scripts or without. */
  refreshing(visit: Visit, document: PageDocument, seconds: number, place: string): void {
    refreshAfter(visit.reply, seconds, place);
    this.page(visit, document);
  }

  /**
   * Something ended or cannot go on, and the customer can go back to the TPP.
   * @param bankPage where the customer can put it right
   */
  noticeOf({ reply, tpp, id, kept, redirectUri }: Visit, kind: NoticeKind, status = 200, bankPage?: string): void {
    const way = {
      ...((kind === 'form-expired' || kind === 'accounts-unavailable') && { resume: pageOf(id) }),
      ...(kind !== 'form-expired' && { back: formOf(id, 'cancel', kept.bearer) }),
      ...(bankPage !== undefined && { resume: bankPage }),
    };
    sendPage(reply, status, this.pages.for(reply.request).journey.notice({ kind, tpp, ...way }), {
      redirect: redirectUri,
    });
  }

  /** A notice where the journey is not known. */
  notice(reply: FastifyReply, status: number, view: NoticeView): void {
    sendPage(reply, status, this.pages.for(reply.request).journey.notice(view));
  }

  /** The TPP may not act: the notice has no way back to it. */
  barred(reply: FastifyReply, tpp: AccessRequest['tpp'] | undefined): void {
    this.notice(reply, 403, { kind: 'tpp-barred', ...(tpp && { tpp }), resume: dashboardPath });
  }

  /** @param bearer the new value of the cookie, where it was replaced */
  goOn({ reply, id }: Pick<Visit, 'reply' | 'id'>, bearer?: string): void {
    this.giveCookie(reply, id, bearer);
    seeOther(reply, pageOf(id));
  }

  /** To the page that sends the browser on to the bank's own sign-on. */
  leaveForBank({ reply, id }: Pick<Visit, 'reply' | 'id'>): void {
    seeOther(reply, leavingPlace(pageOf(id)));
  }

  /** To the page that waits for the post with this mark. */
  wait({ reply, id }: Pick<Visit, 'reply' | 'id'>, mark: string): void {
    seeOther(reply, waitingPlace(pageOf(id), mark));
  }

  waiting({ reply, id }: Visit, mark: string): void {
    const resume = waitingPlace(pageOf(id), mark);
    sendWaitingPage(reply, this.pages.for(reply.request).journey.notice({ kind: 'being-processed', resume }));
  }

  /** To the library, which redirects to the TPP. */
  leave({ reply, id }: Pick<Visit, 'reply' | 'id'>, bearer?: string): void {
    this.giveCookie(reply, id, bearer);
    seeOther(reply, resumeOf(id));
  }

  /** To be called before the library answers, because the library's answer bypasses Fastify. */
  takeCookie({ raw }: FastifyReply, id: string): void {
    raw.appendHeader('set-cookie', cookieLine(journeyCookie(id, this.settings.secure)));
  }

  private giveCookie(reply: FastifyReply, id: string, bearer: string | undefined): void {
    if (bearer !== undefined) setCookie(reply, journeyCookie(id, this.settings.secure), bearer);
  }
}
