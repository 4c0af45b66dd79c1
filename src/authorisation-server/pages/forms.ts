import { fields, type Decision, type PageForm, type StepMessage } from './customer-pages.js';
import { html, type Html } from './html.js';
import type { Site } from './site.js';

/** A form with its token. */
export function postForm({ action, csrf }: PageForm, content: Html): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="${fields.csrf}" value="${csrf}" />
    ${content}
  </form>`;
}

/** `main`: the step's own. `other`: as large and as near, but not the step's own. `quiet`: leads away. `masthead`: for its ground. */
type Weight = 'main' | 'other' | 'quiet' | 'masthead';

export function decisionButton(decision: Decision, words: Html, weight: Weight): Html {
  return html`<button class="button ${weight}" type="submit" name="${fields.decision}" value="${decision}">
    ${words}
  </button>`;
}

const problemId = 'problem';

/**
 * Why the last attempt did not succeed, with a link to the field to begin with. It takes the focus when the page opens,
 * so that it is heard first; that needs no script.
 */
function problemSummary({ say }: Site, words: Html, { field, more }: { field?: string; more?: Html } = {}): Html {
  return html`<div class="problem" id="${problemId}" tabindex="-1" autofocus>
    <div role="alert">
      <h2>${say('problem.heading')}</h2>
      <p>${field === undefined ? words : html`<a href="#${field}">${words}</a>`}</p>
      ${more && html`<p>${more}</p>`}
    </div>
  </div>`;
}

/** Ties a field to its hint and, where the last attempt was wrong, to the summary that says so. */
export function fieldAttributes(wrong: boolean, hintId?: string): Html {
  const described = [wrong && problemId, hintId].filter(Boolean).join(' ');
  return html`${wrong && html` aria-invalid="true"`}${described && html` aria-describedby="${described}"`}`;
}

/** Whether a message is about what the customer entered. */
export function isWrongEntry(message: StepMessage | undefined): boolean {
  return message !== undefined && message !== 'unavailable';
}

/** The text of a message on one step. No text tells which of the factors was wrong. */
export function stepProblem(
  site: Site,
  message: StepMessage | undefined,
  step: { readonly field: string; readonly incomplete: Html },
): Html | undefined {
  const { say } = site;
  switch (message) {
    case undefined:
      return undefined;
    case 'not-recognised':
      return problemSummary(site, say('problem.not-recognised'), { field: step.field, more: say('problem.pause') });
    case 'incomplete':
      return problemSummary(site, step.incomplete, { field: step.field });
    case 'choose-an-account':
      return problemSummary(site, say('problem.choose-an-account'), { field: step.field });
    case 'unavailable':
      return problemSummary(site, say('problem.unavailable'), { more: say('problem.not-counted') });
  }
}
