import {
  fields,
  type ApproveInAppView,
  type ChooseCustomerView,
  type OneTimeCodeView,
  type PageDocument,
  type SignInStepView,
  type SignInView,
} from './customer-pages.js';
import { requestPanel } from './access-terms.js';
import { decisionButton, postForm, stepProblem } from './forms.js';
import { html, type Html } from './html.js';
import { approval, codeForm, customerForm, firstCustomerId, signInForm } from './identification.js';
import type { Site } from './site.js';
import { stepPage } from './step-page.js';
import { tppName } from './tpp-name.js';

// The pages of the sign-in. With a TPP's request they are steps of a journey; without one, the way to the dashboard.

export function signInPage(site: Site, view: SignInView): PageDocument {
  const { say } = site;
  const { request, again = false, withdrawnAt } = view;
  const problem = stepProblem(site, view.message, {
    field: fields.loginName,
    incomplete: say('form.sign-in-incomplete'),
  });
  if (request === undefined) {
    const idle = html`<p class="hint">${say('dashboard.idle', { minutes: site.dashboardIdleMinutes })}</p>`;
    return panelPage(site, view, {
      title: say('dashboard.sign-in'),
      introduction: say('dashboard.sign-in-introduction'),
      problem,
      note: view.ended && endedNote(view.ended, site),
      panel: html`${signInForm(site, view)} ${idle}`,
    });
  }
  const tpp = tppName(site, request.tpp);
  const { heading, introduction } = opening(site, view, tpp);
  return stepPage(site, {
    title: say('sign-in.title'),
    step: 1,
    heading,
    introduction: html`<p class="introduction">${introduction}</p>`,
    problem,
    content: html`<div class="two-columns">
      <section class="panel" aria-labelledby="sign-in">
        <h2 id="sign-in">${say('sign-in.form')}</h2>
        ${signInForm(site, view, cancelWords(site, view))}
        <p class="hint">${say('sign-in.time', { minutes: site.journeyMinutes, tpp })}</p>
      </section>
      ${requestPanel(site, { request, again, ...(withdrawnAt && { withdrawnAt }) })}
    </div>`,
  });
}

function opening({ say, date }: Site, { request, again, withdrawnAt }: SignInView, tpp: Html) {
  if (withdrawnAt)
    return {
      heading: say('sign-in.heading-withdrawn', { tpp }),
      introduction: say('sign-in.introduction-withdrawn', { tpp, date: date(withdrawnAt) }),
    };
  if (again) return { heading: say('sign-in.heading-again', { tpp }), introduction: say('sign-in.introduction-again') };
  if (request?.forFunds)
    return { heading: say('sign-in.heading-funds', { tpp }), introduction: say('sign-in.introduction-funds', { tpp }) };
  return { heading: say('sign-in.heading', { tpp }), introduction: say('sign-in.introduction', { tpp }) };
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

export function oneTimeCodePage(site: Site, view: OneTimeCodeView): PageDocument {
  const { say } = site;
  const { request } = view;
  return panelPage(site, view, {
    title: say('code.title'),
    introduction: request
      ? say('code.introduction', { tpp: tppName(site, request.tpp) })
      : say('dashboard.code-introduction'),
    problem: stepProblem(site, view.message, { field: fields.code, incomplete: say('form.code-incomplete') }),
    label: say('form.code'),
    panel: codeForm(site, view, cancelWords(site, view)),
  });
}

export function approveInAppPage(site: Site, view: ApproveInAppView): PageDocument {
  const { say } = site;
  const cancel = cancelWords(site, view);
  return panelPage(site, view, {
    title: say('approve.title'),
    introduction: say('approve.introduction'),
    panel: html`${approval(site, view)} ${cancel && postForm(view.form, decisionButton('cancel', cancel, 'quiet'))}`,
  });
}

export function chooseCustomerPage(site: Site, view: ChooseCustomerView): PageDocument {
  const { say } = site;
  const { request } = view;
  return panelPage(site, view, {
    title: say('choose-customer.title'),
    introduction: request
      ? say('choose-customer.introduction', { tpp: tppName(site, request.tpp) })
      : say('choose-customer.introduction-dashboard'),
    problem: stepProblem(site, view.message, { field: firstCustomerId, incomplete: say('problem.choose-a-customer') }),
    panel: customerForm(site, view, cancelWords(site, view)),
  });
}

interface PanelPage extends Pick<Parameters<typeof stepPage>[1], 'title' | 'introduction' | 'problem' | 'note'> {
  /** The label of the panel, where it is not the title. */
  readonly label?: Html;
  readonly panel: Html;
}

/** A page of one panel: the second step of a journey, or a step at the dashboard. */
function panelPage(
  site: Site,
  { request }: SignInStepView,
  { title, introduction, label = title, panel, ...page }: PanelPage,
): PageDocument {
  return stepPage(site, {
    ...page,
    title,
    step: request && 2,
    heading: title,
    introduction: html`<p class="introduction">${introduction}</p>`,
    content: html`<div class="one-column">
      <section class="panel" aria-label="${label}">${panel}</section>
    </div>`,
  });
}

/** On the button back to the TPP, which the dashboard does not have. */
function cancelWords(site: Site, { request }: SignInStepView): Html | undefined {
  return request && site.say('journey.cancel', { tpp: tppName(site, request.tpp) });
}
