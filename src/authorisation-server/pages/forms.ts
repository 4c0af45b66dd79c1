import { fields, type Decision, type PageForm, type StepMessage } from './customer-pages.js';
import { html, type Html } from './html.js';
import type { Site } from './site.js';
import type { Text } from './texts/language.js';

/** A form with its token. */
export function postForm({ action, csrf }: PageForm, content: Html): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="${fields.csrf}" value="${csrf}" />
    ${content}
  </form>`;
}

/** `main`: the step's button. `other`: as large, but not the step's button. `quiet`: a way out. `masthead`: for its ground. */
type Weight = 'main' | 'other' | 'quiet' | 'masthead';

export function decisionButton(decision: Decision, words: Html, weight: Weight, { focused = false } = {}): Html {
  return html`<button
    class="button ${weight}"
    type="submit"
    name="${fields.decision}"
    value="${decision}"
    ${focused && html` autofocus`}
  >
    ${words}
  </button>`;
}

/** The buttons of both decisions, which stay in reach while the customer scrolls. */
export function decisionBar({ say }: Site, other: Html): Html {
  return html`<div class="decision-bar" role="group" aria-label="${say('journey.decision')}">
    <p class="decision">
      ${decisionButton('approve', say('journey.approve'), 'main')} ${decisionButton('deny', other, 'other')}
    </p>
  </div>`;
}

const problemId = 'problem';

/**
 * Why the last attempt did not succeed, with a link to the field to begin with. It takes the focus when the page opens,
 * so that screen readers read it first; that needs no script.
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

type ProblemText = Extract<Text, `problem.${string}`>;

interface ProblemWords {
  readonly words: ProblemText;
  readonly more?: ProblemText;
  /** Whether the message is about something other than the customer's input. */
  readonly noField?: true;
}

/** No text shows which of the factors was wrong, or whether the bank sent a code. */
const problems: Readonly<Record<Exclude<StepMessage, 'incomplete' | 'sent-again'>, ProblemWords>> = {
  'not-recognised': { words: 'problem.not-recognised', more: 'problem.pause' },
  'not-digits': { words: 'problem.not-digits', more: 'problem.no-try' },
  'wrong-code': { words: 'problem.wrong-code', more: 'problem.three-tries' },
  'code-replaced': { words: 'problem.code-replaced', more: 'problem.another-code' },
  'code-expired': { words: 'problem.code-expired', more: 'problem.send-again' },
  'wait-for-code': { words: 'problem.wait-for-code', more: 'problem.code-stays', noField: true },
  'not-finished': { words: 'problem.not-finished', more: 'problem.begin-again', noField: true },
  'choose-a-customer': { words: 'problem.choose-a-customer' },
  'choose-an-account': { words: 'problem.choose-an-account' },
  unavailable: { words: 'problem.unavailable', more: 'problem.try-shortly', noField: true },
};

/** Whether a message is about the customer's input. */
export function isWrongEntry(message: StepMessage | undefined): boolean {
  if (message === undefined || message === 'sent-again') return false;
  return message === 'incomplete' || problems[message].noField === undefined;
}

/** The text of a message on one step; absent where the message is not a problem. */
export function stepProblem(
  site: Site,
  message: StepMessage | undefined,
  step: { readonly field: string; readonly incomplete: Html },
): Html | undefined {
  const { say } = site;
  if (message === undefined || message === 'sent-again') return undefined;
  if (message === 'incomplete') return problemSummary(site, step.incomplete, { field: step.field });
  const { words, more, noField } = problems[message];
  return problemSummary(site, say(words), { ...(!noField && { field: step.field }), ...(more && { more: say(more) }) });
}
