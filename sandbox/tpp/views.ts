import { type Html, html } from '../web/html.js';
import { type Exchange, textAt } from './bank.client.js';
import type { Choice } from './asked-for.js';
import { post, raw } from './layout.js';
import type { Session } from './sessions.js';

export interface HomeView {
  readonly session: Session;
  readonly choices: readonly Choice[];
  readonly inboxUrl: string;
}

/** Before the customer is connected. */
export function welcome({ session, choices, inboxUrl }: HomeView): Html {
  const fields = html` <fieldset>
      <legend>What may Moneyview see, beside your accounts and balances?</legend>
      ${choices.map(
        ({ name, words }) => html`<label><input type="checkbox" name="see" value="${name}" checked /> ${words}</label>`,
      )}
    </fieldset>
    <label
      >For how long?
      <select name="days">
        <option value="90">90 days</option>
        <option value="365">A year</option>
        <option value="">Until I withdraw it</option>
      </select>
    </label>`;
  return html`<p>
      See the accounts that you have at the sandbox bank. You choose what Moneyview may see; then the bank asks who you
      are, and whether you agree.
    </p>
    ${post('/connect', session, 'Connect to the bank', fields)}
    <section>
      <h2>Who to be</h2>
      <p>
        In the sandbox everybody may be anybody: at the bank, sign in as <b>complete</b> with the password
        <b>sandbox-complete</b>. The bank’s code is in the <a href="${inboxUrl}">sandbox inbox</a>. More people:
        <code>npm run sandbox -- personas</code>.
      </p>
    </section>`;
}

/** The accounts, with a way into each. */
export function accounts(exchange: Exchange): Html {
  const list = listIn(exchange.json, 'Account');
  return html`${list.map(
    (account) =>
      html`<section>
        <h2>
          <a href="/accounts/${encodeURIComponent(textAt(account, 'AccountId') ?? '')}/balances"
            >${accountName(account)}</a
          >
        </h2>
        <p>${numberOf(account)} ${textAt(account, 'Currency')}</p>
      </section>`,
  )}${list.length === 0 ? html`<p>The bank shows no accounts.</p>` : undefined}${raw(exchange)}`;
}

export const resources = [
  ['balances', 'Balances'],
  ['transactions', 'Last 90 days'],
  ['all-transactions', 'All transactions'],
  ['standing-orders', 'Standing orders'],
  ['direct-debits', 'Direct debits'],
  ['scheduled-payments', 'Scheduled payments'],
  ['beneficiaries', 'Payees'],
  ['statements', 'Statements'],
  ['product', 'Product'],
  ['offers', 'Offers'],
  ['party', 'You'],
] as const;
export type Resource = (typeof resources)[number][0];

export function resourcePage(accountId: string, resource: Resource, exchange: Exchange, session: Session): Html {
  const links = resources.map(([name, words]) => {
    const current = name === resource ? html` aria-current="page"` : undefined;
    return html`<li><a href="/accounts/${encodeURIComponent(accountId)}/${name}" ${current}>${words}</a></li>`;
  });
  return html`<nav aria-label="What to look at">
      <ul>
        ${links}
      </ul>
    </nav>
    ${exchange.response.status === 200 ? shown(resource, exchange) : refused(exchange, session)} ${raw(exchange)}`;
}

function shown(resource: Resource, { json }: Exchange): Html {
  if (resource === 'balances') return balances(listIn(json, 'Balance'));
  if (resource === 'transactions' || resource === 'all-transactions') {
    const next = textAt(json, 'Links', 'Next');
    const older = next === undefined ? undefined : html`<p><a href="${new URL(next).search}">Older ones</a></p>`;
    return html`${transactions(listIn(json, 'Transaction'))}${older}`;
  }
  const data = (json as { Data?: Record<string, unknown> } | undefined)?.Data ?? {};
  const items = Object.values(data).flat();
  return items.length === 0
    ? html`<p>There is nothing here.</p>`
    : html`${items.map((item) => html`<div class="card">${described(item)}</div>`)}`;
}

