import { dashboardIdleMs } from './dashboard/dashboard-session.store.js';
import { journeyMs } from './sign-in/states.js';
import { PagesByLanguage } from './pages/pages.js';
import { checkedBrand } from './pages/brand/brand.js';
import { readBrandFile } from './pages/brand/brand-file.js';

/** Makes the pages for customers from the brand file of the settings. */
export function loadPages(brandFile: string | undefined, timeZone: string): PagesByLanguage {
  const brand = brandFile === undefined ? checkedBrand({ name: 'Your bank' }) : readBrandFile(brandFile);
  return new PagesByLanguage({
    brand,
    timeZone,
    journeyMinutes: journeyMs / 60_000,
    dashboardIdleMinutes: dashboardIdleMs / 60_000,
  });
}
