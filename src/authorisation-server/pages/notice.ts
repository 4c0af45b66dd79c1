import { dashboardPath, type NoticeKind, type NoticeView, type PageDocument } from './customer-pages.js';
import { decisionButton, postForm } from './forms.js';
import { html, type Html } from './html.js';
import type { Site } from './site.js';
import type { Say } from './texts/language.js';
import { tppName } from './tpp-name.js';
import { pageDocument } from './page-document.js';

interface NoticeWords {
  readonly heading: Html;
  readonly text: Html;
  /** On the link that goes on, where it is not "Continue". */
  readonly resume?: Html;
}

/** A short page about something that ended or cannot go on. It always has a way on, by default to the bank's start page. */
export function noticePage(site: Site, view: NoticeView): PageDocument {
  const { say } = site;
  const tpp = view.tpp ? tppName(site, view.tpp) : say('notice.unknown-tpp');
  const words = wordsOf(say, view.kind, tpp);
  const resume = view.resume !== undefined && mainLink(view.resume, words.resume ?? say('notice.continue'));
  const back = view.back && backForm(say, view.back, tpp, resume === false);
  return pageDocument(site, {
    title: words.heading,
    main: html`<section class="panel notice">
      <h1>${words.heading}</h1>
      <p>${words.text}</p>
      <div class="buttons">${resume || back ? [resume, back] : startPageLink(site)}</div>
    </section>`,
  });
}

function wordsOf(say: Say, kind: NoticeKind, tpp: Html): NoticeWords {
  switch (kind) {
    case 'form-expired':
      return { heading: say('notice.out-of-date'), text: say('notice.out-of-date-text') };
    case 'locked':
    case 'must-change-password':
      return { heading: say(`notice.${kind}`), text: say(`notice.${kind}-text`), resume: say('notice.start-page') };
    case 'unavailable':
      return {
        heading: say('notice.unavailable'),
        text: say('notice.unavailable-text'),
        resume: say('notice.try-again'),
      };
    case 'outcome-unknown':
      return {
        heading: say('notice.unavailable'),
        text: say('dashboard.unavailable-text'),
        resume: say('notice.try-again'),
      };
    case 'accounts-unavailable':
      return {
        heading: say('notice.accounts-unavailable'),
        text: say('notice.accounts-unavailable-text'),
        resume: say('notice.try-again'),
      };
    case 'tpp-barred':
      return {
        heading: say('notice.tpp-barred'),
        text: say('notice.tpp-barred-text', { tpp }),
        resume: say('notice.dashboard'),
      };
    case 'no-access':
      return { heading: say('dashboard.no-access'), text: say('dashboard.no-access-text') };
    case 'too-many-requests':
      return { heading: say('notice.unavailable'), text: say('notice.too-many-requests', { tpp }) };
    default:
      return { heading: say(`notice.${kind}`), text: say(`notice.${kind}-text`, { tpp }) };
  }
}

function backForm(say: Say, back: NonNullable<NoticeView['back']>, tpp: Html, isOnlyWay: boolean): Html {
  return postForm(back, decisionButton('cancel', say('notice.back', { tpp }), isOnlyWay ? 'main' : 'quiet'));
}

function startPageLink({ say, brand: { startPage } }: Site): Html {
  return startPage === undefined
    ? mainLink(dashboardPath, say('notice.dashboard'))
    : mainLink(startPage, say('notice.start-page'));
}

function mainLink(address: string, words: Html): Html {
  return html`<a class="button main" href="${address}">${words}</a>`;
}
