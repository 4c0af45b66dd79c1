import type { ReauthenticateView } from '../customer-pages.js';
import { accountList, requestPanel } from '../access-terms.js';
import { decisionButton, postForm, stepProblem } from '../forms.js';
import { html } from '../html.js';
import { journeyPage } from './journey-page.js';
import { longDate } from '../long-dates.js';
import type { Site } from '../site.js';
import { outsideName } from '../who-asks.js';

const formId = 'confirm';

export function reauthenticatePage(site: Site, view: ReauthenticateView): string {
  const tpp = outsideName(view.request.tpp.name);
  return journeyPage(site, view.request.tpp, {
    title: view.withdrawnAt ? 'Give access again' : 'Confirm access',
    step: 3,
    heading: view.withdrawnAt ? html`Give ${tpp} access again` : html`Confirm access for ${tpp}`,
    introduction: html`<p class="lead">
      Hello ${outsideName(view.customerName)}. You gave ${tpp} this access on ${longDate(view.givenAt, site.timeZone)}.
      ${view.withdrawnAt && html`It was withdrawn on ${longDate(view.withdrawnAt, site.timeZone)}, and begins again when you approve.`}
      Accounts and information stay the same.
    </p>`,
    problem: stepProblem(view.message, { field: formId, incomplete: 'Approve, or choose not now' }),
    request: requestPanel(view, 'titles', site.timeZone),
    form: html`<section class="panel" aria-labelledby="${formId}" tabindex="-1">
      <h2 id="${formId}">Accounts that you ${view.withdrawnAt ? 'would share' : 'share'}</h2>
      ${accountList(view.accounts)}
      ${postForm(
        view.form,
        html`<p class="decision">
          ${decisionButton('approve', 'Approve access', 'main')} ${decisionButton('deny', 'Not now', 'other')}
        </p>`,
      )}
      <p class="hint">
        If you choose not now, nothing changes. You can withdraw access at any time in your access dashboard at
        ${site.brand.name}.
      </p>
    </section>`,
  });
}
