import type { OneTimeCodeView, PageDocument } from '../customer-pages.js';
import { html } from '../html.js';
import { codeForm, codeProblem } from '../identification.js';
import { journeyPage } from './journey-page.js';
import type { Site } from '../site.js';
import { tppName } from '../who-asks.js';

export function oneTimeCodePage(site: Site, view: OneTimeCodeView): PageDocument {
  const tpp = tppName(site, view.request.tpp);
  return journeyPage(site, view.request.tpp, {
    title: site.say('code.title'),
    step: 2,
    heading: site.say('code.title'),
    introduction: html`<p class="lead">${site.say('code.lead', { tpp })}</p>`,
    problem: codeProblem(site, view.message),
    content: html`<div class="one-column">
      <section class="panel" aria-label="${site.say('form.code')}">
        ${codeForm(site, view, site.say('journey.cancel', { tpp }))}
      </section>
    </div>`,
  });
}
