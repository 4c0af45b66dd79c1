import { fields, type Identification, type StepMessage } from './customer-pages.js';
import { decisionButton, fieldAttributes, isWrongEntry, postForm, stepProblem } from './forms.js';
import { html, type Html } from './html.js';

export function signInProblem(message: StepMessage | undefined): Html | undefined {
  return stepProblem(message, { field: fields.loginName, incomplete: 'Enter your login name and your password' });
}

/** First factor, as password managers know it (WCAG 2.2, 3.3.8). Without words to cancel there is no such button. */
export function signInForm({ form, message }: Identification, cancel?: Html): Html {
  const attributes = fieldAttributes(isWrongEntry(message));
  return postForm(
    form,
    html`<p class="field">
        <label for="${fields.loginName}">Login name</label>
        <input
          id="${fields.loginName}"
          name="${fields.loginName}"
          type="text"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          maxlength="200"
          ${attributes}
        />
      </p>
      <p class="field">
        <label for="${fields.password}">Password</label>
        <input
          id="${fields.password}"
          name="${fields.password}"
          type="password"
          autocomplete="current-password"
          maxlength="1000"
          ${attributes}
        />
      </p>
      ${buttons(cancel)}`,
  );
}

export function codeProblem(message: StepMessage | undefined): Html | undefined {
  return stepProblem(message, { field: fields.code, incomplete: 'Enter the one-time code' });
}

/** Second factor. `inputmode` only brings up the digits of a phone's keyboard: anything can be typed or pasted. */
export function codeForm({ form, message, sentTo }: Identification & { readonly sentTo: string }, cancel?: Html): Html {
  return postForm(
    form,
    html`<p class="field">
        <label for="${fields.code}">One-time code</label>
        <span class="hint" id="code-hint">We sent it to ${sentTo}. It works once, and only for a short time.</span>
        <input
          class="code"
          id="${fields.code}"
          name="${fields.code}"
          type="text"
          inputmode="numeric"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck="false"
          maxlength="40"
          ${fieldAttributes(isWrongEntry(message), 'code-hint')}
        />
      </p>
      ${buttons(cancel)}`,
  );
}

function buttons(cancel: Html | undefined): Html {
  return html`<p class="buttons">
    ${decisionButton('continue', 'Continue', 'main')} ${cancel && decisionButton('cancel', cancel, 'quiet')}
  </p>`;
}
