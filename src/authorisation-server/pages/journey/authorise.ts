import {
  fields,
  type AuthoriseView,
  type OfferedAccount,
  type PageDocument,
  type WhyWithheld,
} from '../customer-pages.js';
import { accountWords, requestPanel, withheldWords } from '../access-terms.js';
import { decisionBar, decisionButton, fieldAttributes, isWrongEntry, postForm, stepProblem } from '../forms.js';
import { html, type Html } from '../html.js';
import { stepPage } from '../step-page.js';
import type { Site } from '../site.js';
import { outsideName, tppName } from '../tpp-name.js';

const firstAccountId = 'account-1';

export function authorisePage(site: Site, view: AuthoriseView): PageDocument {
  const { say } = site;
  const tpp = tppName(site, view.request.tpp);
  return stepPage(site, {
    title: say('authorise.title'),
    step: 3,
    heading: say('authorise.heading', { tpp }),
    introduction: html`<p class="introduction">
      ${say('journey.greeting', { customer: outsideName(view.customerName) })} ${say('authorise.introduction')}
    </p>`,
    problem: stepProblem(site, view.message, { field: firstAccountId, incomplete: say('authorise.incomplete') }),
    content: postForm(
      view.form,
      html`${noDecisionByEnter}
        <div class="two-columns">
          <section class="panel" aria-labelledby="accounts">${choice(site, view, tpp)}</section>
          ${requestPanel(site, view)}
        </div>
        <p class="hint afterwards">${say('authorise.afterwards', { tpp })}</p>
        ${decisionBar(site, say('authorise.deny'))}`,
    ),
  });
}

/**
 * Enter on an account presses the form's first button (HTML, "Implicit submission"). This hidden button comes first and decides
 * nothing: a key that was meant for a check box must not give access. A disabled button does not help, because Chromium then
 * presses the next one.
 */
const noDecisionByEnter = html`<button type="submit" name="${fields.decision}" value="continue" hidden></button>`;

function choice(site: Site, view: AuthoriseView, tpp: Html): Html {
  const { say } = site;
  const choosable = view.accounts.filter(({ withheld }) => withheld === undefined);
  return html`<fieldset${fieldAttributes(isWrongEntry(view.message), 'accounts-hint')}>
<legend id="accounts">${say('authorise.accounts')}</legend>
<p class="hint" id="accounts-hint">${say('authorise.accounts-hint', { tpp })}</p>
${view.incomplete && html`<p class="hint">${say('authorise.accounts-missing')}</p>`}
${choosable.length > 1 && selectAll(site, view.allChosen === true)}
<div class="choices">${choosable.map((account, index) => checkBox(site, account, index, view.allChosen === true))}
${view.accounts.map((account) => account.withheld && withheldAccount(site, account, account.withheld, tpp))}</div>
</fieldset>`;
}

/** The server chooses the accounts, so no script is needed. The page returns with the focus on this button. */
function selectAll({ say }: Site, allChosen: boolean): Html {
  return html`<p class="buttons">
    ${
      allChosen
        ? decisionButton('select-none', say('authorise.select-none'), 'quiet', { focused: true })
        : decisionButton('select-all', say('authorise.select-all'), 'quiet')
    }
  </p>`;
}

function checkBox(site: Site, account: OfferedAccount, index: number, chosen: boolean): Html {
  return html`<label class="choice"
    ><input
      type="checkbox"
      id="account-${index + 1}"
      name="${fields.account}"
      value="${account.key}"
      ${chosen && html` checked`}
    />
    <span>${accountWords(site, account)}</span></label
  >`;
}

/** An account that cannot be chosen. The customer sees it, and its check box has no name, so it is never posted. */
function withheldAccount(site: Site, account: OfferedAccount, why: WhyWithheld, tpp: Html): Html {
  return html`<label class="choice withheld"
    ><input type="checkbox" disabled />
    <span
      >${accountWords(site, account)} <span class="account-kind">${withheldWords(site, why, tpp)}</span></span
    ></label
  >`;
}
