import type {
  ApproveInAppView,
  AuthoriseView,
  ChooseCustomerView,
  NoticeView,
  OneTimeCodeView,
  PageDocument,
  ReauthenticateView,
  SignInView,
} from '../customer-pages.js';
import { approveInAppPage } from './approve-in-app.js';
import { authorisePage } from './authorise.js';
import { chooseCustomerPage } from './choose-customer.js';
import { noticePage } from './notice.js';
import { oneTimeCodePage } from './one-time-code.js';
import { reauthenticatePage } from './reauthenticate.js';
import { signInPage } from './sign-in.js';
import type { Site } from '../site.js';

/**
 * The pages of a journey: pure functions that give a whole document. The authorization server chooses the page, makes every
 * check and sets every header. The pages own every word.
 *
 * The content security policy allows styles, scripts and images from our origin, images from `data:`, and posts to our origin
 * and to the TPP's. It allows no inline style, no inline script, and nothing from a TPP's server.
 */
export interface CustomerPages {
  /** The TPP, its request, and the first factor. */
  signIn(view: SignInView): PageDocument;
  /** The second factor. */
  oneTimeCode(view: OneTimeCodeView): PageDocument;
  /** The customer approves in the bank's app. The page loads itself again until that is done. */
  approveInApp(view: ApproveInAppView): PageDocument;
  /** A person who acts for several customers chooses one. */
  chooseCustomer(view: ChooseCustomerView): PageDocument;
  /** First authorisation: which accounts, approve or deny. There is no further confirmation after it. */
  authorise(view: AuthoriseView): PageDocument;
  /** Later authentication for a consent that the customer gave before: approve or deny. */
  reauthenticate(view: ReauthenticateView): PageDocument;
  /** Something ended, or cannot go on. */
  notice(view: NoticeView): PageDocument;
}

/** The pages of a journey from a TPP and back to it. */
export function journeyPages(site: Site): CustomerPages {
  return {
    signIn: (view) => signInPage(site, view),
    oneTimeCode: (view) => oneTimeCodePage(site, view),
    approveInApp: (view) => approveInAppPage(site, view),
    chooseCustomer: (view) => chooseCustomerPage(site, view),
    authorise: (view) => authorisePage(site, view),
    reauthenticate: (view) => reauthenticatePage(site, view),
    notice: (view) => noticePage(site, view),
  };
}
