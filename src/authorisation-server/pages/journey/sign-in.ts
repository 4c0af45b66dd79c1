import type { SignInView } from '../customer-pages.js';
import { requestPanel } from '../access-terms.js';
import { html } from '../html.js';
import { signInForm, signInProblem } from '../identification.js';
import { journeyPage } from './journey-page.js';
import { longDate } from '../long-dates.js';
import type { Site } from '../site.js';
import { outsideName } from '../who-asks.js';

export function signInPage(site: Site, view: SignInView): string {
  const tpp = outsideName(view.request.tpp.name);
  const bank = site.brand.name;
  return journeyPage(site, view.request.tpp, {
    title: 'Sign in',
    step: 1,
    heading: view.withdrawnAt
      ? html`${tpp} asks for the access that was withdrawn`
      : view.again
        ? html`${tpp} asks you to confirm its access`
        : html`${tpp} asks to see information about your accounts`,
    introduction: view.withdrawnAt
      ? html`<p class="lead">
          It was withdrawn on ${longDate(view.withdrawnAt, site.timeZone)}. Sign in if you want to give it again; ${tpp}
          gets nothing before you approve.
        </p>`
      : view.again
        ? html`<p class="lead">
            It already has your permission. Sign in to confirm that it is still you who wants this; what it may see
            stays as it is.
          </p>`
        : html`<p class="lead">
            Sign in to ${bank} to choose which accounts to share. ${tpp} gets nothing before you approve.
          </p>`,
    problem: signInProblem(view.message),
    request: requestPanel(view, 'titles', site.timeZone),
    form: html`<section class="panel" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in to ${bank}</h2>
      ${signInForm(view, html`Cancel and go back to ${tpp}`)}
      <p class="hint">You have ${site.journeyMinutes} minutes to finish. After that you can start again from ${tpp}.</p>
    </section>`,
  });
}
