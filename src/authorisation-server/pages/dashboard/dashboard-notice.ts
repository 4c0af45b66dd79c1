import type { DashboardNoticeKind, DashboardNoticeView } from '../dashboard-views.js';
import { html } from '../html.js';
import { blockedNotice, noticePanel, outOfDateNotice, unavailableNotice, type NoticeWords } from '../notice-words.js';
import type { Site } from '../site.js';
import { wholePage } from '../whole-page.js';

export function dashboardNoticePage(site: Site, { kind, resume }: DashboardNoticeView): string {
  const notices: Readonly<Record<DashboardNoticeKind, NoticeWords>> = {
    'form-expired': outOfDateNotice,
    blocked: blockedNotice(site),
    'no-access': {
      heading: 'There is nothing to withdraw',
      text: html`This access has ended already, perhaps in another window. Your dashboard shows what there is now.`,
    },
    // Not "we changed nothing": that a withdrawal was answered late does not say that it was not made.
    unavailable: {
      ...unavailableNotice,
      text: html`Something on our side is not working. Try again in a few minutes: your dashboard then shows who may
      look at your accounts.`,
    },
  };
  const words = notices[kind];
  return wholePage(site, { title: words.heading, main: noticePanel(words, resume) });
}
