import { hashed } from './sealing.js';

/** A session of the dashboard ends after so long without activity. */
export const dashboardIdleMs = 5 * 60_000;

/**
 * The token of every form that is shown to who holds the cookie: nobody else can work it out, and it dies with the cookie.
 * @param bearer the cookie's value
 */
export function formToken(bearer: string): string {
  return hashed('dashboard form', bearer);
}
