import type { DashboardNoticeKind, DashboardNoticeView } from './dashboard.js';
import { html } from './html.js';
import { blockedNotice, noticePanel, outOfDateNotice, unavailableNotice, type NoticeWords } from './notice-words.js';
import type { Site } from './site.js';
import { wholePage } from './whole-page.js';

export function dashboardNoticePage(site: Site, { kind, until, resume }: DashboardNoticeView): string {
  const notices: Readonly<Record<DashboardNoticeKind, NoticeWords>> = {
    'form-expired': outOfDateNotice,
    blocked: blockedNotice(until, site),
    'no-access': {
      heading: 'There is nothing to withdraw',
      text: html`This access has ended already, perhaps in another window. Your dashboard shows what there is now.`,
    },
    unavailable: unavailableNotice,
  };
  const words = notices[kind];
  return wholePage(site, { title: words.heading, main: noticePanel(words, resume) });
}
