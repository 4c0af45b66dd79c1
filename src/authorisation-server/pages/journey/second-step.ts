import type { ApproveInAppView, ChooseCustomerView, OneTimeCodeView, PageDocument } from '../customer-pages.js';
import { decisionButton, postForm } from '../forms.js';
import { html, type Html } from '../html.js';
import { approval, codeForm, codeProblem, customerForm, customerProblem } from '../identification.js';
import type { Site } from '../site.js';
import { tppName } from '../tpp-name.js';
import { journeyPage } from './journey-page.js';

export function oneTimeCodePage(site: Site, view: OneTimeCodeView): PageDocument {
  const { say } = site;
  const tpp = tppName(site, view.request.tpp);
  return secondStepPage(site, {
    title: say('code.title'),
    introduction: say('code.introduction', { tpp }),
    problem: codeProblem(site, view.message),
    label: say('form.code'),
    panel: codeForm(site, view, say('journey.cancel', { tpp })),
  });
}

export function approveInAppPage(site: Site, view: ApproveInAppView): PageDocument {
  const { say } = site;
  const cancel = say('journey.cancel', { tpp: tppName(site, view.request.tpp) });
  return secondStepPage(site, {
    title: say('approve.title'),
    introduction: say('approve.introduction'),
    panel: html`${approval(site, view)} ${postForm(view.form, decisionButton('cancel', cancel, 'quiet'))}`,
  });
}

export function chooseCustomerPage(site: Site, view: ChooseCustomerView): PageDocument {
  const { say } = site;
  const tpp = tppName(site, view.request.tpp);
  return secondStepPage(site, {
    title: say('choose-customer.title'),
    introduction: say('choose-customer.introduction', { tpp }),
    problem: customerProblem(site, view.message),
    panel: customerForm(site, view, say('journey.cancel', { tpp })),
  });
}

interface SecondStep {
  readonly title: Html;
  readonly introduction: Html;
  readonly problem?: Html | undefined;
  /** The label of the panel, where it is not the title. */
  readonly label?: Html;
  readonly panel: Html;
}

function secondStepPage(site: Site, { title, introduction, problem, label = title, panel }: SecondStep): PageDocument {
  return journeyPage(site, {
    title,
    step: 2,
    heading: title,
    introduction: html`<p class="introduction">${introduction}</p>`,
    problem,
    content: html`<div class="one-column">
      <section class="panel" aria-label="${label}">${panel}</section>
    </div>`,
  });
}
