import { dashboardPath, type PageDocument, type AccessRequest } from '../customer-pages.js';
import { accountList, clusterList, expirySentence, factList } from '../access-terms.js';
import type { CurrentAccess, DashboardView, GivenAccess, PastAccess } from '../dashboard-views.js';
import { html, type Html } from '../html.js';
import { signedInPage } from './signed-in-page.js';
import type { Site } from '../site.js';
import { outsideName, tppName } from '../tpp-name.js';

export function dashboardPage(site: Site, view: DashboardView): PageDocument {
  const { say } = site;
  return signedInPage(site, view.signOut, {
    title: say('dashboard.title'),
    main: html`${view.withdrawn && withdrawnNote(site, tppName(site, view.withdrawn))}
      <h1>${say('dashboard.heading')}</h1>
      <p class="introduction">
        ${say('journey.greeting', { customer: outsideName(view.customerName) })} ${say('dashboard.introduction')}
      </p>
      ${view.continued && html`<p><a href="${dashboardPath}">${say('dashboard.everything')}</a></p>`}
      ${currentAccess(site, view)} ${pastAccess(site, view)}`,
  });
}

function currentAccess(site: Site, { current, moreCurrent }: DashboardView): Html {
  const { say } = site;
  return html`<section aria-labelledby="current">
    <h2 id="current">${say('dashboard.current')}</h2>
    ${current.length > 0 ? byTpp(site, current, currentRow) : html`<p class="panel">${say('dashboard.no-current')}</p>`}
    ${more(moreCurrent, say('dashboard.more-current'))}
  </section>`;
}

/** Folded, unless a list continues an earlier page. */
function pastAccess(site: Site, { past, morePast, continued }: DashboardView): Html {
  const { say } = site;
  return html`<section aria-labelledby="past">
    <details class="past" ${continued && html` open`}>
      <summary><h2 id="past">${say('dashboard.past')}</h2></summary>
      ${past.length > 0 ? byTpp(site, past, pastRow) : html`<p class="panel">${say('dashboard.no-past')}</p>`}
      ${more(morePast, say('dashboard.more-past'))}
    </details>
  </section>`;
}

function byTpp<Access extends CurrentAccess | PastAccess>(
  site: Site,
  accesses: readonly Access[],
  row: (site: Site, access: Access) => Html,
): Html {
  return html`<ul class="cards">
    ${groupedByTpp(accesses).map(
      (group) =>
        html`<li>
          <h3>${tppName(site, group.tpp)}</h3>
          <ul class="rows">
            ${group.accesses.map((access) => row(site, access))}
          </ul>
        </li>`,
    )}
  </ul>`;
}

function more(address: string | undefined, text: Html): Html | false {
  return address !== undefined && html`<p><a href="${address}">${text}</a></p>`;
}

function withdrawnNote({ say }: Site, tpp: Html): Html {
  return html`<div class="note" role="status" tabindex="-1" autofocus>
    <p>${say('dashboard.withdrawn', { tpp })}</p>
  </div>`;
}

function currentRow(site: Site, access: CurrentAccess): Html {
  const { say, date, dateTime } = site;
  return html`<li class="panel card">
    <details>
      <summary>
        ${say(access.request.forFunds ? 'dashboard.since-funds' : 'dashboard.since')} ${date(access.givenAt)}
      </summary>
      ${factList([
        [say('dashboard.lasts'), expirySentence(site, access.request)],
        [say('dashboard.last-used'), lastUse(site, access)],
        [say('dashboard.confirmed'), dateTime(access.lastAuthenticatedAt)],
      ])}
      ${shared(site, access)}
    </details>
    <a class="button other" href="${access.withdraw}"
      >${say('withdrawal.title')}<span class="unseen">
        ${say('withdrawal.of', { tpp: tppName(site, access.request.tpp) })}</span
      ></a
    >
  </li>`;
}

function pastRow(site: Site, access: PastAccess): Html {
  const { say, date, dateTime } = site;
  const isRefused = access.how === 'refused';
  return html`<li class="panel card">
    <details>
      <summary>${say(`dashboard.end.${access.how}`)} ${dateTime(access.endedAt)}</summary>
      ${
        isRefused
          ? html`<h4>${say('dashboard.asked')}</h4>
              ${clusterList(site, access.request)}`
          : html`${factList([
              [say('dashboard.given'), date(access.givenAt)],
              [say('dashboard.last-used'), lastUse(site, access)],
              [say('dashboard.confirmed'), dateTime(access.lastAuthenticatedAt)],
            ])}
            ${shared(site, access)}`
      }
    </details>
  </li>`;
}

function lastUse({ say, dateTime }: Site, { lastUsedAt }: GivenAccess): Html {
  return lastUsedAt ? dateTime(lastUsedAt) : say('dashboard.never-used');
}

/** The accounts of an access, and the information about them. */
function shared(site: Site, { accounts, request }: GivenAccess): Html {
  return html`<div class="shared">
    <h4>${site.say('dashboard.accounts')}</h4>
    ${accountList(site, accounts)}
    <h4>${site.say('dashboard.information')}</h4>
    ${clusterList(site, request)}
  </div>`;
}

interface TppGroup<Access> {
  readonly tpp: AccessRequest['tpp'];
  readonly accesses: readonly Access[];
}

/** One group for each TPP, in the order of its first access; the accesses of a group keep their order. */
function groupedByTpp<Access extends { readonly request: AccessRequest }>(
  accesses: readonly Access[],
): TppGroup<Access>[] {
  const groups = new Map<string, TppGroup<Access>>();
  for (const access of accesses) {
    const { tpp } = access.request;
    groups.set(tpp.id, { tpp, accesses: [...(groups.get(tpp.id)?.accesses ?? []), access] });
  }
  return [...groups.values()];
}
