import type { CustomerPages } from '../authorisation-server/customer-pages.js';
import { dashboardIdleMs } from '../authorisation-server/dashboard.policy.js';
import { journeyMs } from '../authorisation-server/journey.policy.js';
import { checkedBrand } from './brand.js';
import { readBrandFile } from './brand-file.js';
import type { DashboardPages } from '../authorisation-server/dashboard-pages.js';
import { dashboardPages } from './dashboard-pages.js';
import { journeyPages } from './journey-pages.js';
import { siteOf } from './site.js';

/** Everything that a configured bank shows its customers. */
export interface BankPages extends CustomerPages {
  readonly dashboard: DashboardPages;
}

export function bankPages(brandFile: string | undefined, timeZone: string): BankPages {
  const brand = brandFile === undefined ? checkedBrand({ name: 'Your bank' }) : readBrandFile(brandFile);
  const site = siteOf({
    brand,
    timeZone,
    journeyMinutes: journeyMs / 60_000,
    dashboardIdleMinutes: dashboardIdleMs / 60_000,
  });
  return { ...journeyPages(site), dashboard: dashboardPages(site) };
}
