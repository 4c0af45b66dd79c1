import { fields, type AuthoriseView, type OfferedAccount, type PageDocument } from '../customer-pages.js';
import { accountWords, requestPanel } from '../access-terms.js';
import { decisionButton, fieldAttributes, isWrongEntry, postForm, stepProblem } from '../forms.js';
import { html, type Html } from '../html.js';
import { journeyPage } from './journey-page.js';
import type { Site } from '../site.js';
import { outsideName } from '../who-asks.js';

const firstAccountId = 'account-1';

export function authorisePage(site: Site, view: AuthoriseView): PageDocument {
  const { say } = site;
  const tpp = outsideName(view.request.tpp.name);
  return journeyPage(site, view.request.tpp, {
    title: say('authorise.title'),
    step: 3,
    heading: say('authorise.heading', { tpp }),
    introduction: html`<p class="lead">
      ${say('journey.greeting', { customer: outsideName(view.customerName) })} ${say('authorise.lead')}
    </p>`,
    problem: stepProblem(site, view.message, { field: firstAccountId, incomplete: say('authorise.incomplete') }),
    request: requestPanel(site, view, 'all'),
    form: html`<section class="panel" aria-labelledby="decide">
      <h2 id="decide">${say('authorise.form')}</h2>
      ${postForm(view.form, choice(site, view, tpp))}
      <p class="hint">${say('authorise.afterwards', { tpp })}</p>
    </section>`,
  });
}

/**
 * Enter on an account presses the form's first button (HTML, "Implicit submission"). That is this one, which nobody sees
 * and which decides nothing: access must not be given by a key that was meant for a check box. A disabled one would not
 * do: Chromium passes it over and presses the next.
 */
const noDecisionByEnter = html`<button type="submit" name="${fields.decision}" value="continue" hidden></button>`;

function choice(site: Site, view: AuthoriseView, tpp: Html): Html {
  const { say } = site;
  return html`${noDecisionByEnter}
<fieldset${fieldAttributes(isWrongEntry(view.message), 'accounts-hint')}>
<legend>${say('authorise.accounts')}</legend>
<p class="hint" id="accounts-hint">${say('authorise.accounts-hint', { tpp })}</p>
${view.accounts.map((account, index) => checkBox(site, account, index))}
</fieldset>
<p class="decision">${decisionButton('approve', say('journey.approve'), 'main')}
${decisionButton('deny', say('authorise.deny'), 'other')}</p>`;
}

function checkBox(site: Site, account: OfferedAccount, index: number): Html {
  return html`<label class="choice"
    ><input type="checkbox" id="account-${index + 1}" name="${fields.account}" value="${account.key}" />
    <span>${accountWords(site, account)}</span></label
  >`;
}