function balances(list: readonly unknown[]): Html {
  return html`<table>
    <caption>
      What is on the account
    </caption>
    <thead>
      <tr>
        <th scope="col">Balance</th>
        <th scope="col" class="amount">Amount</th>
      </tr>
    </thead>
    <tbody>
      ${list.map(
        (balance) =>
          html`<tr>
            <td>${words(textAt(balance, 'Type') ?? '')}</td>
            <td class="amount">${money(balance)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

function transactions(list: readonly unknown[]): Html {
  if (list.length === 0) return html`<p>There are no transactions.</p>`;
  return html`<table>
    <caption>
      Newest first
    </caption>
    <thead>
      <tr>
        <th scope="col">Date</th>
        <th scope="col">What for</th>
        <th scope="col" class="amount">Amount</th>
      </tr>
    </thead>
    <tbody>
      ${list.map((transaction) => {
        const booked = textAt(transaction, 'BookingDateTime');
        const date = booked ? html`<time datetime="${booked}">${day.format(new Date(booked))}</time>` : 'Pending';
        return html`<tr>
          <td>${date}</td>
          <td>${textAt(transaction, 'TransactionInformation')}</td>
          <td class="amount">${money(transaction)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** Why the bank did not answer with data, and what to do. */
function refused({ response, json }: Exchange, session: Session): Html {
  const message = textAt(json, 'Message') ?? `The bank answered ${response.status}.`;
  if (textAt(json, 'Code')?.includes('Reauthentication') === true)
    return html`<section>
      <h2>The bank wants to know again that it is you</h2>
      <p>This can be read for five minutes after you identified yourself.</p>
      <p>${message}</p>
      ${post('/reauthenticate', session, 'Identify yourself at the bank')}
    </section>`;
  return html`<section>
    <h2>The bank does not show this</h2>
    <p>${message}</p>
  </section>`;
}

/** Any record of the API, as names and values. */
function described(value: unknown): Html {
  if (Array.isArray(value))
    return html`<ul>
      ${value.map((item) => html`<li>${described(item)}</li>`)}
    </ul>`;
  if (typeof value === 'object' && value !== null) {
    const rows = Object.entries(value).filter(([name]) => !name.endsWith('Id'));
    return html`<dl>
      ${rows.map(
        ([name, member]) =>
          html`<dt>${words(name)}</dt>
            <dd>${described(member)}</dd>`,
      )}
    </dl>`;
  }
  return html`${String(value)}`;
}

function accountName(account: unknown): string {
  const [holder] = listOf(account, 'Account');
  return (
    textAt(account, 'Nickname') ??
    textAt(account, 'Description') ??
    textAt(holder, 'Name') ??
    words(textAt(account, 'AccountSubType') ?? 'Account')
  );
}

function numberOf(account: unknown): string | undefined {
  const [first] = listOf(account, 'Account');
  return textAt(first, 'Identification');
}

function money(record: unknown): string {
  const amount = textAt(record, 'Amount', 'Amount') ?? '';
  const sign = textAt(record, 'CreditDebitIndicator') === 'Debit' && !amount.startsWith('-') ? '−' : '';
  return `${sign}${amount} ${textAt(record, 'Amount', 'Currency') ?? ''}`;
}

/** `UK.OBIE.InterimAvailable` as `Interim available`. */
function words(name: string): string {
  const plain = name.replace(/^.*\./, '').replace(/([a-z])(?=[A-Z])/g, '$1 ');
  return plain.charAt(0) + plain.slice(1).toLowerCase();
}

export function listIn(json: unknown, name: string): readonly unknown[] {
  return listOf((json as { Data?: unknown } | undefined)?.Data, name);
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = (value as Record<string, unknown> | undefined)?.[name];
  return Array.isArray(list) ? list : [];
}
