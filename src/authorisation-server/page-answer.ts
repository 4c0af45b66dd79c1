import type { ServerResponse } from 'node:http';
import { statedOrigin } from '../security/stated-url.policy.js';

/** Where a page may lead and load from, beside our own origin. */
export interface PageOrigins {
  /** Chromium applies `form-action` to the redirect that follows a post as well. */
  readonly redirect?: string | undefined;
  readonly images?: readonly (string | undefined)[];
}

/** Sends a page that nobody else may keep, frame or add to. */
export function sendPage(response: ServerResponse, status: number, html: string, origins: PageOrigins = {}): void {
  response.writeHead(status, { ...pageHeaders(origins), 'content-length': Buffer.byteLength(html) }).end(html);
}

export function pageHeaders({ redirect, images = [] }: PageOrigins = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
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

/** See Other: what follows a post is a page of its own, so that going back and reloading post nothing again. */
export function seeOther(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': 0 }).end();
}

function originOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  return origin === 'null' ? undefined : origin;
}
