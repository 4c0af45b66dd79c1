import type { NoticeKind, NoticeView } from '../customer-pages.js';
import { decisionButton, postForm } from '../forms.js';
import { html, type Html } from '../html.js';
import { blockedNotice, noticePanel, outOfDateNotice, unavailableNotice, type NoticeWords } from '../notice-words.js';
import type { Site } from '../site.js';
import { outsideName } from '../who-asks.js';
import { wholePage } from '../whole-page.js';

export function noticePage(site: Site, view: NoticeView): string {
  const asker = view.tpp ? outsideName(view.tpp.name) : html`the app or website that sent you here`;
  const words = wordsOf(view, asker, site)[view.kind]();
  return wholePage(site, {
    title: words.heading,
    main: noticePanel(words, view.resume, view.back && backForm(view, asker)),
  });
}

function backForm({ back, resume }: NoticeView, asker: Html): Html | undefined {
  const button = decisionButton('cancel', html`Go back to ${asker}`, resume === undefined ? 'main' : 'quiet');
  return back && postForm(back, button);
}

function wordsOf(view: NoticeView, asker: Html, site: Site): Record<NoticeKind, () => NoticeWords> {
  return {
    ended: () => ({
      heading: 'This page is no longer open',
      text: html`It was finished, took too long, or was opened in another browser. To go on, start again from ${asker}.`,
    }),
    'form-expired': () => outOfDateNotice,
    blocked: () => blockedNotice(site),
    'another-customer': () => ({
      heading: 'This access was given by somebody else',
      text: html`Only the customer who gave ${asker} this access can confirm it. We changed nothing.`,
    }),
    'already-decided': () => ({
      heading: 'This request has been answered already',
      text: html`It was approved, denied or withdrawn, perhaps in another window. Your access dashboard shows what
      ${asker} may see.`,
    }),
    'no-accounts': () => ({
      heading: 'There is nothing to share',
      text: html`You have no account here with what ${asker} asks to see. We shared nothing.`,
    }),
    'bad-request': () => ({
      heading: 'This request cannot be used',
      text: html`Something is wrong with the request that brought you here; it is nothing that you did. We shared
      nothing. Tell ${asker}, or try again from there.`,
    }),
    unavailable: () => unavailableNotice,
  };
}
