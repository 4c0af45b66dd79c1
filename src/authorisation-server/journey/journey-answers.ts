import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { cookieLine, setCookie } from '../listeners/cookies.js';
import { seeOther, sendPage } from '../listeners/page-answer.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { BankPages } from '../pages/bank-pages.js';
import {
  dashboardPath,
  type AccessRequest,
  type NoticeKind,
  type NoticeView,
  type PageDocument,
} from '../pages/customer-pages.js';
import { formOf, journeyCookie, pageOf, resumeOf } from './journey-places.js';
import type { Visit } from './visit.js';

/** How a request on a journey can be answered. */
@Injectable()
export class JourneyAnswers {
  constructor(
    private readonly pages: BankPages,
    private readonly settings: AuthorisationSettings,
  ) {}

  page({ reply, redirectUri }: Visit, document: PageDocument): void {
    sendPage(reply, 200, document, { redirect: redirectUri });
  }

  /** Something ended or cannot go on, and the customer can go back to the TPP. */
  noticeOf({ reply, tpp, id, kept, redirectUri }: Visit, kind: NoticeKind, status = 200): void {
    const way = {
      ...((kind === 'form-expired' || kind === 'accounts-unavailable') && { resume: pageOf(id) }),
      ...(kind !== 'form-expired' && { back: formOf(id, 'cancel', kept.bearer) }),
    };
    sendPage(reply, status, this.pages.for(reply.request).journey.notice({ kind, tpp, ...way }), {
      redirect: redirectUri,
    });
  }

  /** The same where nothing is known of the journey. */
  notice(reply: FastifyReply, status: number, view: NoticeView): void {
    sendPage(reply, status, this.pages.for(reply.request).journey.notice(view));
  }

  /** The TPP may not act: there is no way back to it, and nothing that is asked for is given. */
  barred(reply: FastifyReply, tpp: AccessRequest['tpp'] | undefined): void {
    this.notice(reply, 403, { kind: 'tpp-barred', ...(tpp && { tpp }), resume: dashboardPath });
  }

  /** @param bearer of the cookie, where that is another one now */
  goOn({ reply, id }: Pick<Visit, 'reply' | 'id'>, bearer?: string): void {
    this.giveCookie(reply, id, bearer);
    seeOther(reply, pageOf(id));
  }

  /** To the TPP, by way of the library. */
  leave({ reply, id }: Pick<Visit, 'reply' | 'id'>, bearer?: string): void {
    this.giveCookie(reply, id, bearer);
    seeOther(reply, resumeOf(id));
  }

  /** Before the library answers, which it does past Fastify. */
  takeCookie({ raw }: FastifyReply, id: string): void {
    raw.appendHeader('set-cookie', cookieLine(journeyCookie(id, this.settings.secure)));
  }

  private giveCookie(reply: FastifyReply, id: string, bearer: string | undefined): void {
    if (bearer !== undefined) setCookie(reply, journeyCookie(id, this.settings.secure), bearer);
  }
}
