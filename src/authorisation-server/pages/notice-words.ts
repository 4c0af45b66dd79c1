import { html, type Html } from './html.js';
import type { Site } from './site.js';
import type { Say } from './texts/language.js';

export interface NoticeWords {
  readonly heading: Html;
  readonly text: Html;
  /** On the link that goes on, where it is not "Continue". */
  readonly resume?: Html;
}

export function outOfDateNotice(say: Say): NoticeWords {
  return { heading: say('notice.out-of-date'), text: say('notice.out-of-date-text') };
}

export function unavailableNotice(say: Say): NoticeWords {
  return {
    heading: say('notice.unavailable'),
    text: say('notice.unavailable-text'),
    resume: say('notice.try-again'),
  };
}

export function blockedNotice(say: Say): NoticeWords {
  return { heading: say('notice.blocked'), text: say('notice.blocked-text') };
}

/** A short page about something that ended or cannot go on, with the ways on from it. */
export function noticePanel({ say }: Site, words: NoticeWords, resumeUrl: string | undefined, otherWay?: Html): Html {
  return html`<section class="panel notice">
    <h1>${words.heading}</h1>
    <p>${words.text}</p>
    ${
      (resumeUrl !== undefined || otherWay) &&
      html`<div class="buttons">
        ${
          resumeUrl !== undefined &&
          html`<a class="button main" href="${resumeUrl}">${words.resume ?? say('notice.continue')}</a>`
        }
        ${otherWay}
      </div>`
    }
  </section>`;
}
