import type { AccessRequest, PermissionCluster } from './customer-pages.js';
import type { ChosenAccount } from './dashboard-views.js';
import { html, type Html } from './html.js';
import { longDate, longDateTime } from './long-dates.js';
import { clusterLines, clusterTitle } from './permission-words.js';
import { outsideName } from './who-asks.js';

/** How much of it is unfolded when the page opens. */
export type Unfolded = 'all' | 'titles';

/** The data that the TPP would see, cluster by cluster; the customer can unfold each. */
export function clusterList(request: AccessRequest, unfolded: Unfolded, timeZone: string): Html {
  return html`<ul class="clusters">
    ${request.clusters.map(
      (cluster) => html`<li><details${unfolded === 'all' && html` open`}>
<summary>${clusterTitle(cluster)}</summary>
<ul>
${linesOf(cluster, request, timeZone).map((line) => html`<li>${line}</li>`)}
</ul>
</details></li>`,
    )}
  </ul>`;
}

function linesOf(cluster: PermissionCluster, request: AccessRequest, timeZone: string): string[] {
  const lines = clusterLines(cluster);
  return cluster.name === 'transactions' ? [...lines, historySentence(request, timeZone)] : lines;
}

/** Which of the transactions, by their dates. */
export function historySentence({ transactionsFrom, transactionsTo }: AccessRequest, timeZone: string): string {
  const from = transactionsFrom && longDate(transactionsFrom, timeZone);
  const to = transactionsTo && longDate(transactionsTo, timeZone);
  if (from && to) return `Only those from ${from} to ${to}`;
  if (from) return `Those since ${from}, and new ones while the access lasts`;
  if (to) return `All that we can show up to ${to}`;
  return 'All that we can show, however old, and new ones while the access lasts';
}

/** Until when the access lasts. */
export function expirySentence({ expiresAt }: AccessRequest, timeZone: string): string {
  return expiresAt ? `Until ${longDateTime(expiresAt, timeZone)}` : 'Until you withdraw it';
}

/** A name and value for each fact; those whose value is absent are left out. */
export function factList(facts: readonly (readonly [name: string, value: Html | string | undefined])[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        value !== undefined &&
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

interface Asked {
  readonly request: AccessRequest;
  readonly again: boolean;
  readonly withdrawnAt?: Date;
}

/** The TPP, its request and the period: the left half of each page of a journey. */
export function requestPanel({ request, again, withdrawnAt }: Asked, unfolded: Unfolded, timeZone: string): Html {
  const asksForTransactions = request.clusters.some(({ name }) => name === 'transactions');
  return html`<section class="panel" aria-labelledby="request">
    <h2 id="request">What ${outsideName(request.tpp.name)} ${again && !withdrawnAt ? 'may' : 'would'} see</h2>
    ${clusterList(request, unfolded, timeZone)}
    ${factList([
      ['How long', expirySentence(request, timeZone)],
      ['Which transactions', asksForTransactions ? historySentence(request, timeZone) : undefined],
      ['What it cannot do', 'Make payments, or see your password or one-time codes'],
    ])}
  </section>`;
}

const products: Readonly<Record<string, string>> = {
  CurrentAccount: 'Current account',
  Savings: 'Savings account',
  CreditCard: 'Credit card',
  RewardsPayPlus: 'Rewards PayPlus account',
  RoundUp: 'Round Up account',
};

/** An account as its owner knows it: name, kind and last digits, as far as they are known. */
export function accountWords({ name, endsWith, product }: ChosenAccount): Html {
  const kind = products[product] ?? product;
  const ending = endsWith !== undefined && `ending ${endsWith}`;
  if (name === undefined)
    return html`<span class="account-name">${kind}</span>
      ${ending && html`<span class="account-kind">${ending}</span>`}`;
  return html`<span class="account-name">${name}</span>
    <span class="account-kind">${kind}${ending && `, ${ending}`}</span>`;
}

export function accountList(accounts: readonly ChosenAccount[]): Html {
  return html`<ul class="accounts">
    ${accounts.map((account) => html`<li>${accountWords(account)}</li>`)}
  </ul>`;
}
