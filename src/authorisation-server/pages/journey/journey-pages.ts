import type { CustomerPages } from '../customer-pages.js';
import { authorisePage } from './authorise.js';
import { noticePage } from './notice.js';
import { oneTimeCodePage } from './one-time-code.js';
import { reauthenticatePage } from './reauthenticate.js';
import { signInPage } from './sign-in.js';
import type { Site } from '../site.js';

/** The pages of a journey from a TPP and back to it. */
export function journeyPages(site: Site): CustomerPages {
  return {
    signIn: (view) => signInPage(site, view),
    oneTimeCode: (view) => oneTimeCodePage(site, view),
    authorise: (view) => authorisePage(site, view),
    reauthenticate: (view) => reauthenticatePage(site, view),
    notice: (view) => noticePage(site, view),
  };
}
