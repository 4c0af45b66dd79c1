import type { NoticeKind, NoticeView, PageDocument } from '../customer-pages.js';
import { decisionButton, postForm } from '../forms.js';
import type { Html } from '../html.js';
import {
  bankPageNotice,
  blockedNotice,
  leavingNotice,
  noticePanel,
  outOfDateNotice,
  unavailableNotice,
  type NoticeWords,
} from '../notice-words.js';
import type { Site } from '../site.js';
import type { Say } from '../texts/language.js';
import { tppName } from '../who-asks.js';
import { wholePage } from '../whole-page.js';

export function noticePage(site: Site, view: NoticeView): PageDocument {
  const { say } = site;
  const tpp = view.tpp ? tppName(site, view.tpp) : say('notice.unknown-tpp');
  const words = wordsOf(say, view.kind, tpp);
  return wholePage(site, {
    title: words.heading,
    main: noticePanel(site, words, view.resume, view.back && backForm(say, view, tpp)),
  });
}

function backForm(say: Say, { back, resume }: NoticeView, tpp: Html): Html | undefined {
  const button = decisionButton('cancel', say('notice.back', { tpp }), resume === undefined ? 'main' : 'quiet');
  return back && postForm(back, button);
}

function wordsOf(say: Say, kind: NoticeKind, tpp: Html): NoticeWords {
  switch (kind) {
    case 'form-expired':
      return outOfDateNotice(say);
    case 'blocked':
      return blockedNotice(say);
    case 'leaving':
      return leavingNotice(say);
    case 'locked':
    case 'must-change-password':
      return bankPageNotice(say, kind);
    case 'unavailable':
      return unavailableNotice(say);
    case 'tpp-barred':
      return {
        heading: say('notice.tpp-barred'),
        text: say('notice.tpp-barred-text', { tpp }),
        resume: say('notice.dashboard'),
      };
    case 'accounts-unavailable':
      return {
        heading: say('notice.accounts-unavailable'),
        text: say('notice.accounts-unavailable-text'),
        resume: say('notice.try-again'),
      };
    case 'too-many-requests':
      return { heading: say('notice.unavailable'), text: say('notice.too-many-requests', { tpp }) };
    default:
      return { heading: say(`notice.${kind}`), text: say(`notice.${kind}-text`, { tpp }) };
  }
}
