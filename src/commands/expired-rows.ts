import { sweepJourneys } from '../authorisation-server/journey/journey.store.js';
import { sweepSignInAttempts } from '../authorisation-server/journey/sign-in-attempts.store.js';
import { sweepArtefacts } from '../authorisation-server/oidc/artefact.store.js';
import { sweepExpiredCoreStates } from '../consents/core-state.store.js';
import type { PrismaService } from '../persistence/prisma.service.js';
import { sweepAll } from '../persistence/sweep.js';
import { sweepUnattendedReads } from '../quotas/unattended-reads.store.js';
import { sweepProofs } from '../security/tokens/prisma-proof.store.js';

const sweeps = [
  sweepArtefacts,
  sweepJourneys,
  sweepSignInAttempts,
  sweepExpiredCoreStates,
  sweepUnattendedReads,
  sweepProofs,
];

/**
 * Removes the rows that a gateway removes when they have expired, also those of a part that no gateway runs any more.
 * @returns how many
 */
export async function sweepExpired(prisma: PrismaService, nowMs: number): Promise<number> {
  let removed = 0;
  for (const sweep of sweeps) removed += await sweepAll(sweep, prisma, nowMs);
  return removed;
}
