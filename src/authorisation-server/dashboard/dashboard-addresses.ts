import { dashboardPath, type PageForm } from '../pages/customer-pages.js';
import { formToken } from '../sealing.js';

/** @param bearer the value of the cookie that the form is shown to */
export function formFor(step: string, bearer: string): PageForm {
  return { action: `${dashboardPath}/${step}`, csrf: formToken(bearer) };
}

/** The overview whose lists begin after the cursors `current` and `past`. */
export function overviewOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `${dashboardPath}?${new URLSearchParams(given).toString()}`;
}

export function withdrawalStep(consentId: string): string {
  return `withdraw/${encodeURIComponent(consentId)}`;
}
