import { createHash } from 'node:crypto';
import { assetPath, type PageAsset } from './customer-pages.js';
import { logoTypes, type Brand } from './brand/brand.js';
import { stylesheet } from './brand/stylesheet.js';

export interface SiteSettings {
  readonly brand: Brand;
  /** IANA name of the zone in which dates and times are told. */
  readonly timeZone: string;
  /** How long a customer has from the first page of a journey to the decision. */
  readonly journeyMinutes: number;
  /** After how long without activity the access dashboard signs the customer out. */
  readonly dashboardIdleMinutes: number;
}

/** The facts that every page needs. */
export interface Site extends SiteSettings {
  /** Style sheet and logo. Their names change with what they hold, so that they may be cached for ever. */
  readonly assets: readonly PageAsset[];
  readonly stylesheetUrl: string;
  readonly logoUrl?: string;
}

export function siteOf(settings: SiteSettings): Site {
  const { logo } = settings.brand;
  const styles = named('pages', 'css', 'text/css; charset=utf-8', stylesheet(settings.brand.colours));
  const image = logo && named('logo', logoTypes[logo.contentType], logo.contentType, logo.body);
  return {
    ...settings,
    assets: image ? [styles, image] : [styles],
    stylesheetUrl: `${assetPath}/${styles.name}`,
    ...(image && { logoUrl: `${assetPath}/${image.name}` }),
  };
}

function named(name: string, ending: string, contentType: string, body: string | Buffer): PageAsset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return { name: `${name}-${digest}.${ending}`, contentType, body };
}
