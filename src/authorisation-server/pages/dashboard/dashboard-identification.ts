import type { AwaitedApproval, PageDocument } from '../customer-pages.js';
import type { DashboardCodeView, DashboardCustomerView, DashboardSignInView } from '../dashboard-views.js';
import { html, type Html } from '../html.js';
import {
  approval,
  codeForm,
  codeProblem,
  customerForm,
  customerProblem,
  signInForm,
  signInProblem,
} from '../identification.js';
import type { Site } from '../site.js';
import { pageDocument } from '../page-document.js';

export function dashboardSignInPage(site: Site, view: DashboardSignInView): PageDocument {
  const { say } = site;
  return identificationPage(site, {
    title: say('dashboard.sign-in'),
    problem: signInProblem(site, view.message),
    before: view.ended && endedNote(view.ended, site),
    introduction: say('dashboard.sign-in-introduction'),
    form: html`${signInForm(site, view)}
      <p class="hint">${say('dashboard.idle', { minutes: site.dashboardIdleMinutes })}</p>`,
  });
}

export function dashboardCodePage(site: Site, view: DashboardCodeView): PageDocument {
  return identificationPage(site, {
    title: site.say('code.title'),
    problem: codeProblem(site, view.message),
    introduction: site.say('dashboard.code-introduction'),
    form: codeForm(site, view),
  });
}

export function dashboardAppPage(site: Site, view: AwaitedApproval): PageDocument {
  return identificationPage(site, {
    title: site.say('approve.title'),
    problem: undefined,
    introduction: site.say('approve.introduction'),
    form: approval(site, view),
  });
}

export function dashboardCustomerPage(site: Site, view: DashboardCustomerView): PageDocument {
  return identificationPage(site, {
    title: site.say('choose-customer.title'),
    problem: customerProblem(site, view.message),
    introduction: site.say('choose-customer.introduction-dashboard'),
    form: customerForm(site, view),
  });
}

function endedNote(ended: 'signed-out' | 'timed-out', { dashboardIdleMinutes, say }: Site): Html {
  return html`<div class="note" role="status">
    <p>
      ${
        ended === 'signed-out'
          ? say('dashboard.signed-out')
          : say('dashboard.timed-out', { minutes: dashboardIdleMinutes })
      }
    </p>
  </div>`;
}

interface IdentificationPage {
  readonly title: Html;
  readonly problem: Html | undefined;
  readonly before?: Html | undefined;
  readonly introduction: Html;
  readonly form: Html;
}

function identificationPage(
  site: Site,
  { title, problem, before, introduction, form }: IdentificationPage,
): PageDocument {
  return pageDocument(site, {
    title,
    problem: problem !== undefined,
    main: html`${problem} ${before}
      <h1>${title}</h1>
      <p class="introduction">${introduction}</p>
      <div class="one-column">
        <section class="panel" aria-label="${title}">${form}</section>
      </div>`,
  });
}
