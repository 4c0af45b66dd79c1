import { openedBy, type Endpoint } from '../../src/resources/endpoints.js';
import type { Permission } from '../../src/open-banking/permissions.js';
import type { VersionName } from '../../src/versions/versions.js';
import { type Html, html } from '../web/html.js';
import { type Choice, durations, histories } from './asked-for.js';
import { type Exchange, isRefusedByWindow, listIn, textAt } from '../clients/exchange.js';
import { sideBySide, post, raw } from './layout.js';
import { card } from './records.js';
import type { Session } from './sessions.js';
import { transactionList } from './transactions.js';
import { accountNumber, moment, money, words } from './wording.js';

export interface HomeView {
  readonly session: Session;
  readonly choices: readonly Choice[];
  /** The names of the versions of the API, the newest first. */
  readonly versions: readonly VersionName[];
  readonly inboxUrl: string;
  /** A customer of the bank, for a visitor who has not chosen one. */
  readonly customer: { readonly loginName: string; readonly password: string };
}

/** Before the customer is connected. */
export function welcome({ session, choices, versions, inboxUrl, customer }: HomeView): Html {
  const fields = html`<fieldset>
      <legend>What may Moneyview see, in addition to your accounts and balances?</legend>
      ${choices.map(
        ({ name, words: said }) =>
          html`<label class="choice"><input type="checkbox" name="see" value="${name}" checked /> ${said}</label>`,
      )}
    </fieldset>
    <label>How far back? ${select('history', histories)}</label>
    <label>For how long? ${select('days', durations)}</label>
    ${versionChoice(versions)}`;
  return html`<p>
      See the accounts that you have at the sandbox bank. You choose what Moneyview may see; then the bank asks who you
      are, and whether you agree.
    </p>
    ${post('/connect', session, 'Connect to the bank', fields)}
    <section>
      <h2>Sign in as</h2>
      <p>
        In the sandbox you may be any of its people: at the bank, sign in as <b>${customer.loginName}</b> with the
        password <b>${customer.password}</b>. The bank’s code is in the <a href="${inboxUrl}">sandbox inbox</a>. More
        people: <code>npm run --silent sandbox -- personas</code>.
      </p>
    </section>`;
}

export function versionChoice(versions: readonly VersionName[]): Html {
  return html`<label
    >By which version of the API?
    ${select(
      'api',
      versions.map((name) => [name, name]),
    )}</label
  >`;
}

function select(name: string, options: readonly (readonly [value: number | string, words: string])[]): Html {
  return html`<select name="${name}">
    ${options.map(([value, said]) => html`<option value="${value}">${said}</option>`)}
  </select>`;
}

/** The accounts, each with its balances and a way into it. */
export function accounts(
  exchange: Exchange,
  balances: ReadonlyMap<string, Exchange>,
  into: Resource,
  session: Session,
): Html {
  if (exchange.response.status !== 200) return sideBySide(refused(exchange, session, '/'), exchange);
  const list = listIn(exchange.json, 'Account');
  if (list.length === 0) return sideBySide(html`<p>The bank shows no accounts.</p>`, exchange);
  return sideBySide(
    html`${list.map((account) => {
      const id = textAt(account, 'AccountId') ?? '';
      const read = balances.get(id);
      return html`<section>
        <div class="account">
          <h2><a href="${pagePath(id, into)}">${accountName(account)}</a></h2>
          <p>${numberOf(account)}</p>
          ${read && figures(read)}
        </div>
        ${read && raw(read)}
      </section>`;
    })}`,
    exchange,
  );
}

