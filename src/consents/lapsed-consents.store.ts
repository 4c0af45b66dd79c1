import { tppId, type TppId } from '../open-banking/tpp-id.js';
import type { Sweep } from '../persistence/sweep.js';

/**
 * Removes at most `limit` consents that were not authorised in time, including those that their TPPs deleted meanwhile.
 * Skips a consent that is being changed at this moment, or that another process is removing. It removes the locked rows by
 * their places in the table: a thousand searches by their ids would take twice as long among a million consents.
 * @returns how many it removed
 * @param onLapsed called with each removed consent that its TPP had not deleted
 */
export function sweepLapsedConsents(
  authoriseWithinMs: number,
  onLapsed: (consentId: string, tpp: TppId) => void = () => undefined,
): Sweep {
  return async (prisma, nowMs, limit) => {
    const latest = new Date(nowMs - authoriseWithinMs);
    const removed = await prisma.$queryRaw<LapsedRow[]>`DELETE FROM consents WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM consents WHERE status = 'awaiting' AND created_at <= ${latest}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING consent_id AS "consentId", issuer, client_id AS "clientId", deleted_at IS NULL AS "isLapsed"`;
    for (const { consentId, issuer, clientId, isLapsed } of removed)
      if (isLapsed) onLapsed(consentId, tppId(issuer, clientId));
    return removed.length;
  };
}

interface LapsedRow {
  readonly consentId: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly isLapsed: boolean;
}
