import {
  fields,
  type AwaitedApproval,
  type CustomerNames,
  type Identification,
  type PageForm,
  type SentCode,
  type TypedName,
} from './customer-pages.js';
import { factList } from './access-terms.js';
import { decisionButton, fieldAttributes, isWrongEntry, postForm } from './forms.js';
import { html, type Html } from './html.js';
import type { Site } from './site.js';
import { outsideName } from './tpp-name.js';
import type { Say } from './texts/language.js';

/** First factor, as password managers know it (WCAG 2.2, 3.3.8). Without words to cancel there is no such button. */
export function signInForm(
  { say }: Site,
  { form, message, loginName, atBank }: Identification & TypedName,
  cancel?: Html,
): Html {
  if (atBank) return goToBankForm(say, form, cancel);
  const attributes = fieldAttributes(isWrongEntry(message));
  return postForm(
    form,
    html`<p class="field">
        <label for="${fields.loginName}">${say('form.login-name')}</label>
        <input
          id="${fields.loginName}"
          name="${fields.loginName}"
          type="text"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          maxlength="200"
          value="${loginName}"
          ${attributes}
        />
      </p>
      <p class="field">
        <label for="${fields.password}">${say('form.password')}</label>
        <input
          id="${fields.password}"
          name="${fields.password}"
          type="password"
          autocomplete="current-password"
          maxlength="1000"
          ${attributes}
        />
      </p>
      ${buttons(say, cancel)}`,
  );
}

function goToBankForm(say: Say, form: PageForm, cancel: Html | undefined): Html {
  return postForm(
    form,
    html`<p>${say('sign-in.at-bank')}</p>
      ${buttons(say, cancel, say('form.go-to-sign-in'))}`,
  );
}

/** Second factor. `inputmode` only brings up the digits of a phone's keyboard: anything can be typed or pasted. */
export function codeForm(
  { say }: Site,
  { form, message, sentTo, checkDetails }: Identification & SentCode,
  cancel?: Html,
): Html {
  return postForm(
    form,
    html`${message === 'sent-again' && html`<div class="note" role="status"><p>${say('form.sent-again')}</p></div>`}
      <p class="field">
        <label for="${fields.code}">${say('form.code')}</label>
        <span class="hint" id="code-hint">${say('form.code-hint', { sentTo })}</span>
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
      ${buttons(say, cancel)}
      <p class="buttons">
        <span>${say('form.no-code')} <a href="${checkDetails}">${say('form.check-details')}</a></span>
        ${decisionButton('send-again', say('form.send-again'), 'quiet')}
      </p>`,
  );
}

/** The customer looks at the app meanwhile: nothing here can be typed. */
export function approval({ say }: Site, { shown, check, checkDetails }: AwaitedApproval): Html {
  return html`<p>${say('approve.goes-on')}</p>
    ${shown !== undefined && factList([[say('approve.shown'), outsideName(shown)]])}
    <p class="buttons"><a class="button main" href="${check}">${say('approve.check')}</a></p>
    <p class="buttons">
      <span>${say('approve.no-request')} <a href="${checkDetails}">${say('form.check-details')}</a></span>
    </p>`;
}

export const firstCustomerId = 'customer-1';

export function customerForm(
  { say }: Site,
  { form, message, names }: Identification & CustomerNames,
  cancel?: Html,
): Html {
  const radios = names.map(
    (name, index) =>
      html`<label class="choice"
        ><input type="radio" id="customer-${index + 1}" name="${fields.customer}" value="${index}" />
        <span><span class="account-name">${outsideName(name)}</span></span></label
      >`,
  );
  return postForm(
    form,
    html`<fieldset${fieldAttributes(isWrongEntry(message))}>
<legend>${say('choose-customer.title')}</legend>
<div class="choices">${radios}</div>
</fieldset>
${buttons(say, cancel)}`,
  );
}

function buttons(say: Say, cancel: Html | undefined, goOn = say('form.continue')): Html {
  return html`<p class="buttons">
    ${decisionButton('continue', goOn, 'main')} ${cancel && decisionButton('cancel', cancel, 'quiet')}
  </p>`;
}
