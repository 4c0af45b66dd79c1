import type { CustomerPages } from './pages/customer-pages.js';
import { dashboardIdleMs } from './dashboard/dashboard.policy.js';
import { journeyMs } from './journey/journey.policy.js';
import { checkedBrand } from './pages/brand/brand.js';
import { readBrandFile } from './pages/brand/brand-file.js';
import type { DashboardPages } from './pages/dashboard-views.js';
import { dashboardPages } from './pages/dashboard/dashboard-pages.js';
import { journeyPages } from './pages/journey/journey-pages.js';
import { siteOf } from './pages/site.js';

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
