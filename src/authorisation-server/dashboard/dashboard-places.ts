import { dashboardPath, type PageForm } from '../pages/customer-pages.js';
import { formToken } from '../sealing.js';

/** @param bearer the value of the cookie that the form is shown to */
export function formFor(step: string, bearer: string): PageForm {
  return { action: `${dashboardPath}/${step}`, csrf: formToken(bearer) };
}

/** The overview whose lists begin after these. */
export function overviewFrom(cursors: Readonly<Record<'current' | 'past', string | undefined>>): string {
  const given = Object.entries(cursors).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${dashboardPath}?${new URLSearchParams(given).toString()}`;
}

export function withdrawalStep(consentId: string): string {
  return `withdraw/${encodeURIComponent(consentId)}`;
}
