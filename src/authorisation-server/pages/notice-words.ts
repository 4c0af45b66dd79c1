import { html, type Html } from './html.js';
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

/** The same whichever limit it was, and without a time: who guesses would learn from it what is counted. */
export function blockedNotice({ brand }: Site): NoticeWords {
  return {
    heading: 'Signing in is paused',
    text: html`There were too many attempts to sign in. Wait a few minutes, then try again. It is quicker in a browser
    in which you have signed in before. If it was not you, contact ${brand.name}.`,
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
