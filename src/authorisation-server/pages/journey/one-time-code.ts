import type { OneTimeCodeView } from '../customer-pages.js';
import { html } from '../html.js';
import { codeForm, codeProblem } from '../identification.js';
import { journeyPage } from './journey-page.js';
import type { Site } from '../site.js';
import { outsideName } from '../who-asks.js';

export function oneTimeCodePage(site: Site, view: OneTimeCodeView): string {
  const tpp = outsideName(view.request.tpp.name);
  return journeyPage(site, view.request.tpp, {
    title: 'Enter your one-time code',
    step: 2,
    heading: html`Enter your one-time code`,
    introduction: html`<p class="lead">This makes sure that it is you who answers ${tpp}.</p>`,
    problem: codeProblem(view.message),
    form: html`<section class="panel" aria-label="One-time code">
      ${codeForm(view, html`Cancel and go back to ${tpp}`)}
    </section>`,
  });
}
