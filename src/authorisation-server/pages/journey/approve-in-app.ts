import type { ApproveInAppView, PageDocument } from '../customer-pages.js';
import { decisionButton, postForm } from '../forms.js';
import { html } from '../html.js';
import { approval } from '../identification.js';
import { journeyPage } from './journey-page.js';
import type { Site } from '../site.js';
import { tppName } from '../who-asks.js';

export function approveInAppPage(site: Site, view: ApproveInAppView): PageDocument {
  const { say } = site;
  const tpp = tppName(site, view.request.tpp);
  return journeyPage(site, view.request.tpp, {
    title: say('approve.title'),
    step: 2,
    heading: say('approve.title'),
    introduction: html`<p class="lead">${say('approve.lead')}</p>`,
    content: html`<div class="one-column">
      <section class="panel" aria-label="${say('approve.title')}">
        ${approval(site, view)}
        ${postForm(view.form, decisionButton('cancel', say('journey.cancel', { tpp }), 'quiet'))}
      </section>
    </div>`,
  });
}
