import type { PageDocument, SignInView } from '../customer-pages.js';
import { requestPanel } from '../access-terms.js';
import { html, type Html } from '../html.js';
import { signInForm, signInProblem } from '../identification.js';
import { journeyPage } from './journey-page.js';
import type { Site } from '../site.js';
import { tppName } from '../tpp-name.js';

export function signInPage(site: Site, view: SignInView): PageDocument {
  const { say } = site;
  const tpp = tppName(site, view.request.tpp);
  const { heading, introduction } = opening(site, view, tpp);
  return journeyPage(site, {
    title: say('sign-in.title'),
    step: 1,
    heading,
    introduction: html`<p class="introduction">${introduction}</p>`,
    problem: signInProblem(site, view.message),
    content: html`<div class="two-columns">
      <section class="panel" aria-labelledby="sign-in">
        <h2 id="sign-in">${say('sign-in.form')}</h2>
        ${signInForm(site, view, say('journey.cancel', { tpp }))}
        <p class="hint">${say('sign-in.time', { minutes: site.journeyMinutes, tpp })}</p>
      </section>
      ${requestPanel(site, view)}
    </div>`,
  });
}

function opening(
  { say, date }: Site,
  { request, again, withdrawnAt }: SignInView,
  tpp: Html,
): { heading: Html; introduction: Html } {
  if (withdrawnAt)
    return {
      heading: say('sign-in.heading-withdrawn', { tpp }),
      introduction: say('sign-in.introduction-withdrawn', { tpp, date: date(withdrawnAt) }),
    };
  if (again) return { heading: say('sign-in.heading-again', { tpp }), introduction: say('sign-in.introduction-again') };
  if (request.forFunds)
    return { heading: say('sign-in.heading-funds', { tpp }), introduction: say('sign-in.introduction-funds', { tpp }) };
  return { heading: say('sign-in.heading', { tpp }), introduction: say('sign-in.introduction', { tpp }) };
}
