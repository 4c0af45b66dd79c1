import type { PageAsset, PermissionCluster } from './customer-pages.js';
import { dashboardPages } from './dashboard/dashboard-pages.js';
import { journeyPages } from './journey/journey-pages.js';
import { siteOf, type SiteSettings } from './site.js';
import type { Language } from './texts/language.js';
import { preferredOf } from './texts/languages.js';

/** All pages that the bank shows its customers, in one language. */
function pagesIn(settings: SiteSettings, language: Language) {
  const site = siteOf(settings, language);
  return {
    locale: site.locale,
    journey: journeyPages(site),
    dashboard: dashboardPages(site),
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
