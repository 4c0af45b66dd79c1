import { accountList, clusterList, expirySentence, factList } from '../access-terms.js';
import type { CurrentAccess, DashboardView, GivenAccess, PastAccess } from '../dashboard-views.js';
import { html, type Html } from '../html.js';
import { longDate, longDateTime } from '../long-dates.js';
import { signedInPage } from './signed-in-page.js';
import type { Site } from '../site.js';
import { outsideName, tppLogo } from '../who-asks.js';

export function dashboardPage(site: Site, view: DashboardView): string {
  return signedInPage(site, view.signOut, {
    title: 'Access dashboard',
    main: html`${view.withdrawn !== undefined && withdrawnNote(view.withdrawn)}
      <h1>Who may look at your accounts</h1>
      <p class="lead">
        Hello ${outsideName(view.customerName)}. These are the apps and websites with which you share information about
        your accounts at ${site.brand.name}.
      </p>
      <section aria-labelledby="current">
        <h2 id="current">Current access</h2>
        ${
          view.current.length > 0
            ? html`<ul class="cards">
                ${view.current.map((access) => currentCard(access, site))}
              </ul>`
            : html`<p class="panel">Nobody has access to your accounts.</p>`
        }
        ${more(view.moreCurrent, 'Show more current access')}
      </section>
      <section aria-labelledby="past">
        <h2 id="past">Past access</h2>
        ${
          view.past.length > 0
            ? html`<ul class="cards">
                ${view.past.map((access) => pastCard(access, site))}
              </ul>`
            : html`<p class="panel">There is no past access.</p>`
        }
        ${more(view.morePast, 'Show earlier past access')}
      </section>`,
  });
}

function more(address: string | undefined, text: string): Html | false {
  return address !== undefined && html`<p><a href="${address}">${text}</a></p>`;
}

function withdrawnNote(name: string): Html {
  return html`<div class="note" role="status" tabindex="-1" autofocus>
    <p>You withdrew the access of ${outsideName(name)}. It can no longer see your accounts.</p>
  </div>`;
}

function currentCard(access: CurrentAccess, site: Site): Html {
  return html`<li class="panel card">
    ${cardHead(access)}
    ${factList([
      ['Access since', longDate(access.givenAt, site.timeZone)],
      ['Lasts', expirySentence(access.request, site.timeZone)],
      ['Last used', lastUse(access, site)],
      ['You last confirmed it was you', longDateTime(access.lastAuthenticatedAt, site.timeZone)],
    ])}
    ${shared(access, site)}
    <p class="buttons">
      <a class="button other" href="${access.withdraw}"
        >Withdraw access<span class="unseen"> of ${outsideName(access.request.tpp.name)}</span></a
      >
    </p>
  </li>`;
}

function pastCard(access: PastAccess, site: Site): Html {
  const ended = [endings[access.how], longDateTime(access.endedAt, site.timeZone)] as const;
  if (access.how === 'refused')
    return html`<li class="panel card">
      ${cardHead(access)} ${factList([ended])}
      <details>
        <summary>Information that was asked for</summary>
        ${clusterList(access.request, 'titles', site.timeZone)}
      </details>
    </li>`;
  return html`<li class="panel card">
    ${cardHead(access)}
    ${factList([
      ended,
      ['Given', longDate(access.givenAt, site.timeZone)],
      ['Last used', lastUse(access, site)],
      ['You last confirmed it was you', longDateTime(access.lastAuthenticatedAt, site.timeZone)],
    ])}
    <details>
      <summary>Accounts and information</summary>
      ${shared(access, site)}
    </details>
  </li>`;
}

const endings: Readonly<Record<PastAccess['how'], string>> = {
  refused: 'Refused by you',
  withdrawn: 'Withdrawn by you',
  expired: 'Came to its end',
  'ended-by-tpp': 'Ended by them',
  'ended-by-bank': 'Ended by us',
};

function cardHead({ request: { tpp } }: Pick<GivenAccess, 'request'>): Html {
  return html`<div class="card-head">
    ${tppLogo(tpp)}
    <h3>${outsideName(tpp.name)}</h3>
  </div>`;
}

function lastUse({ lastUsedAt }: GivenAccess, { timeZone }: Site): string {
  return lastUsedAt ? longDateTime(lastUsedAt, timeZone) : 'Never';
}

/** Which accounts, and what of them. */
function shared({ accounts, request }: GivenAccess, { timeZone }: Site): Html {
  return html`<div class="shared">
    <h4>Accounts</h4>
    ${accountList(accounts)}
    <h4>Information</h4>
    ${clusterList(request, 'titles', timeZone)}
  </div>`;
}
