import type { Sweep } from '../persistence/sweep.js';

/**
 * Removes at most `limit` consents that nobody authorised in time, those that their TPPs deleted meanwhile included; gives
 * how many. One that is being changed at this moment, or removed by another process, is passed over.
 */
export function sweepLapsedConsents(authoriseWithinMs: number): Sweep {
  return (prisma, nowMs, limit) => {
    const latest = new Date(nowMs - authoriseWithinMs);
    return prisma.$executeRaw`DELETE FROM consents WHERE consent_id IN (
      SELECT consent_id FROM consents WHERE status = 'awaiting' AND created_at <= ${latest}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
  };
}
