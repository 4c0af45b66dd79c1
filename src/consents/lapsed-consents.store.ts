import type { Sweep } from '../persistence/sweep.js';

/**
 * Removes at most `limit` consents that were not authorised in time, including those that their TPPs deleted meanwhile.
 * Skips a consent that is being changed at this moment, or that another process is removing. @returns how many it removed
 */
export function sweepLapsedConsents(authoriseWithinMs: number): Sweep {
  return (prisma, nowMs, limit) => {
    const latest = new Date(nowMs - authoriseWithinMs);
    return prisma.$executeRaw`DELETE FROM consents WHERE consent_id IN (
      SELECT consent_id FROM consents WHERE status = 'awaiting' AND created_at <= ${latest}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
  };
}
