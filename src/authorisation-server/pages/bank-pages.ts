import type { PageAsset, PermissionCluster } from './customer-pages.js';
import type { DashboardPages } from './dashboard-views.js';
import { dashboardPages } from './dashboard/dashboard-pages.js';
import { journeyPages, type CustomerPages } from './journey/journey-pages.js';
import { siteOf, type SiteSettings } from './site.js';
import { preferredOf } from './texts/languages.js';

/** Everything that a bank shows its customers in one language. */
export interface PagesOfLanguage {
  readonly locale: string;
  readonly journey: CustomerPages;
  readonly dashboard: DashboardPages;
  /** The names of the clusters as plain text, for the bank's app. */
  clusterNames(clusters: readonly PermissionCluster[]): readonly string[];
}

/** Everything that a bank shows its customers. */
export class BankPages {
  /** Style sheets, logos and the like, served under `assetPath`. */
  readonly assets: readonly PageAsset[];
  private readonly languages: readonly [PagesOfLanguage, ...PagesOfLanguage[]];

  constructor(settings: SiteSettings) {
    const [first, ...others] = settings.brand.languages;
    const pagesIn = (language: typeof first): PagesOfLanguage => {
      const site = siteOf(settings, language);
      return {
        locale: site.locale,
        journey: journeyPages(site),
        dashboard: dashboardPages(site),
        clusterNames: (clusters) => clusters.map(({ name }) => language.texts[`cluster.${name}`]),
      };
    };
    this.languages = [pagesIn(first), ...others.map(pagesIn)];
    this.assets = siteOf(settings).assets;
  }

  /** In the language that the browser of a request likes best of ours. */
  for({ headers }: { readonly headers: Parameters<typeof preferredOf>[1] }): PagesOfLanguage {
    return preferredOf(this.languages, headers);
  }
}
