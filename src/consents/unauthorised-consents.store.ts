import { tppId, type TppId } from '../open-banking/tpp-id.js';
import type { Sweep } from '../persistence/sweep.js';

/**
 * Removes at most `limit` consents that were not authorised in time, including those that their TPPs deleted meanwhile.
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
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING consent_id AS "consentId", issuer, client_id AS "clientId", deleted_at IS NULL AS "isUndeleted"`;
    for (const { consentId, issuer, clientId, isUndeleted } of removed)
      if (isUndeleted) onRemoved(consentId, tppId(issuer, clientId));
    return removed.length;
  };
}

interface RemovedRow {
  readonly consentId: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly isUndeleted: boolean;
}
