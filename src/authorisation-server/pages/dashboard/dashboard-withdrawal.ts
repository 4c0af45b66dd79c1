import { accountList, factList } from '../access-terms.js';
import type { WithdrawalView } from '../dashboard-views.js';
import { decisionButton, postForm } from '../forms.js';
import { html } from '../html.js';
import { longDate } from '../long-dates.js';
import { signedInPage } from './signed-in-page.js';
import type { Site } from '../site.js';
import { outsideName, tppLogo } from '../who-asks.js';

export function withdrawalPage(site: Site, { access, form, keep, signOut }: WithdrawalView): string {
  const tpp = outsideName(access.request.tpp.name);
  return signedInPage(site, signOut, {
    title: 'Withdraw access',
    main: html`<div class="opening">
        ${tppLogo(access.request.tpp)}
        <h1>Withdraw the access of ${tpp}?</h1>
      </div>
      <div class="one-column">
        <section class="panel" aria-labelledby="meaning">
          <h2 id="meaning">What happens</h2>
          <ul class="plain">
            <li>${tpp} can no longer see your accounts at ${site.brand.name}, from this moment.</li>
            <li>What it has seen before stays with it: ask ${tpp} if you want that deleted.</li>
            <li>What ${tpp} does for you with this information may stop working.</li>
            <li>You cannot undo this here. You can give access again from ${tpp}.</li>
          </ul>
          ${factList([
            ['Accounts', accountList(access.accounts)],
            ['Access since', longDate(access.givenAt, site.timeZone)],
          ])}
          ${postForm(
            form,
            html`<p class="decision">
              ${decisionButton('continue', 'Withdraw access', 'main')}
              <a class="button other" href="${keep}">Keep access</a>
            </p>`,
          )}
        </section>
      </div>`,
  });
}
