import type { PageDocument, PageForm } from '../customer-pages.js';
import { decisionButton, postForm } from '../forms.js';
import { html } from '../html.js';
import type { Site } from '../site.js';
import { pageDocument, type PageContent } from '../page-document.js';

/** A page of the dashboard to a customer who is signed in: with the way out, and how long being idle may last. */
export function signedInPage(site: Site, signOut: PageForm, { main, ...page }: PageContent): PageDocument {
  return pageDocument(site, {
    ...page,
    masthead: html`<nav aria-label="${site.say('dashboard.session')}">
      ${postForm(signOut, decisionButton('continue', site.say('dashboard.sign-out'), 'masthead'))}
    </nav>`,
    main: html`${main}
      <p class="hint">${site.say('dashboard.idle', { minutes: site.dashboardIdleMinutes })}</p>`,
  });
}
