import { type Html, html } from '../web/html.js';
import { indented } from '../web/indented.js';
import { iconLink } from '../web/icon.js';
import { pageOf } from '../web/page.js';
import type { Exchange } from '../clients/exchange.js';
import { windowPanel } from './window-panel.js';
import type { Session } from './sessions.js';

/** The page of checks of funds. */
export const fundsPath = '/funds';

export interface PageView {
  readonly title: string;
  readonly content: Html;
  readonly session: Session;
  /** The path of the page, to which a customer who identifies himself again comes back. */
  readonly path: string;
  /** For how long everything may be read after an authentication. */
  readonly windowMs: number;
  readonly offersFunds: boolean;
  readonly nowMs: number;
}

/** A whole page of the TPP. */
export function layout(view: PageView): Html {
  const { title, session, content, path, offersFunds } = view;
  const { notice } = session;
  delete session.notice;
  return pageOf(
    `${title} – Moneyview (sandbox)`,
    html`${iconLink}
      <link rel="stylesheet" href="/tpp.css" />
      <script src="/tpp.js" defer></script>`,
    html`<body>
      <header>
        <p>
          <a href="/">Moneyview</a> <small>a sandbox TPP</small>
          ${offersFunds ? html`<a class="funds" href="${fundsPath}">Can I spend it?</a>` : undefined}
        </p>
      </header>
      <main>
        ${notice && html`<p class="notice" role="status">${notice.words}</p>`}
        <h1>${title}</h1>
        ${path.startsWith(fundsPath) ? undefined : connected(view)} ${content}
        ${notice?.exchanges?.map((exchange) => raw(exchange))}
      </main>
    </body>`,
  );
}

/** The time left with full access, and the actions on the connection. */
function connected({ session, path, windowMs, nowMs }: PageView): Html | undefined {
  if (session.connection === undefined) return undefined;
  const { access } = session.connection;
  const again = html`<input type="hidden" name="return" value="${path}" />`;
  return html`<section class="connection" data-home="/" aria-label="Connection to the bank">
    ${windowPanel(access.authenticatedAtMs, windowMs, nowMs)}
    <div class="actions">
      ${post('/reauthenticate', session, 'Identify yourself again', again)}
      ${post('/disconnect', session, 'Disconnect')}
    </div>
  </section>`;
}

export function post(action: string, session: Session, words: string, fields?: Html): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="csrf" value="${session.csrf}" />${fields}<button>${words}</button>
  </form>`;
}

/** The page for the person, next to the request and response behind it. */
export function sideBySide(content: Html, exchange: Exchange): Html {
  return html`<div class="side-by-side">
    <div>${content}</div>
    ${raw(exchange, 'open')}
  </div>`;
}

/** A request and its answer, as they went over the line. */
export function raw({ request, response }: Exchange, open?: 'open'): Html {
  const heads = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return html`<details class="raw" ${open}>
    <summary>Request and response (${response.status})</summary>
    <pre tabindex="0" aria-label="Request">
${request.line}
${heads(request.headers)}${request.body === undefined ? undefined : `\n${indented(request.body)}\n`}</pre>
    <pre tabindex="0" aria-label="Response">
${response.status}
${heads(response.headers)}
${indented(response.body)}</pre>
  </details>`;
}
