import type { AwaitedApproval, NoticeView } from '../customer-pages.js';
import type {
  DashboardCodeView,
  DashboardCustomerView,
  DashboardSignInView,
  DashboardView,
  WithdrawalView,
} from '../dashboard-views.js';
import { noticePage } from '../notice.js';
import type { Site } from '../site.js';
import {
  dashboardAppPage,
  dashboardCodePage,
  dashboardCustomerPage,
  dashboardSignInPage,
} from './dashboard-identification.js';
import { dashboardPage } from './dashboard-overview.js';
import { withdrawalPage } from './dashboard-withdrawal.js';

/**
 * The access dashboard, where the customer sees every access and withdraws it: pages like those of `journeyPages`, with the
 * same fields and assets. No page signs out by itself. Each page states that the session ends without activity. A post or a
 * visit after that is answered with `signIn` and `timed-out`.
 */
export function dashboardPages(site: Site) {
  return {
    signIn: (view: DashboardSignInView) => dashboardSignInPage(site, view),
    oneTimeCode: (view: DashboardCodeView) => dashboardCodePage(site, view),
    approveInApp: (view: AwaitedApproval) => dashboardAppPage(site, view),
    chooseCustomer: (view: DashboardCustomerView) => dashboardCustomerPage(site, view),
    /** Every access, current and past. */
    overview: (view: DashboardView) => dashboardPage(site, view),
    /** The confirmation of a withdrawal, with its meaning. Posting its form withdraws. */
    confirmWithdrawal: (view: WithdrawalView) => withdrawalPage(site, view),
    notice: (view: NoticeView) => noticePage(site, view),
  };
}
