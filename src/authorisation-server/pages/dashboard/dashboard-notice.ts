import type { PageDocument } from '../customer-pages.js';
import type { DashboardNoticeKind, DashboardNoticeView } from '../dashboard-views.js';
import {
  bankPageNotice,
  beingProcessedNotice,
  blockedNotice,
  leavingNotice,
  noticePanel,
  outOfDateNotice,
  unavailableNotice,
  type NoticeWords,
} from '../notice-words.js';
import type { Site } from '../site.js';
import { wholePage } from '../whole-page.js';

export function dashboardNoticePage(site: Site, { kind, resume }: DashboardNoticeView): PageDocument {
  const { say } = site;
  const notices: Readonly<Record<DashboardNoticeKind, NoticeWords>> = {
    'form-expired': outOfDateNotice(say),
    blocked: blockedNotice(say),
    'being-processed': beingProcessedNotice(say),
    leaving: leavingNotice(say),
    locked: bankPageNotice(say, 'locked'),
    'must-change-password': bankPageNotice(say, 'must-change-password'),
    'no-access': { heading: say('dashboard.no-access'), text: say('dashboard.no-access-text') },
    unavailable: { ...unavailableNotice(say), text: say('dashboard.unavailable-text') },
  };
  const words = notices[kind];
  return wholePage(site, { title: words.heading, main: noticePanel(site, words, resume) });
}
