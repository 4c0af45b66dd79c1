import type { ConsentState } from '../open-banking/consent-state.js';
import type { Consent, CustomerConsent } from './consent.js';

export function hasExpired({ expires }: Consent, nowMs: number): boolean {
  return expires !== undefined && expires.atMs <= nowMs;
}

/**
 * Whether nobody authorised or rejected the consent in the time that there is for it. From then on it is unknown to
 * everybody, and its row is removed at the next sweep.
 */
export function hasLapsed({ status, createdAt }: Consent, authoriseWithinMs: number, nowMs: number): boolean {
  return status === 'awaiting' && createdAt.getTime() + authoriseWithinMs <= nowMs;
}

/** Whether a customer can still approve the consent, or confirm what it gives. */
export function canBeAnswered({ status }: Consent): boolean {
  return status === 'awaiting' || status === 'authorised';
}

/** Whether the consent opens anything now: it is authorised, not ended, and has not expired. */
export function givesAccess(consent: Consent, nowMs: number): boolean {
  return consent.status === 'authorised' && consent.ended === undefined && !hasExpired(consent, nowMs);
}

/** For the TPP. */
export function stateOf(consent: Consent, nowMs: number): ConsentState {
  return { status: consent.status, ended: consent.ended !== undefined, expired: hasExpired(consent, nowMs) };
}

/**
 * The consent as it reads after the bank revoked all consents of its TPP, which it may do more than once: revoked, or
 * rejected where it was not approved. The first revocation that found the consent ended it, so a later one leaves its time
 * as it is. A consent that was created later is not affected.
 *
 * @param times when the bank revoked all consents of the TPP, in order
 */
export function afterRevocationsOfAll(consent: Consent, times: readonly Date[]): Consent {
  const at = times.find((time) => time >= consent.createdAt);
  if (at === undefined) return consent;
  switch (consent.status) {
    case 'authorised':
      return { ...consent, status: 'revoked', statusUpdatedAt: at, ended: consent.ended ?? { at, by: 'bank' } };
    case 'awaiting':
      return { ...consent, status: 'rejected', statusUpdatedAt: at };
    default:
      return consent;
  }
}

/** How an access ended: whatever came first counts, for it ended only once. */
export interface AccessEnd {
  readonly at: Date;
  readonly how: 'refused' | 'withdrawn' | 'ended-by-bank' | 'ended-by-tpp' | 'expired';
}

/** The end of what a customer gave or refused; `undefined` while the access lasts. */
export function accessEnd({ consent, deletedAt }: CustomerConsent, nowMs: number): AccessEnd | undefined {
  const { status, statusUpdatedAt, ended, expires } = consent;
  if (status === 'rejected') return { at: statusUpdatedAt, how: 'refused' };
  const ends: AccessEnd[] = [];
  if (ended !== undefined) ends.push({ at: ended.at, how: ended.by === 'customer' ? 'withdrawn' : 'ended-by-bank' });
  if (deletedAt !== undefined) ends.push({ at: deletedAt, how: 'ended-by-tpp' });
  if (expires !== undefined && hasExpired(consent, nowMs)) ends.push({ at: new Date(expires.atMs), how: 'expired' });
  return ends.reduce<AccessEnd | undefined>((first, end) => (first && first.at <= end.at ? first : end), undefined);
}
