import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../web/html.js';
import { refuseForeignPages } from '../web/own-pages-only.js';
import { pageOf, sendPage } from '../web/page.js';
import type { AppQuestion, SignOn } from './sign-on.js';

/**
 * `GET /app` shows the questions in the apps of all customers, with buttons to answer them. It suits a sandbox only, where a
 * customer has no phone. `GET /app/locked` stands for the bank's page for a customer who is locked out.
 */
export function appPage(signOn: SignOn) {
  return (paths: FastifyInstance, _: object, done: () => void): void => {
    paths.addHook('onRequest', refuseForeignPages);
    paths.get('/app', (_request, reply) =>
      sendPage(reply, page('The sandbox bank’s app', questions(signOn.questions()))),
    );
    paths.get('/app/locked', (_request, reply) => sendPage(reply, page('Your access is locked', locked)));
    for (const answer of ['approved', 'declined'] as const)
      paths.post<{ Params: { id: string } }>(`/app/:id/${answer}`, ({ params }, reply) => {
        signOn.answer(params.id, answer);
        return reply.redirect('/app', 303);
      });
    // A form without fields.
    paths.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, parsed) => parsed(null));
    done();
  };
}

const locked = html`<p>A real bank would help the customer here. Sign in without <b>+locked</b> to go on.</p>`;

function questions(open: readonly AppQuestion[]): Html {
  if (open.length === 0) return html`<p>The app asks nothing. Sign in with <b>+app</b> after the login name.</p>`;
  return html`<ol>
    ${open.map(
      ({ id, shown, displayName, asked }) =>
        html`<li>
          <h2>To ${displayName}</h2>
          <p>Is it you who signs in? The page shows <strong class="code">${shown}</strong>.</p>
          ${
            asked &&
            html`<p>${asked.tpp} asks to see:</p>
              <ul>
                ${asked.data.map((words) => html`<li>${words}</li>`)}
              </ul>`
          }
          <form method="post" action="/app/${id}/approved"><button>Approve</button></form>
          <form method="post" action="/app/${id}/declined"><button>Refuse</button></form>
        </li>`,
    )}
  </ol>`;
}

function page(title: string, content: Html): Html {
  return pageOf(
    title,
    html`<link rel="stylesheet" href="/inbox/style.css" />`,
    html`<body>
      <main>
        <h1>${title}</h1>
        ${content}
        <p><a href="/app">Look again</a> · <a href="/inbox">The inbox</a></p>
      </main>
    </body>`,
  );
}
