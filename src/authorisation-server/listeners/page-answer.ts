import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { PageDocument } from '../pages/customer-pages.js';
import { statedOrigin } from '../../security/stated-url.policy.js';

/** Where a page may lead, beside our own origin. It loads from nowhere else. */
export interface PageOrigins {
  /** The inline scripts of a page that is not ours, by their text. */
  readonly scripts?: readonly string[];
  /** Chromium applies `form-action` to the redirect that follows a post as well. */
  readonly redirect?: string | undefined;
}

/** A page that is not ours has no language of its own to choose from. */
interface PageKind extends PageOrigins {
  readonly locale?: string;
}

/** Sends a page that nobody else may keep, frame or add to. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  { html, locale }: PageDocument,
  origins: PageOrigins = {},
): void {
  void reply
    .code(status)
    .headers(pageHeaders({ ...origins, locale }))
    .send(html);
}

export function pageHeaders({ redirect, scripts = [], locale }: PageKind = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    ...(locale !== undefined && { 'content-language': locale, vary: 'accept-language' }),
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      ["script-src 'self'", ...scripts.map(sourceOf)].join(' '),
      "img-src 'self' data:",
      ["form-action 'self'", statedOrigin(redirect)].filter(Boolean).join(' '),
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  };
}

/** How a policy names a script by its hash: Content Security Policy Level 3, section 2.3.1. */
function sourceOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/** See Other: what follows a post is a page of its own, so that going back and reloading post nothing again. */
export function seeOther(reply: FastifyReply, location: string): void {
  void reply.redirect(location, 303);
}
