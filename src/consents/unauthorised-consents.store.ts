import { tppId, type TppId } from '../open-banking/tpp-id.js';
import type { Sweep } from '../persistence/sweep.js';
import { columns, notCompleted, notRevokedWithAll, rejectedAsNotCompleted } from './consent-conditions.store.js';
import { toConsent, type ConsentRow } from './consent-row.js';
import type { Consent } from './consent.js';

/**
 * Removes at most `limit` consents that no customer began to authorise in time, or that their TPPs deleted meanwhile.
 * Skips a consent that is being changed at this moment, or that another process is removing. It removes the locked rows by
 * their places in the table: a thousand searches by their ids would take twice as long among a million consents.
 * @returns how many it removed
 * @param onRemoved called with each removed consent that its TPP had not deleted
 */
export function sweepUnauthorisedConsents(
  authoriseWithinMs: number,
  onRemoved: (consentId: string, tpp: TppId) => void = () => undefined,
): Sweep {
  return async (prisma, nowMs, limit) => {
    const latest = new Date(nowMs - authoriseWithinMs);
    const removed = await prisma.$queryRaw<RemovedRow[]>`DELETE FROM consents WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM consents WHERE status = 'awaiting' AND created_at <= ${latest}
        AND (begun_at IS NULL OR deleted_at IS NOT NULL OR NOT ${notRevokedWithAll})
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING consent_id AS "consentId", issuer, client_id AS "clientId", deleted_at IS NULL AS "isUndeleted"`;
    for (const { consentId, issuer, clientId, isUndeleted } of removed)
      if (isUndeleted) onRemoved(consentId, tppId(issuer, clientId));
    return removed.length;
  };
}

/**
 * Rejects at most `limit` consents whose customers began to authorise them and did not complete it in time.
 * @param onRejected called with each of them
 */
export function sweepNotCompleted(completeWithinMs: number, onRejected: (consent: Consent) => void): Sweep {
  return async (prisma, nowMs, limit) => {
    const rejected = await prisma.$queryRaw<ConsentRow[]>`
      UPDATE consents SET ${rejectedAsNotCompleted(completeWithinMs)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM consents WHERE ${notCompleted(completeWithinMs, nowMs)}
        LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING ${columns}`;
    for (const row of rejected) onRejected(toConsent(row));
    return rejected.length;
  };
}

interface RemovedRow {
  readonly consentId: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly isUndeleted: boolean;
}
