import { dashboardPath } from './customer-pages.js';
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
  return { heading: say('notice.unavailable'), text: say('notice.unavailable-text'), resume: say('notice.try-again') };
}

export function blockedNotice(say: Say): NoticeWords {
  return { heading: say('notice.blocked'), text: say('notice.blocked-text') };
}

export function beingProcessedNotice(say: Say): NoticeWords {
  return { heading: say('notice.being-processed'), text: say('notice.being-processed-text') };
}

export function leavingNotice(say: Say): NoticeWords {
  return { heading: say('notice.leaving'), text: say('notice.leaving-text') };
}

export function bankPageNotice(say: Say, kind: 'locked' | 'must-change-password'): NoticeWords {
  return { heading: say(`notice.${kind}`), text: say(`notice.${kind}-text`), resume: say('notice.start-page') };
}

/** A short page about something that ended or cannot go on. It always leads on, by default to the bank's start page. */
export function noticePanel(site: Site, words: NoticeWords, resumeUrl: string | undefined, otherWay?: Html): Html {
  const resume = resumeUrl !== undefined && mainLink(resumeUrl, words.resume ?? site.say('notice.continue'));
  return html`<section class="panel notice">
    <h1>${words.heading}</h1>
    <p>${words.text}</p>
    <div class="buttons">${resume || otherWay ? [resume, otherWay] : startPageLink(site)}</div>
  </section>`;
}

function startPageLink({ say, brand: { startPage } }: Site): Html {
  return startPage === undefined
    ? mainLink(dashboardPath, say('notice.dashboard'))
    : mainLink(startPage, say('notice.start-page'));
}

function mainLink(address: string, words: Html): Html {
  return html`<a class="button main" href="${address}">${words}</a>`;
}
