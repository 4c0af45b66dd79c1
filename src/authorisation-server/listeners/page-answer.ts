import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { PageDocument } from '../pages/customer-pages.js';
import { pageScript } from '../pages/page-script.js';
import { strictOrigin } from '../../security/strict-url.policy.js';

/** The origins to which a page may send the browser, in addition to ours. Every page loads files from our origin only. */
interface PageOrigins {
  /** Chromium applies `form-action` to the redirect that follows a post as well. */
  readonly redirect?: string | undefined;
}

/** The library's page has no language to choose. */
interface PageKind extends PageOrigins {
  readonly locale?: string;
}

/** Sends a page that no cache may keep, no site may frame, and no script may add to. */
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

/**
 * Makes the browser load another page without a click, with scripts or without. After at most one second the other page
 * replaces this one in the browser's history.
 * @param address a path of ours, or a whole URL
 */
export function refreshAfter(reply: FastifyReply, seconds: number, address: string): void {
  const { href } = new URL(address, 'https://ours.invalid');
  void reply.header('refresh', `${seconds}; url=${href.replace('https://ours.invalid', '')}`);
}

/** Our pages have one script, which the policy names by its hash: Content Security Policy Level 3, section 2.3.1. */
const ownScript = `script-src 'sha256-${createHash('sha256').update(pageScript).digest('base64')}'`;

export function pageHeaders({ redirect, locale }: PageKind = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    ...(locale !== undefined && { 'content-language': locale, vary: 'accept-language' }),
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      ownScript,
      "img-src 'self'",
      ["form-action 'self'", strictOrigin(redirect)].filter(Boolean).join(' '),
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  };
}

/** Redirects after a post, so that going back and reloading do not post again. */
export function seeOther(reply: FastifyReply, location: string): void {
  void reply.redirect(location, 303);
}
