import type { PageDocument } from './customer-pages.js';
import { html, type Html } from './html.js';
import { scriptElement } from './page-script.js';
import type { Site } from './site.js';

export interface PageContent {
  /** The page's name; the bank's name follows it in the title. */
  readonly title: Html;
  /** The page answers an attempt that went wrong: the title says so first. */
  readonly problem?: boolean;
  /** At the far end of the masthead. */
  readonly masthead?: Html;
  /** Inside `main`, with the page's only `h1`. */
  readonly main: Html;
}

/** The HTML document of a page. Its landmarks: banner, main and content information; the first link skips to main. */
export function pageDocument(
  { brand, stylesheetUrl, logoUrl, iconUrl, locale, say }: Site,
  page: PageContent,
): PageDocument {
  const document = html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.problem ? say('page.problem', { title: page.title }) : page.title} – ${brand.name}</title>
        <link rel="stylesheet" href="${stylesheetUrl}" />
        <link rel="icon" href="${iconUrl}" type="image/svg+xml" />
        ${scriptElement}
      </head>
      <body>
        <a class="skip" href="#main">${say('page.skip')}</a>
        <header class="masthead">
          <div class="frame">
            ${logoUrl ? html`<img class="brand" src="${logoUrl}" alt="${brand.name}" />` : html`<span class="brand">${brand.name}</span>`}
            ${page.masthead}
          </div>
        </header>
        <main id="main" class="frame" tabindex="-1">${page.main}</main>
        <footer>
          <p class="frame">${say('page.warning')}</p>
        </footer>
      </body>
    </html> `;
  return { locale, html: document.toString() };
}
