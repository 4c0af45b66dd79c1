import type { FundsView, PageDocument } from '../customer-pages.js';
import { accountList, requestPanel } from '../access-terms.js';
import { decisionBar, postForm, stepProblem } from '../forms.js';
import { html } from '../html.js';
import { stepPage } from '../step-page.js';
import type { Site } from '../site.js';
import { outsideName, tppName } from '../tpp-name.js';

const formId = 'account';

export function fundsPage(site: Site, view: FundsView): PageDocument {
  const { say } = site;
  const tpp = tppName(site, view.request.tpp);
  return stepPage(site, {
    title: say('funds.title'),
    step: 3,
    heading: say('funds.heading', { tpp }),
    introduction: html`<p class="introduction">
      ${say('journey.greeting', { customer: outsideName(view.customerName) })} ${say('funds.introduction')}
    </p>`,
    problem: stepProblem(site, view.message, { field: formId, incomplete: say('authorise.incomplete') }),
    content: postForm(
      view.form,
      html`<div class="two-columns">
          <section class="panel" aria-labelledby="${formId}" tabindex="-1">
            <h2 id="${formId}">${say('funds.account')}</h2>
            ${accountList(site, [view.account])}
            <p class="hint">${say('funds.account-hint', { tpp })}</p>
          </section>
          ${requestPanel(site, view)}
        </div>
        <p class="hint afterwards">${say('authorise.afterwards', { tpp })}</p>
        ${decisionBar(site, say('authorise.deny'))}`,
    ),
  });
}
