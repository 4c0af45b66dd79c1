import type { DashboardPages } from '../dashboard-views.js';
import {
  dashboardAppPage,
  dashboardCodePage,
  dashboardCustomerPage,
  dashboardSignInPage,
} from './dashboard-identification.js';
import { dashboardNoticePage } from './dashboard-notice.js';
import { dashboardPage } from './dashboard-overview.js';
import { withdrawalPage } from './dashboard-withdrawal.js';
import type { Site } from '../site.js';

/** The access dashboard's pages. They use the assets of `journeyPages` of the same site. */
export function dashboardPages(site: Site): DashboardPages {
  return {
    signIn: (view) => dashboardSignInPage(site, view),
    oneTimeCode: (view) => dashboardCodePage(site, view),
    approveInApp: (view) => dashboardAppPage(site, view),
    chooseCustomer: (view) => dashboardCustomerPage(site, view),
    overview: (view) => dashboardPage(site, view),
    confirmWithdrawal: (view) => withdrawalPage(site, view),
    notice: (view) => dashboardNoticePage(site, view),
  };
}
