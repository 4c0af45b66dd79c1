import { type Html, html } from '../web/html.js';
import type { Access, Exchange } from './bank.client.js';
import type { Session } from './sessions.js';

/** A whole page of the TPP. */
export function layout(title: string, session: Session, content: Html, nowMs: number): Html {
  const { notice } = session;
  delete session.notice;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Moneyview (sandbox)</title>
        <link rel="stylesheet" href="/tpp.css" />
        <script src="/tpp.js" defer></script>
      </head>
      <body>
        <header>
          <p><a href="/">Moneyview</a> <small>a sandbox TPP</small></p>
        </header>
        <main>
          ${notice === undefined ? undefined : html`<p class="notice" role="status">${notice}</p>`}
          <h1>${title}</h1>
          ${session.access === undefined ? undefined : connection(session, session.access, nowMs)} ${content}
        </main>
      </body>
    </html> `;
}

/** What may be done with the connection, and how long everything can be seen. */
function connection(session: Session, { authenticatedAtMs }: Access, nowMs: number): Html {
  const endsAtMs = authenticatedAtMs + windowMs;
  return html`<section class="connection" aria-label="Connection to the bank">
    <p>
      You last identified yourself at the bank at ${clockTime(authenticatedAtMs)}. Everything can be read until
      ${clockTime(endsAtMs)}<span data-left-ms="${endsAtMs - nowMs}"></span>; after that balances and the last 90 days
      of transactions only.
    </p>
    <div class="actions">
      ${post('/reauthenticate', session, 'Identify yourself again')} ${post('/disconnect', session, 'Disconnect')}
    </div>
  </section>`;
}

/** The published length of the window, for what is shown; the bank's answers are what counts. */
const windowMs = 5 * 60_000;

export function post(action: string, session: Session, words: string, fields?: Html): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="csrf" value="${session.csrf}" />${fields}<button>${words}</button>
  </form>`;
}

/** A request and its answer, as they went over the line. */
export function raw({ request, response }: Exchange): Html {
  const heads = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return html`<details>
    <summary>Request and response (${response.status})</summary>
    <pre tabindex="0">
${request.line}
${heads(request.headers)}${request.body === undefined ? undefined : `\n${request.body}\n`}</pre>
    <pre tabindex="0">
${response.status}
${heads(response.headers)}
${indented(response.body)}</pre>
  </details>`;
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}

const inLondon = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Europe/London' });

export function clockTime(atMs: number): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${inLondon.format(atMs)}</time>`;
}

/** Counts down beside the time itself, which is there without it. The browser's clock may differ: only its pace counts. */
export const script = `
for (const place of document.querySelectorAll('[data-left-ms]')) {
  const until = performance.now() + Number(place.dataset.leftMs);
  const tick = () => {
    const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
    place.textContent = left === 0 ? ' (over)' : ' (' + Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0') + ' left)';
    if (left > 0) setTimeout(tick, 1000);
  };
  tick();
}
`;

export const style = `
:root { color-scheme: light; font: 1rem/1.5 system-ui, sans-serif; color: #1b1b2f; background: #f6f6fb; }
* { box-sizing: border-box; }
body { margin: 0; }
header { background: #2b2256; color: #fff; padding: 0 1rem; }
header p { max-width: 56rem; margin: 0 auto; padding: .75rem 0; }
header a { color: #fff; font-weight: 700; }
main { max-width: 56rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.2rem; }
section, .card { background: #fff; border: 1px solid #cfcfe0; border-radius: .5rem; padding: .5rem 1rem; margin: 1rem 0; }
.notice { background: #fff6d6; border: 1px solid #8a6d00; border-radius: .5rem; padding: .5rem 1rem; }
fieldset { border: 1px solid #cfcfe0; border-radius: .5rem; margin: 1rem 0; }
label { display: block; padding: .35rem 0; min-height: 1.5rem; }
button { font: inherit; background: #2b2256; color: #fff; border: 2px solid #2b2256; border-radius: .4rem; padding: .5rem 1rem; min-height: 2.75rem; cursor: pointer; }
a, button, input, select, summary, pre { outline-offset: 2px; }
:focus-visible { outline: 3px solid #b3470b; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; }
.amount { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .5rem .4rem 0; border-bottom: 1px solid #e2e2ee; }
dl { display: grid; grid-template-columns: minmax(8rem, 1fr) 2fr; gap: .25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; }
pre { background: #16162b; color: #f0f0ff; padding: .75rem; border-radius: .4rem; overflow: auto; max-height: 24rem; font-size: .85rem; white-space: pre-wrap; }
summary { padding: .35rem 0; cursor: pointer; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav a { display: inline-block; padding: .25rem 0; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;
