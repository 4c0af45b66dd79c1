import type { ChooseCustomerView, PageDocument } from '../customer-pages.js';
import { html } from '../html.js';
import { customerForm, customerProblem } from '../identification.js';
import { journeyPage } from './journey-page.js';
import type { Site } from '../site.js';
import { tppName } from '../who-asks.js';

export function chooseCustomerPage(site: Site, view: ChooseCustomerView): PageDocument {
  const { say } = site;
  const tpp = tppName(site, view.request.tpp);
  return journeyPage(site, view.request.tpp, {
    title: say('choose-customer.title'),
    step: 2,
    heading: say('choose-customer.title'),
    introduction: html`<p class="lead">${say('choose-customer.lead', { tpp })}</p>`,
    problem: customerProblem(site, view.message),
    content: html`<div class="one-column">
      <section class="panel" aria-label="${say('choose-customer.title')}">
        ${customerForm(site, view, say('journey.cancel', { tpp }))}
      </section>
    </div>`,
  });
}
