import type { VersionName } from '../../src/versions/versions.js';
import { type Exchange, parsedJson, textAt } from '../clients/exchange.js';
import { type Html, html } from '../web/html.js';
import { fundsPath, post, sideBySide } from './layout.js';
import type { FundsConnection, Session } from './sessions.js';
import { versionChoice } from './views.js';
import { accountNumber, moment, money } from './wording.js';

/** Asks for the account. */
export function namePage(session: Session, versions: readonly VersionName[]): Html {
  const fields = html`<label>Sort code <input name="sort" inputmode="numeric" required /></label>
    <label>Account number <input name="number" inputmode="numeric" required /></label>
    ${versionChoice(versions)}`;
  return html`<p>
      Name an account. The bank asks you whether Moneyview may check if it has enough money for an amount: it answers
      yes or no, and shows nothing else.
    </p>
    ${post(`${fundsPath}/connect`, session, 'Go to the bank', fields)}
    <p>The page of <a href="/">your accounts</a> has their numbers.</p>`;
}

/** Asks for an amount, and shows the latest answer. */
export function checkPage(session: Session, { account }: FundsConnection): Html {
  const { fundsCheck } = session;
  const amount = fundsCheck === undefined ? '25.00' : (textAt(amountOf(fundsCheck), 'Amount') ?? '');
  const field = html`<label
    >Amount in pounds <input name="amount" value="${amount}" inputmode="decimal" autocomplete="off" required
  /></label>`;
  const form = post(`${fundsPath}/check`, session, 'Can I spend it?', field);
  return html`<section class="connection" data-home="${fundsPath}" aria-label="Account">
      <p>${accountNumber('SortCodeAccountNumber', account)}</p>
      <div class="actions">${post(`${fundsPath}/disconnect`, session, 'Disconnect')}</div>
    </section>
    ${fundsCheck === undefined ? form : sideBySide(html`${form} ${answer(fundsCheck)}`, fundsCheck)}`;
}

function answer(check: Exchange): Html {
  const { response, json } = check;
  if (response.status !== 201)
    return html`<p class="notice" role="status">
      ${textAt(json, 'Message') ?? `The bank answered ${response.status}.`}
    </p>`;
  const { FundsAvailable: isAvailable } = (json as { Data: { FundsAvailable: boolean } }).Data;
  return html`<section role="status">
    <p class="figure">${isAvailable ? 'Yes' : 'No'}</p>
    <p>
      ${isAvailable ? 'You can spend' : 'You cannot spend'} ${money(amountOf(check))}, as of
      ${moment(textAt(json, 'Data', 'CreationDateTime') ?? '')}.
    </p>
  </section>`;
}

function amountOf({ request }: Exchange): unknown {
  const { Data } = parsedJson(request.body ?? '') as { readonly Data: { readonly InstructedAmount: unknown } };
  return Data.InstructedAmount;
}
