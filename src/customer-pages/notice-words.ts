import { html, type Html } from './html.js';
import { longDateTime } from './long-dates.js';
import type { Site } from './site.js';

export interface NoticeWords {
  readonly heading: string;
  readonly text: Html;
  /** On the link that goes on, where it is not "Continue". */
  readonly resume?: string;
}

export const outOfDateNotice: NoticeWords = {
  heading: 'That page was out of date',
  text: html`You may have gone back, or have it open in another window. We changed nothing.`,
};

export const unavailableNotice: NoticeWords = {
  heading: 'This is not available at the moment',
  text: html`Something on our side is not working. We changed nothing. Try again in a few minutes.`,
  resume: 'Try again',
};

export function blockedNotice(until: Date | undefined, { timeZone, brand }: Site): NoticeWords {
  const when = until ? `from ${longDateTime(until, timeZone)}` : 'later';
  return {
    heading: 'Signing in is paused',
    text: html`There were too many failed attempts in a row. You can sign in again ${when}. If it was not you, contact
    ${brand.name}.`,
  };
}

/** A short page about something that ended or cannot go on, with the ways on from it. */
export function noticePanel(words: NoticeWords, resumeUrl: string | undefined, otherWay?: Html): Html {
  return html`<section class="panel notice">
    <h1>${words.heading}</h1>
    <p>${words.text}</p>
    ${
      (resumeUrl !== undefined || otherWay) &&
      html`<div class="buttons">
        ${resumeUrl !== undefined && html`<a class="button main" href="${resumeUrl}">${words.resume ?? 'Continue'}</a>`}
        ${otherWay}
      </div>`
    }
  </section>`;
}
