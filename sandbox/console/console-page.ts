import type { StackState } from '../actions/view.js';
import { type Html, html } from '../web/html.js';
import { iconLink } from '../web/icon.js';
import { pageOf } from '../web/page.js';
import {
  clockSection,
  consentsSection,
  coreSection,
  inboxSection,
  peopleSection,
  tppsSection,
  type Windows,
} from './bank.views.js';
import type { RequestLog, StoryFilter } from './request-log.js';
import { requestsSection } from './requests.view.js';

export interface ConsolePage {
  readonly state: StackState;
  readonly requests: RequestLog;
  readonly filter: StoryFilter;
  readonly windows: Windows;
  /** The bank's time. */
  readonly nowMs: number;
  readonly aheadMs: number;
  /** The action that was just done. */
  readonly notice: Html | undefined;
  readonly canSignIn: boolean;
  /** The setting CORE or CORES, where the core is not the sandbox's own. */
  readonly otherCore: string | undefined;
  readonly links: readonly { readonly name: string; readonly url: string }[];
}

const sections = [
  ['clock', 'Clock'],
  ['requests', 'Requests'],
  ['consents', 'Consents'],
  ['people', 'People'],
  ['inbox', 'Inbox'],
  ['core', 'The core'],
  ['tpps', 'TPPs'],
] as const;

export function consolePage(page: ConsolePage): Html {
  const { state, windows, nowMs, filter, otherCore } = page;
  const hasOwnCore = otherCore === undefined;
  const names = new Map(state.tpps.map(({ ClientId, Name }) => [ClientId, Name]));
  const nameOf = (tpp: string): string => names.get(tpp) ?? tpp;
  const content = html`<nav aria-label="Sections">
      <ul>
        ${sections.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}
      </ul>
    </nav>
    <p class="quiet pause" hidden>
      <button type="button" id="pause" aria-pressed="false">Pause updates</button>
    </p>
    ${page.notice && html`<div class="notice" role="status">${page.notice}</div>`}
    ${clockSection(nowMs, page.aheadMs, hasOwnCore)}
    ${requestsSection(page.requests.page(filter), filter, page.requests.count, nameOf)}
    ${consentsSection(state, windows, nowMs)}
    ${peopleSection(state.people, { canSignIn: page.canSignIn, canBlock: hasOwnCore })}
    ${inboxSection(state.codes, nowMs)} ${coreSection(state.fault, otherCore)} ${tppsSection(state.tpps)}
    <section aria-labelledby="places-title">
      <h2 id="places-title">Elsewhere</h2>
      <ul class="plain">
        ${page.links.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)}
      </ul>
    </section>`;
  return layout(content, filter.before === undefined);
}

/** A page that is left by a link back to the console. */
export function innerPage(content: Html): Html {
  return layout(content, false);
}

/** A page that says in one sentence what went wrong. */
export function faultPage(words: string): Html {
  return layout(
    html`<div class="notice" role="alert"><p>${words}</p></div>
      <p><a href="/">Back to the console</a></p>`,
    false,
  );
}

function layout(content: Html, isLive: boolean): Html {
  return pageOf(
    'Sandbox console',
    html`${iconLink}
      <link rel="stylesheet" href="/console.css" />
      <script src="/console.js" defer></script>`,
    html`<body ${isLive ? 'data-live-page' : undefined}>
      <header>
        <p><b>Sandbox console</b> <small>of this machine’s stack</small></p>
      </header>
      <main>
        <h1>Sandbox console</h1>
        ${content}
      </main>
    </body>`,
  );
}
