import type { ConsentState } from '../open-banking/consent-state.js';
import type { RefusalReason } from '../open-banking/reasons.js';
import type { Profile } from '../profiles/profile.js';
import type { AccessEnder, Consent, CustomerConsent } from './consent.js';

export function hasExpired({ expires }: Consent, nowMs: number): boolean {
  return expires !== undefined && expires.atMs <= nowMs;
}

/** The time from the creation of a consent in which it can be authorised. */
export function consentAuthorisationMs({ rules }: Pick<Profile, 'rules'>): number {
  return rules.consentAuthorisationHours * 3_600_000;
}

/** The time from the beginning of an authorisation in which the customer must complete it. */
export function completionMs({ rules }: Pick<Profile, 'rules'>): number {
  return rules.authorisationMinutes * 60_000;
}

/**
 * Whether the time in which a customer could begin to authorise the consent passed without a beginning. Then the consent is
 * unknown to every caller, and the next sweep removes its row.
 */
export function wasNotBegunInTime(
  { status, createdAt, begunAt }: Consent,
  authoriseWithinMs: number,
  nowMs: number,
): boolean {
  return status === 'awaiting' && begunAt === undefined && createdAt.getTime() + authoriseWithinMs <= nowMs;
}

/** Whether a customer began to authorise the consent, and did not complete it in time. Then it is rejected. */
export function wasNotCompletedInTime({ status, begunAt }: Consent, completeWithinMs: number, nowMs: number): boolean {
  return status === 'awaiting' && begunAt !== undefined && begunAt.getTime() + completeWithinMs <= nowMs;
}

/**
 * Whether a customer can still approve the consent, or confirm it again: not once its customer was erased. For confirmation
 * of funds the standard lets the customer confirm an authorised consent only.
 */
export function canBeAnswered({ kind, status, authorisation, isFinal }: Consent): boolean {
  if (status === 'awaiting') return true;
  const canBeConfirmed = status === 'authorised' || (status === 'cancelled' && kind === 'account-access');
  return canBeConfirmed && authorisation !== undefined && isFinal === undefined;
}

/** Whether the access of the consent ended at that time. */
export function endedAt({ status, statusUpdatedAt }: Consent, at: Date): boolean {
  return status === 'cancelled' && statusUpdatedAt.getTime() === at.getTime();
}

/** Made once: `localeCompare` with options makes one for each request. */
const numbersInNames = new Intl.Collator('en', { numeric: true });

/** Whether a version of the API is older than the one that created a consent. Names have the form `v3.1`. */
export function isOfLaterVersion(createdIn: string, accessedIn: string): boolean {
  return createdIn !== accessedIn && numbersInNames.compare(createdIn, accessedIn) > 0;
}

/** Why a token of a consent gives no access. */
export interface AccessRefusal {
  /** For the TPP. */
  readonly description: string;
  readonly reason: RefusalReason;
}

export const accessEnded: AccessRefusal = {
  description: 'the consent is not authorised, or was withdrawn: read its status, or create a new consent',
  reason: 'consent-ended',
};

/**
 * Why a token of the consent, of its own TPP, gives no access now; absent where it does.
 * @param authorisationId of the token. A token cannot be taken back: it ends when its authorisation is not the current one of
 * the consent any more. `undefined` for a token of another issuer, which has none
 */
export function accessRefusal(
  consent: Consent | undefined,
  authorisationId: string | undefined,
  nowMs: number,
): AccessRefusal | undefined {
  if (consent?.status !== 'authorised') return accessEnded;
  const { expires, authorisation } = consent;
  if (expires !== undefined && hasExpired(consent, nowMs))
    return { description: `the consent expired at ${expires.text}: create a new consent`, reason: 'consent-ended' };
  if (authorisationId === undefined || authorisationId === authorisation?.authorisationId) return undefined;
  return authorisation?.authorisationId === undefined ? authorisationOver : replaced;
}

const replaced: AccessRefusal = {
  description: 'a later authorisation of the consent replaced that of this token: use the tokens of the later one',
  reason: 'authorisation-replaced',
};
/** Its code came twice, say, or its refresh token was revoked. */
const authorisationOver: AccessRefusal = {
  description: 'the authorisation of this token has ended: have the customer authorise the consent again',
  reason: 'authorisation-over',
};

export function stateOf(consent: Consent, nowMs: number): ConsentState {
  const { status, reason, statusUpdatedAt, expires, isFinal = false } = consent;
  if (status === 'authorised' && expires !== undefined && hasExpired(consent, nowMs))
    return { status: 'expired', since: new Date(expires.atMs), isFinal };
  return { status, ...(reason && { reason }), since: statusUpdatedAt, isFinal };
}

/**
 * Applies the times at which the bank revoked all consents of the TPP: the consent is cancelled, or rejected where it was not
 * approved yet. The first such time after the creation of the consent ended it, so a later one changes nothing. A consent
 * that was created later is not affected.
 * @param times when the bank revoked all consents of the TPP, in order
 */
export function afterRevocationsOfAll(consent: Consent, times: readonly Date[]): Consent {
  const at = times.find((time) => time >= consent.createdAt);
  if (at === undefined) return consent;
  switch (consent.status) {
    case 'authorised':
      return { ...consent, status: 'cancelled', reason: 'withdrawn-with-tpp', statusUpdatedAt: at, isFinal: true };
    case 'awaiting':
      return { ...consent, status: 'rejected', reason: 'withdrawn-with-tpp', statusUpdatedAt: at };
    case 'cancelled':
      return { ...consent, isFinal: true };
    case 'rejected':
      return consent;
  }
}

/** The one who ended the access of a cancelled consent. */
export function enderOf({ reason }: Consent): AccessEnder {
  return reason === 'customer-withdrew' ? 'customer' : 'bank';
}

/** How an access ended. An access ends only once, so the first event counts. */
export interface AccessEnd {
  readonly at: Date;
  readonly how: 'refused' | 'withdrawn' | 'ended-by-bank' | 'ended-by-tpp' | 'expired';
}

/** When and how the customer's access or refusal ended; `undefined` while the access lasts. */
export function accessEnd({ consent, deletedAt }: CustomerConsent, nowMs: number): AccessEnd | undefined {
  const { status, statusUpdatedAt, expires } = consent;
  if (status === 'rejected') return { at: statusUpdatedAt, how: 'refused' };
  const ends: AccessEnd[] = [];
  if (status === 'cancelled')
    ends.push({ at: statusUpdatedAt, how: enderOf(consent) === 'customer' ? 'withdrawn' : 'ended-by-bank' });
  if (deletedAt !== undefined) ends.push({ at: deletedAt, how: 'ended-by-tpp' });
  if (expires !== undefined && hasExpired(consent, nowMs)) ends.push({ at: new Date(expires.atMs), how: 'expired' });
  return ends.reduce<AccessEnd | undefined>((first, end) => (first && first.at <= end.at ? first : end), undefined);
}
