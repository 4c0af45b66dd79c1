import type { WindowRule } from '../endpoint/endpoint-rule.js';
import type { HistoryFilter } from '../request/request-context.js';
import { formatDateTime } from '../open-banking/date-times.js';
import { isOfOneRequest } from '../open-banking/page-cursor.js';
import type { RefusalReason } from '../open-banking/reasons.js';

export interface AuthenticationWindow {
  readonly lengthMs: number;
  /** History younger than this is exempt. */
  readonly exemptHistoryMs: number;
}

/**
 * The customer's last authentication, from the time in the store and the time that a token claims. The store decides, and a
 * claim can only close the window earlier. A token's `iat` is no such claim: each refresh would reopen the window.
 */
export function lastAuthenticationMs(storedMs: number, claimedMs: number | undefined): number {
  return Math.min(storedMs, claimedMs ?? Number.POSITIVE_INFINITY);
}

/**
 * docs/specification.md, "The authentication window". `undefined` lets the request pass; otherwise the message names the
 * limit that was crossed and the remedy.
 */
export function refuseOutsideWindow(
  rule: WindowRule,
  window: AuthenticationWindow,
  lastAuthenticatedAtMs: number,
  nowMs: number,
  filter: HistoryFilter | undefined,
): string | undefined {
  if (rule === 'exempt' || nowMs - lastAuthenticatedAtMs < window.lengthMs) return undefined;
  const closedAt = formatDateTime(new Date(lastAuthenticatedAtMs + window.lengthMs));
  const closed = `Reauthentication: the customer's ${duration(window.lengthMs)} authentication window closed at ${closedAt}`;
  if (rule === 'always') return `${closed}. Send the customer to authenticate again, with the same consent.`;

  const days = window.exemptHistoryMs / 86_400_000;
  const page = filter?.page;
  const askedAtMs = page !== undefined && isOfOneRequest(page, nowMs) ? page.firstAskedAtMs : nowMs;
  const earliest = formatDateTime(new Date(nextExemptMinute(askedAtMs - window.exemptHistoryMs)));
  const remedy =
    `Send a fromBookingDateTime younger than ${days} days (${earliest} or later), ` +
    'or send the customer to authenticate again, with the same consent.';
  if (filter?.fromMs === undefined) return `${closed} and the request has no fromBookingDateTime. ${remedy}`;
  if (askedAtMs - filter.fromMs < window.exemptHistoryMs) return undefined;
  return `${closed} and fromBookingDateTime is ${days} days old or more. ${remedy}`;
}

/** The reason of a refusal by {@link refuseOutsideWindow}. */
export function reasonOutsideWindow(rule: WindowRule, filter: HistoryFilter | undefined): RefusalReason {
  if (rule !== 'recent-history') return 'window-closed';
  return filter?.fromMs === undefined ? 'history-start-missing' : 'history-older-than-90-days';
}

/** The first whole minute that is younger than the edge and stays so for another minute, the time to send the request. */
function nextExemptMinute(edgeMs: number): number {
  return (Math.floor(edgeMs / 60_000) + 2) * 60_000;
}

function duration(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000}-minute` : `${ms / 1_000}-second`;
}
