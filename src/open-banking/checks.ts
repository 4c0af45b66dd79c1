import type { OAuthCheck } from './oauth-reasons.js';

/** The checks of docs/specification.md, section "The checks of a request", in their order. */
// prettier-ignore
export const checks = [
  'host', 'token', 'rate limit', 'path', 'method', 'live consent', 'headers', 'body',
  'scope', 'consent version', 'permission', 'account', 'query', 'authentication window', 'unattended access',
  'access state',
] as const;
export type CheckName = (typeof checks)[number];

/** A check that can refuse a request, at any listener. */
export type RefusingCheck = CheckName | OAuthCheck;
