import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.js';

/** A whole page. @param body with its own tags */
export function pageOf(title: string, head: Html, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${head}
      </head>
      ${body}
    </html> `;
}

/**
 * Sends a page that loads styles, scripts and images only from its own origin, and that is neither cached nor framed.
 * Its forms name their origin (`Origin`) only to that origin.
 * @param formTargets other origins to which a form of the page may lead: browsers follow a form's redirects only to the
 *   origins that `form-action` names.
 * @param live whether the page asks its own origin for news
 */
export function sendPage(
  reply: FastifyReply,
  page: Html,
  status = 200,
  formTargets: readonly string[] = [],
  { live = false }: { readonly live?: boolean } = {},
): FastifyReply {
  const policy = [
    "default-src 'none'",
    "img-src 'self'",
    "style-src 'self'",
    "script-src 'self'",
    `connect-src ${live ? "'self'" : "'none'"}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy.join('; '))
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'same-origin')
    .header('x-content-type-options', 'nosniff')
    .send(page.text);
}
