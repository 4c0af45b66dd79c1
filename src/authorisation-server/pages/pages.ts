import type {
  ApproveInAppView,
  AuthoriseView,
  ChooseCustomerView,
  FundsView,
  NoticeView,
  OneTimeCodeView,
  PageAsset,
  PermissionCluster,
  ReauthenticateView,
  SignInView,
} from './customer-pages.js';
import type { DashboardView, WithdrawalView } from './dashboard-views.js';
import { dashboardPage } from './dashboard/dashboard-overview.js';
import { withdrawalPage } from './dashboard/dashboard-withdrawal.js';
import { authorisePage } from './journey/authorise.js';
import { fundsPage } from './journey/funds.js';
import { reauthenticatePage } from './journey/reauthenticate.js';
import { noticePage } from './notice.js';
import { approveInAppPage, chooseCustomerPage, oneTimeCodePage, signInPage } from './sign-in-pages.js';
import { siteOf, type Site, type SiteSettings } from './site.js';
import type { Language } from './texts/language.js';
import { preferredOf } from './texts/languages.js';

/**
 * The pages of the bank's customers: pure functions that give a whole document. The authorization server chooses the page, makes
 * every check and sets every header. The pages own every word.
 *
 * The content security policy allows styles and images from our origin, the script of `page-script.ts`, and posts to our origin
 * and to the TPP's. It allows no inline style, no other script, and nothing from a TPP's server.
 */
export function pagesOf(site: Site) {
  return {
    /** With a TPP's request, or the dashboard's: the first factor. */
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
    /** The dashboard: every access, current and past. */
    overview: (view: DashboardView) => dashboardPage(site, view),
    /** The confirmation of a withdrawal, with its meaning. Posting its form withdraws. */
    confirmWithdrawal: (view: WithdrawalView) => withdrawalPage(site, view),
    notice: (view: NoticeView) => noticePage(site, view),
  };
}
export type Pages = ReturnType<typeof pagesOf>;

function pagesIn(settings: SiteSettings, language: Language) {
  const site = siteOf(settings, language);
  return {
    ...pagesOf(site),
    locale: site.locale,
    /** The names of the clusters as plain text, for the bank's app. */
    clusterNames: (clusters: readonly PermissionCluster[]): readonly string[] =>
      clusters.map(({ name }) => language.texts[`cluster.${name}`]),
  };
}

type PagesOfLanguage = ReturnType<typeof pagesIn>;

/** All pages that the bank shows its customers, in each of its languages. */
export class PagesByLanguage {
  /** Style sheets, logos and the like, served under `assetPath`. */
  readonly assets: readonly PageAsset[];
  readonly bankName: string;
  private readonly languages: readonly [PagesOfLanguage, ...PagesOfLanguage[]];

  constructor(settings: SiteSettings) {
    const [first, ...others] = settings.brand.languages;
    this.languages = [pagesIn(settings, first), ...others.map((language) => pagesIn(settings, language))];
    this.assets = siteOf(settings).assets;
    this.bankName = settings.brand.name;
  }

  /** In the language that the browser of a request likes best of ours. */
  for({ headers }: { readonly headers: Parameters<typeof preferredOf>[1] }): PagesOfLanguage {
    return preferredOf(this.languages, headers);
  }
}
