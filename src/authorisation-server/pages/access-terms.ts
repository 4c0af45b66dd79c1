import type { AccessQuestion, AccessRequest, PermissionCluster, WhyWithheld } from './customer-pages.js';
import type { ChosenAccount } from './dashboard-views.js';
import { html, type Html } from './html.js';
import { clusterLines, clusterTitle } from './permission-words.js';
import type { Site } from './site.js';
import { tppName } from './tpp-name.js';

/** The data that the TPP would see, cluster by cluster; the customer can unfold each. */
export function clusterList(site: Site, request: AccessRequest): Html {
  if (request.forFunds)
    return html`<ul class="plain">
      <li>${site.say('funds.learns')}</li>
    </ul>`;
  return html`<ul class="clusters">
    ${request.clusters.map(
      (cluster) =>
        html`<li>
          <details>
            <summary>${clusterTitle(site.say, cluster)}</summary>
            <ul>
              ${linesOf(site, cluster, request).map((line) => html`<li>${line}</li>`)}
            </ul>
          </details>
        </li>`,
    )}
  </ul>`;
}

function linesOf(site: Site, cluster: PermissionCluster, request: AccessRequest): Html[] {
  const lines = clusterLines(site.say, cluster);
  return cluster.name === 'transactions' ? [...lines, historySentence(site, request)] : lines;
}

/** The dates between which the TPP would see transactions. */
function historySentence({ say, date }: Site, { transactionsFrom, transactionsTo }: AccessRequest): Html {
  const from = transactionsFrom && date(transactionsFrom);
  const to = transactionsTo && date(transactionsTo);
  if (from && to) return say('request.history-from-to', { from, to });
  if (from) return say('request.history-from', { from });
  if (to) return say('request.history-to', { to });
  return say('request.history-all');
}

/** Until when the access lasts. */
export function expirySentence({ say, dateTime }: Site, { expiresAt }: AccessRequest): Html {
  return expiresAt ? say('request.until', { date: dateTime(expiresAt) }) : say('request.until-withdrawn');
}

/** A name and value for each fact; those whose value is absent are omitted. */
export function factList(facts: readonly (readonly [name: Html, value: Html | string | undefined])[]): Html {
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

/** The TPP, its request and the period: on each page of a journey that asks for a decision or leads to one. */
export function requestPanel(site: Site, { request, again, withdrawnAt }: AccessQuestion): Html {
  const { say } = site;
  const tpp = tppName(site, request.tpp);
  const isGiven = again && !withdrawnAt;
  const heading = request.forFunds
    ? say(isGiven ? 'funds.may-learn' : 'funds.would-learn', { tpp })
    : say(isGiven ? 'request.may-see' : 'request.would-see', { tpp });
  const asksForTransactions = request.clusters.some(({ name }) => name === 'transactions');
  return html`<section class="panel one-line" aria-labelledby="request">
    <h2 id="request">${heading}</h2>
    ${clusterList(site, request)}
    ${factList([
      [say('request.how-long'), expirySentence(site, request)],
      [say('request.which-transactions'), asksForTransactions ? historySentence(site, request) : undefined],
      [say('request.cannot'), say(request.forFunds ? 'funds.cannot' : 'request.no-payments')],
    ])}
  </section>`;
}

/** The kind of account, by the product. A product without a text is shown by its name in the profile. */
function kindOf({ say }: Site, product: string): Html | string {
  switch (product) {
    case 'CurrentAccount':
    case 'Savings':
    case 'CreditCard':
    case 'RewardsPayPlus':
    case 'RoundUp':
      return say(`product.${product}`);
    default:
      return product;
  }
}

/** An account as its owner knows it: name, kind and last digits, if known. */
export function accountWords(site: Site, { name, endsWith, product }: ChosenAccount): Html {
  const kind = kindOf(site, product);
  const ending = endsWith !== undefined && site.say('account.ending', { digits: endsWith });
  if (name === undefined)
    return html`<span class="account-name">${kind}</span>
      ${ending && html`<span class="account-kind">${ending}</span>`}`;
  return html`<span class="account-name">${name}</span>
    <span class="account-kind">${ending ? site.say('account.kind-and-ending', { kind, ending }) : kind}</span>`;
}

/** Why an account cannot be shared. */
export function withheldWords({ say }: Site, why: WhyWithheld, tpp: Html): Html {
  return why === 'not-asked' ? say('withheld.not-asked', { tpp }) : say(`withheld.${why}`);
}

export function accountList(site: Site, accounts: readonly ChosenAccount[]): Html {
  return html`<ul class="accounts">
    ${accounts.map((account) => html`<li>${accountWords(site, account)}</li>`)}
  </ul>`;
}
