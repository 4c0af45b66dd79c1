import { fields, type AuthoriseView, type OfferedAccount } from '../customer-pages.js';
import { accountWords, requestPanel } from '../access-terms.js';
import { decisionButton, fieldAttributes, isWrongEntry, postForm, stepProblem } from '../forms.js';
import { html, type Html } from '../html.js';
import { journeyPage } from './journey-page.js';
import type { Site } from '../site.js';
import { outsideName } from '../who-asks.js';

const firstAccountId = 'account-1';

export function authorisePage(site: Site, view: AuthoriseView): string {
  const tpp = outsideName(view.request.tpp.name);
  return journeyPage(site, view.request.tpp, {
    title: 'Choose what to share',
    step: 3,
    heading: html`Choose what to share with ${tpp}`,
    introduction: html`<p class="lead">
      Hello ${outsideName(view.customerName)}. Nothing is shared until you approve.
    </p>`,
    problem: stepProblem(view.message, { field: firstAccountId, incomplete: 'Approve or deny access' }),
    request: requestPanel(view, 'all', site.timeZone),
    form: html`<section class="panel" aria-labelledby="decide">
      <h2 id="decide">Your decision</h2>
      ${postForm(view.form, choice(view, tpp))}
      <p class="hint">
        If you deny, ${tpp} gets nothing. If you approve, you can withdraw access at any time in your access dashboard
        at ${site.brand.name}.
      </p>
    </section>`,
  });
}

/**
 * Enter on an account presses the form's first button (HTML, "Implicit submission"). That is this one, which nobody sees
 * and which decides nothing: access must not be given by a key that was meant for a check box. A disabled one would not
 * do: Chromium passes it over and presses the next.
 */
const noDecisionByEnter = html`<button type="submit" name="${fields.decision}" value="continue" hidden></button>`;

function choice(view: AuthoriseView, tpp: Html): Html {
  return html`${noDecisionByEnter}
<fieldset${fieldAttributes(isWrongEntry(view.message), 'accounts-hint')}>
<legend>Accounts</legend>
<p class="hint" id="accounts-hint">Choose those that ${tpp} may see. You need not share them all.</p>
${view.accounts.map(checkBox)}
</fieldset>
<p class="decision">${decisionButton('approve', 'Approve access', 'main')}
${decisionButton('deny', 'Deny access', 'other')}</p>`;
}

function checkBox(account: OfferedAccount, index: number): Html {
  return html`<label class="choice"
    ><input type="checkbox" id="account-${index + 1}" name="${fields.account}" value="${account.key}" />
    <span>${accountWords(account)}</span></label
  >`;
}
