import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { statedOrigin } from '../security/stated-url.policy.js';

/** Where a page may lead and load from, beside our own origin. */
export interface PageOrigins {
  /** The inline scripts of a page that is not ours, by their text. */
  readonly scripts?: readonly string[];
  /** Chromium applies `form-action` to the redirect that follows a post as well. */
  readonly redirect?: string | undefined;
  readonly images?: readonly (string | undefined)[];
}

/** Sends a page that nobody else may keep, frame or add to. */
export function sendPage(response: ServerResponse, status: number, html: string, origins: PageOrigins = {}): void {
  response.writeHead(status, { ...pageHeaders(origins), 'content-length': Buffer.byteLength(html) }).end(html);
}

export function pageHeaders({ redirect, images = [], scripts = [] }: PageOrigins = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      ["script-src 'self'", ...scripts.map(sourceOf)].join(' '),
      [...new Set(["img-src 'self' data:", ...images.map(originOf)])].filter(Boolean).join(' '),
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
export function seeOther(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': 0 }).end();
}

function originOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  return origin === 'null' ? undefined : origin;
}
