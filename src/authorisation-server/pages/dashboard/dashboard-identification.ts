import type { DashboardCodeView, DashboardSignInView } from '../dashboard-views.js';
import { html, type Html } from '../html.js';
import { codeForm, codeProblem, signInForm, signInProblem } from '../identification.js';
import type { Site } from '../site.js';
import { wholePage } from '../whole-page.js';

export function dashboardSignInPage(site: Site, view: DashboardSignInView): string {
  return identificationPage(site, {
    title: 'Sign in to your access dashboard',
    problem: signInProblem(view.message),
    before: view.ended && endedNote(view.ended, site),
    lead: 'See who may look at your accounts, and withdraw access.',
    form: html`${signInForm(view)}
      <p class="hint">
        For your security, we sign you out after ${site.dashboardIdleMinutes} minutes without activity.
      </p>`,
  });
}

export function dashboardCodePage(site: Site, view: DashboardCodeView): string {
  return identificationPage(site, {
    title: 'Enter your one-time code',
    problem: codeProblem(view.message),
    lead: 'This makes sure that it is you.',
    form: codeForm(view),
  });
}

function endedNote(ended: 'signed-out' | 'timed-out', { dashboardIdleMinutes }: Site): Html {
  return html`<div class="note" role="status">
    <p>
      ${
        ended === 'signed-out'
          ? 'You are signed out.'
          : `We signed you out after ${dashboardIdleMinutes} minutes without activity. Sign in again to go on.`
      }
    </p>
  </div>`;
}

interface IdentificationPage {
  readonly title: string;
  readonly problem: Html | undefined;
  readonly before?: Html | undefined;
  readonly lead: string;
  readonly form: Html;
}

function identificationPage(site: Site, { title, problem, before, lead, form }: IdentificationPage): string {
  return wholePage(site, {
    title,
    problem: problem !== undefined,
    main: html`${problem} ${before}
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      <div class="one-column">
        <section class="panel" aria-label="${title}">${form}</section>
      </div>`,
  });
}