function figures({ response, json }: Exchange): Html {
  const balances = listIn(json, 'Balance');
  if (response.status !== 200) return html`<p>The bank shows no balance: it answered ${response.status}.</p>`;
  return html`<dl class="figures">
    ${balances.map(
      (balance) =>
        html`<div>
          <dt>${balanceName(balance)}</dt>
          <dd>${balanceOf(balance)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The pages of an account: the page's name, its heading, and the endpoint behind it. */
const resources = [
  ['balances', 'Balances', 'balances'],
  ['transactions', 'Last 90 days', 'transactions'],
  ['all-transactions', 'All transactions', 'transactions'],
  ['standing-orders', 'Standing orders', 'standing-orders'],
  ['direct-debits', 'Direct debits', 'direct-debits'],
  ['scheduled-payments', 'Scheduled payments', 'scheduled-payments'],
  ['beneficiaries', 'Payees', 'beneficiaries'],
  ['statements', 'Statements', 'statements'],
  ['product', 'Product', 'product'],
  ['offers', 'Offers', 'offers'],
  ['party', 'You', 'party'],
] as const satisfies readonly (readonly [string, string, Endpoint])[];
export type Resource = (typeof resources)[number][0];

export function isResource(name: string): name is Resource {
  return resources.some(([resource]) => resource === name);
}

/** The pages for which the permissions suffice. */
export function resourcesFor(permissions: readonly Permission[]): readonly Resource[] {
  const opened = openedBy(new Set(permissions));
  return resources.filter(([, , endpoint]) => opened.includes(endpoint)).map(([name]) => name);
}

export function resourceName(resource: Resource): string {
  return resources.find(([name]) => name === resource)?.[1] ?? resource;
}

export interface ResourceView {
  readonly accountId: string;
  readonly resource: Resource;
  readonly exchange: Exchange;
  readonly session: Session;
  readonly path: string;
}

export function resourcePage({ accountId, resource, exchange, session, path }: ResourceView): Html {
  const links = resourcesFor(session.connection?.permissions ?? []).map((name) => {
    const current = name === resource ? html`aria-current="page"` : undefined;
    return html`<li><a href="${pagePath(accountId, name)}" ${current}>${resourceName(name)}</a></li>`;
  });
  const content = exchange.response.status === 200 ? shown(resource, exchange) : refused(exchange, session, path);
  return html`<p><a href="/">All accounts</a></p>
    <nav aria-label="What to look at">
      <ul>
        ${links}
      </ul>
    </nav>
    ${sideBySide(
      html`<h2>${resourceName(resource)}</h2>
        ${content}`,
      exchange,
    )}`;
}

function pagePath(accountId: string, resource: Resource): string {
  return `/accounts/${encodeURIComponent(accountId)}/${resource}`;
}

function shown(resource: Resource, { json }: Exchange): Html {
  if (resource === 'balances') return html`${listIn(json, 'Balance').map(balanceCard)}`;
  if (resource === 'transactions' || resource === 'all-transactions') {
    const next = textAt(json, 'Links', 'Next');
    const older = next === undefined ? undefined : html`<p><a href="${new URL(next).search}">Older ones</a></p>`;
    return html`${transactionList(listIn(json, 'Transaction'))}${older}`;
  }
  const data = (json as { Data?: Record<string, unknown> } | undefined)?.Data ?? {};
  const items = Object.values(data).flat();
  return items.length === 0 ? html`<p>There is nothing here.</p>` : html`${items.map(card)}`;
}

function balanceCard(balance: unknown): Html {
  const { CreditLine: lines = [] } = balance as { CreditLine?: readonly { Type?: string; Amount?: unknown }[] };
  return html`<div class="card">
    <h3>${balanceName(balance)}</h3>
    <p class="figure">${balanceOf(balance)}</p>
    <p>as of ${moment(textAt(balance, 'DateTime') ?? '')}</p>
    ${lines.map(({ Type, Amount }) => html`<p>Credit line, ${words(Type ?? '').toLowerCase()}: ${money(Amount)}</p>`)}
  </div>`;
}

/** People call the booked balance the balance. */
function balanceName(balance: unknown): string {
  const type = words(textAt(balance, 'Type') ?? '');
  if (type.endsWith('booked')) return 'Balance';
  return type.endsWith('available') ? 'Available' : type;
}

function balanceOf(balance: unknown): string {
  return money((balance as { Amount?: unknown }).Amount, textAt(balance, 'CreditDebitIndicator'));
}

/** The reason why the bank did not answer with data, and the next step for the person. */
function refused(exchange: Exchange, session: Session, path: string): Html {
  const { response, json } = exchange;
  const message = textAt(json, 'Message') ?? `The bank answered ${response.status}.`;
  if (isRefusedByWindow(exchange))
    return html`<section>
      <h3>Reauthentication: the bank wants to know again that it is you</h3>
      <p>The bank shows this for a few minutes after you identified yourself. That time has ended.</p>
      ${post(
        '/reauthenticate',
        session,
        'Identify yourself at the bank',
        html`<input type="hidden" name="return" value="${path}" />`,
      )}
      <p><small>The bank says: ${message}</small></p>
    </section>`;
  return html`<section>
    <h3>The bank does not show this</h3>
    <p>${message}</p>
  </section>`;
}

export function accountName(account: unknown): string {
  return (
    textAt(account, 'Nickname') ??
    textAt(account, 'Description') ??
    textAt(firstHolder(account), 'Name') ??
    words(kindOf(account) ?? 'Account')
  );
}

function numberOf(account: unknown): string {
  const holder = firstHolder(account);
  const number = accountNumber(textAt(holder, 'SchemeName'), textAt(holder, 'Identification') ?? '');
  return [words(kindOf(account) ?? ''), number].filter((part) => part !== '').join(', ');
}

/** In the words of the version: v4.0 has codes. */
function kindOf(account: unknown): string | undefined {
  return textAt(account, 'AccountSubType') ?? textAt(account, 'AccountTypeCode');
}

function firstHolder(account: unknown): unknown {
  const { Account: holders } = account as { Account?: unknown };
  return Array.isArray(holders) ? holders[0] : undefined;
}
