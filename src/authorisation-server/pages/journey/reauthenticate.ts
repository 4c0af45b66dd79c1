import type { PageDocument, ReauthenticateView } from '../customer-pages.js';
import { accountList, requestPanel } from '../access-terms.js';
import { decisionBar, postForm, stepProblem } from '../forms.js';
import { html } from '../html.js';
import { stepPage } from '../step-page.js';
import type { Site } from '../site.js';
import { outsideName, tppName } from '../tpp-name.js';

const formId = 'confirm';

export function reauthenticatePage(site: Site, view: ReauthenticateView): PageDocument {
  const { say, date } = site;
  const tpp = tppName(site, view.request.tpp);
  return stepPage(site, {
    title: say(view.withdrawnAt ? 'reauthenticate.title-withdrawn' : 'reauthenticate.title'),
    step: 3,
    heading: say(view.withdrawnAt ? 'reauthenticate.heading-withdrawn' : 'reauthenticate.heading', { tpp }),
    introduction: html`<p class="introduction">
      ${say('journey.greeting', { customer: outsideName(view.customerName) })}
      ${say('reauthenticate.given', { tpp, date: date(view.givenAt) })}
      ${view.withdrawnAt && say('reauthenticate.withdrawn', { date: date(view.withdrawnAt) })}
      ${say('reauthenticate.same')}
    </p>`,
    problem: stepProblem(site, view.message, { field: formId, incomplete: say('reauthenticate.incomplete') }),
    content: postForm(
      view.form,
      html`<div class="two-columns">
          <section class="panel" aria-labelledby="${formId}" tabindex="-1">
            <h2 id="${formId}">
              ${say(view.withdrawnAt ? 'reauthenticate.accounts-withdrawn' : 'reauthenticate.accounts')}
            </h2>
            ${accountList(site, view.accounts)}
            ${view.incomplete && html`<p class="hint">${say('reauthenticate.accounts-missing')}</p>`}
          </section>
          ${requestPanel(site, view)}
        </div>
        <p class="hint afterwards">${say('reauthenticate.afterwards')}</p>
        ${decisionBar(site, say('reauthenticate.not-now'))}`,
    ),
  });
}
