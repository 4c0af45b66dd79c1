import { createHash } from 'node:crypto';
import { assetPath, type PageAsset } from './customer-pages.js';
import { logoTypes, type Brand } from './brand/brand.js';
import { type Html, html } from './html.js';
import { stylesheet } from './brand/stylesheet.js';
import { clockTime, longDate } from './texts/long-dates.js';
import { sayIn, type Language, type Say } from './texts/language.js';

export interface SiteSettings {
  readonly brand: Brand;
  /** IANA name of the time zone of the dates and times on the pages. */
  readonly timeZone: string;
  /** How long a customer has from the first page of a journey to the decision. */
  readonly journeyMinutes: number;
  /** The time without activity after which the access dashboard signs the customer out. */
  readonly dashboardIdleMinutes: number;
}

/** The facts that every page needs. */
export interface Site extends SiteSettings {
  /** Style sheet, icon and logo. Their names change with their content, so they may be cached for ever. */
  readonly assets: readonly PageAsset[];
  readonly stylesheetUrl: string;
  readonly logoUrl?: string;
  readonly iconUrl: string;
  /** BCP 47: the language of its pages. */
  readonly locale: string;
  readonly say: Say;
  /** `3 March 2026`: the calendar day in the bank's zone. */
  readonly date: (at: Date) => string;
  /** `3 March 2026 at 14:05`. */
  readonly dateTime: (at: Date) => Html;
}

export function siteOf(settings: SiteSettings, language: Language = settings.brand.languages[0]): Site {
  const { brand, timeZone } = settings;
  const { logo } = brand;
  const styles = named('pages', 'css', 'text/css; charset=utf-8', stylesheet(brand.colours));
  const icon = named('icon', 'svg', 'image/svg+xml', bankIcon(brand));
  const image = logo && named('logo', logoTypes[logo.contentType], logo.contentType, logo.body);
  const { locale } = language;
  const say = sayIn(language, brand.name);
  return {
    ...settings,
    locale,
    say,
    date: (at) => longDate(at, { locale, timeZone }),
    dateTime: (at) =>
      say('date.with-time', { date: longDate(at, { locale, timeZone }), time: clockTime(at, { locale, timeZone }) }),
    assets: image ? [styles, icon, image] : [styles, icon],
    stylesheetUrl: `${assetPath}/${styles.name}`,
    iconUrl: `${assetPath}/${icon.name}`,
    ...(image && { logoUrl: `${assetPath}/${image.name}` }),
  };
}

function named(name: string, ending: string, contentType: string, body: string | Buffer): PageAsset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return { name: `${name}-${digest}.${ending}`, contentType, body };
}

/** The icon of the pages in the browser's tab: the first letter of the bank's name in its colours. A logo is too wide. */
function bankIcon({ name, colours: { primary, onPrimary } }: Brand): string {
  const [letter = ''] = name;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="6" fill="${primary}" />
    <text
      x="16"
      y="23"
      text-anchor="middle"
      font-family="sans-serif"
      font-size="20"
      font-weight="700"
      fill="${onPrimary}"
    >
      ${letter.toUpperCase()}
    </text>
  </svg>`.toString();
}
