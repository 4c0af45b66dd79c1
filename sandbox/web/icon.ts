import type { FastifyInstance } from 'fastify';
import { html } from './html.js';

/** The icon of a page, where browsers look for one that no page names. */
const path = '/favicon.ico';

/** For the head of a page whose server has {@link serveIcon}. */
export const iconLink = html`<link rel="icon" type="image/svg+xml" href="${path}" />`;

/** Serves one letter on a colour as the icon of the server's pages, which differ by it in a browser's tabs. */
export function serveIcon(server: FastifyInstance, letter: string, colour: string): void {
  const icon = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="6" fill="${colour}" />
    <text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-size="20" font-weight="700" fill="#fff">
      ${letter}
    </text>
  </svg>`;
  server.get(path, (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'max-age=86400').send(icon.text),
  );
}
