import type {
  ApproveInAppView,
  AuthoriseView,
  ChooseCustomerView,
  FundsView,
  NoticeView,
  OneTimeCodeView,
  ReauthenticateView,
  SignInView,
} from '../customer-pages.js';
import { noticePage } from '../notice.js';
import type { Site } from '../site.js';
import { authorisePage } from './authorise.js';
import { fundsPage } from './funds.js';
import { reauthenticatePage } from './reauthenticate.js';
import { approveInAppPage, chooseCustomerPage, oneTimeCodePage } from './second-step.js';
import { signInPage } from './sign-in.js';

/**
 * The pages of a journey from a TPP and back to it: pure functions that give a whole document. The authorization server
 * chooses the page, makes every check and sets every header. The pages own every word.
 *
 * The content security policy allows styles and images from our origin, the script of `page-script.ts`, and posts to our origin
 * and to the TPP's. It allows no inline style, no other script, and nothing from a TPP's server.
 */
export function journeyPages(site: Site) {
  return {
    /** The TPP, its request, and the first factor. */
    signIn: (view: SignInView) => signInPage(site, view),
    /** The second factor. */
    oneTimeCode: (view: OneTimeCodeView) => oneTimeCodePage(site, view),
    /** The customer approves in the bank's app. The page loads itself again until that is done. */
    approveInApp: (view: ApproveInAppView) => approveInAppPage(site, view),
    /** A person who acts for several customers chooses one. */
    chooseCustomer: (view: ChooseCustomerView) => chooseCustomerPage(site, view),
    /** First authorisation: which accounts, approve or deny. There is no further confirmation after it. */
    authorise: (view: AuthoriseView) => authorisePage(site, view),
    /** First authorisation for confirmation of funds: the TPP has named the account. */
    funds: (view: FundsView) => fundsPage(site, view),
    /** Later authentication for a consent that the customer gave before: approve or deny. */
    reauthenticate: (view: ReauthenticateView) => reauthenticatePage(site, view),
    notice: (view: NoticeView) => noticePage(site, view),
  };
}
