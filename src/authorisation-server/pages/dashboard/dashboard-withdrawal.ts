import { accountList, factList } from '../access-terms.js';
import type { PageDocument } from '../customer-pages.js';
import type { WithdrawalView } from '../dashboard-views.js';
import { decisionButton, postForm } from '../forms.js';
import { html } from '../html.js';
import { signedInPage } from './signed-in-page.js';
import type { Site } from '../site.js';
import { tppName } from '../tpp-name.js';

export function withdrawalPage(site: Site, { access, form, keep, signOut }: WithdrawalView): PageDocument {
  const { say, date } = site;
  const tpp = tppName(site, access.request.tpp);
  return signedInPage(site, signOut, {
    title: say('withdrawal.title'),
    main: html`<h1>${say('withdrawal.heading', { tpp })}</h1>
      <div class="one-column">
        <section class="panel" aria-labelledby="meaning">
          <h2 id="meaning">${say('withdrawal.meaning')}</h2>
          <ul class="plain">
            ${
              access.request.forFunds
                ? html`<li>${say('withdrawal.from-now-funds', { tpp })}</li>`
                : html`<li>${say('withdrawal.from-now', { tpp })}</li>
                    <li>${say('withdrawal.seen', { tpp })}</li>`
            }
            <li>${say('withdrawal.service', { tpp })}</li>
            <li>${say('withdrawal.final', { tpp })}</li>
          </ul>
          ${factList([
            [say('dashboard.accounts'), accountList(site, access.accounts)],
            [say('dashboard.since'), date(access.givenAt)],
          ])}
          ${postForm(
            form,
            html`<p class="decision">
              ${decisionButton('continue', say('withdrawal.title'), 'main')}
              <a class="button other" href="${keep}">${say('withdrawal.keep')}</a>
            </p>`,
          )}
        </section>
      </div>`,
  });
}
