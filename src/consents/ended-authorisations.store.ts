import { embeddedIssuer } from '../open-banking/tpp-id.js';
import type { PrismaService } from '../persistence/prisma.service.js';

/**
 * Ends the authorisations of consents of deleted TPPs, and with them their grants, codes and refresh tokens (the trigger
 * `consents_remove_ended_authorisations`).
 * @param limit the most consents that one call changes
 * @returns how many consents it changed; fewer than `limit` when none is left
 */
export function endAuthorisationsOfDeletedTpps(prisma: PrismaService, limit: number): PromiseLike<number> {
  return prisma.$executeRaw`UPDATE consents SET authorisation_id = NULL, next_authorisation_id = NULL
    WHERE consent_id IN (
      SELECT consent_id FROM consents JOIN tpps ON tpps.client_id = consents.client_id AND issuer = ${embeddedIssuer}
      WHERE tpps.status = 'deleted' AND metadata <> '{}'
        AND (authorisation_id IS NOT NULL OR next_authorisation_id IS NOT NULL)
      LIMIT ${limit} FOR UPDATE OF consents SKIP LOCKED)`;
}
