import { accountList, clusterList, expirySentence, factList } from '../access-terms.js';
import type { PageDocument } from '../customer-pages.js';
import type { CurrentAccess, DashboardView, GivenAccess, PastAccess } from '../dashboard-views.js';
import { html, type Html } from '../html.js';
import { signedInPage } from './signed-in-page.js';
import type { Site } from '../site.js';
import { outsideName, tppLogo } from '../who-asks.js';

export function dashboardPage(site: Site, view: DashboardView): PageDocument {
  const { say } = site;
  return signedInPage(site, view.signOut, {
    title: say('dashboard.title'),
    main: html`${view.withdrawn !== undefined && withdrawnNote(site, view.withdrawn)}
      <h1>${say('dashboard.heading')}</h1>
      <p class="lead">
        ${say('journey.greeting', { customer: outsideName(view.customerName) })} ${say('dashboard.lead')}
      </p>
      <section aria-labelledby="current">
        <h2 id="current">${say('dashboard.current')}</h2>
        ${
          view.current.length > 0
            ? html`<ul class="cards">
                ${view.current.map((access) => currentCard(site, access))}
              </ul>`
            : html`<p class="panel">${say('dashboard.no-current')}</p>`
        }
        ${more(view.moreCurrent, say('dashboard.more-current'))}
      </section>
      <section aria-labelledby="past">
        <h2 id="past">${say('dashboard.past')}</h2>
        ${
          view.past.length > 0
            ? html`<ul class="cards">
                ${view.past.map((access) => pastCard(site, access))}
              </ul>`
            : html`<p class="panel">${say('dashboard.no-past')}</p>`
        }
        ${more(view.morePast, say('dashboard.more-past'))}
      </section>`,
  });
}

function more(address: string | undefined, text: Html): Html | false {
  return address !== undefined && html`<p><a href="${address}">${text}</a></p>`;
}

function withdrawnNote({ say }: Site, name: string): Html {
  return html`<div class="note" role="status" tabindex="-1" autofocus>
    <p>${say('dashboard.withdrawn', { tpp: outsideName(name) })}</p>
  </div>`;
}

function currentCard(site: Site, access: CurrentAccess): Html {
  const { say, date, dateTime } = site;
  return html`<li class="panel card">
    ${cardHead(access)}
    ${factList([
      [say('dashboard.since'), date(access.givenAt)],
      [say('dashboard.lasts'), expirySentence(site, access.request)],
      [say('dashboard.last-used'), lastUse(site, access)],
      [say('dashboard.confirmed'), dateTime(access.lastAuthenticatedAt)],
    ])}
    ${shared(site, access)}
    <p class="buttons">
      <a class="button other" href="${access.withdraw}"
        >${say('withdrawal.title')}<span class="unseen">
          ${say('withdrawal.of', { tpp: outsideName(access.request.tpp.name) })}</span
        ></a
      >
    </p>
  </li>`;
}

function pastCard(site: Site, access: PastAccess): Html {
  const { say, date, dateTime } = site;
  const ended = [say(`dashboard.end.${access.how}`), dateTime(access.endedAt)] as const;
  if (access.how === 'refused')
    return html`<li class="panel card">
      ${cardHead(access)} ${factList([ended])}
      <details>
        <summary>${say('dashboard.asked')}</summary>
        ${clusterList(site, access.request)}
      </details>
    </li>`;
  return html`<li class="panel card">
    ${cardHead(access)}
    ${factList([
      ended,
      [say('dashboard.given'), date(access.givenAt)],
      [say('dashboard.last-used'), lastUse(site, access)],
      [say('dashboard.confirmed'), dateTime(access.lastAuthenticatedAt)],
    ])}
    <details>
      <summary>${say('dashboard.shared')}</summary>
      ${shared(site, access)}
    </details>
  </li>`;
}

function cardHead({ request: { tpp } }: Pick<GivenAccess, 'request'>): Html {
  return html`<div class="card-head">
    ${tppLogo(tpp)}
    <h3>${outsideName(tpp.name)}</h3>
  </div>`;
}

function lastUse({ say, dateTime }: Site, { lastUsedAt }: GivenAccess): Html {
  return lastUsedAt ? dateTime(lastUsedAt) : say('dashboard.never-used');
}

/** Which accounts, and what of them. */
function shared(site: Site, { accounts, request }: GivenAccess): Html {
  return html`<div class="shared">
    <h4>${site.say('dashboard.accounts')}</h4>
    ${accountList(site, accounts)}
    <h4>${site.say('dashboard.information')}</h4>
    ${clusterList(site, request)}
  </div>`;
}
