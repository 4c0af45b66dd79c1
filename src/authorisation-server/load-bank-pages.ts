import { dashboardIdleMs } from './dashboard/dashboard-session.store.js';
import { journeyMs } from './sign-in/states.js';
import { BankPages } from './pages/bank-pages.js';
import { checkedBrand } from './pages/brand/brand.js';
import { readBrandFile } from './pages/brand/brand-file.js';

/** Makes the pages for customers from the brand file of the settings. */
export function loadBankPages(brandFile: string | undefined, timeZone: string): BankPages {
  const brand = brandFile === undefined ? checkedBrand({ name: 'Your bank' }) : readBrandFile(brandFile);
  return new BankPages({
    brand,
    timeZone,
    journeyMinutes: journeyMs / 60_000,
    dashboardIdleMinutes: dashboardIdleMs / 60_000,
  });
}
