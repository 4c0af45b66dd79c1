import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../src/clock/clock.js';
import { type Html, html } from '../web/html.js';
import { iconLink, serveIcon } from '../web/icon.js';
import { refuseForeignPages } from '../web/own-pages-only.js';
import { pageOf, sendPage } from '../web/page.js';
import { timeOf } from '../web/time.js';
import type { CodeMessage, Inbox } from './inbox.js';

/**
 * `GET /inbox` shows the one-time codes, newest first, to every browser on this machine; `?to=NAME` shows one customer's.
 * It suits a sandbox only, where a customer has no phone. `GET /inbox/messages` is the same for a program.
 */
export function inboxPage(inbox: Inbox, clock: Clock) {
  return (paths: FastifyInstance, _: object, done: () => void): void => {
    // Only here: gateways may call the other paths of the bank under any host name.
    paths.addHook('onRequest', refuseForeignPages);
    serveIcon(paths, 'B', '#0b4f8a');
    paths.get<{ Querystring: { to?: unknown } }>('/inbox', (request, reply) => {
      const to = typeof request.query.to === 'string' && request.query.to !== '' ? request.query.to : undefined;
      return sendPage(reply, page(inbox.messages(to), to, clock.nowMs()));
    });
    paths.get('/inbox/messages', (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ messages: inbox.messages() }),
    );
    paths.get('/inbox/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
    done();
  };
}

function page(messages: readonly CodeMessage[], to: string | undefined, nowMs: number): Html {
  return pageOf(
    'Sandbox inbox',
    html`${iconLink} <link rel="stylesheet" href="/inbox/style.css" />`,
    html`<body>
      <main>
        <h1>Sandbox inbox</h1>
        <p>
          The one-time codes that the sandbox bank has
          sent${to === undefined ? ' to its customers' : html` to <b>${to}</b>`}, newest first.
        </p>
        <p>
          <a href="${to === undefined ? '/inbox' : `/inbox?to=${encodeURIComponent(to)}`}">Look again</a>${
            to === undefined ? undefined : html` · <a href="/inbox">All customers’ codes</a>`
          }
        </p>
        ${
          messages.length === 0
            ? html`<p>No code has been sent yet. One is sent when a customer signs in with the right password.</p>`
            : html`<ol>
                ${messages.map((message) => item(message, nowMs))}
              </ol>`
        }
      </main>
    </body>`,
  );
}

function item({ loginName, displayName, code, sentAtMs, goodUntilMs }: CodeMessage, nowMs: number): Html {
  return html` <li>
    <h2>To ${displayName} <small>(${loginName})</small></h2>
    <p>Your code is <strong class="code">${code}</strong>. Never tell it to anyone.</p>
    <p class="when">
      Sent at ${timeOf(sentAtMs)}, ${goodUntilMs > nowMs ? html`valid until ${timeOf(goodUntilMs)}, once` : 'expired'}.
    </p>
  </li>`;
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --ground: #fff; --text: #15202b; --link: #0b4f8a; }
@media (prefers-color-scheme: dark) { :root { --ground: #0f161d; --text: #e9eef3; --link: #9fcbf1; } }
body { margin: 0; background: var(--ground); color: var(--text); }
main { max-width: 40rem; margin: 0 auto; padding: 1rem; }
ol { list-style: none; padding: 0; }
li { border: 1px solid currentColor; border-radius: .5rem; padding: 0 1rem; margin: 1rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; }
small { font-weight: normal; }
.code { font: 700 1.5rem/1.2 ui-monospace, monospace; letter-spacing: .1em; }
a { display: inline-block; padding: .25rem 0; color: var(--link); }
`;
