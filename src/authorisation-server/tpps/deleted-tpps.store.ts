import { embeddedIssuer } from '../../open-banking/tpp-id.js';
import type { PrismaService } from '../../persistence/prisma.service.js';

/**
 * Removes what deleted TPPs could be known by or use: the metadata with their keys and, by ending the authorisations of their
 * consents, grants, codes and refresh tokens (the trigger `consents_remove_ended_authorisations`). Of a TPP with many consents at most
 * `limit` at a time; gives how many. The metadata goes last: as long as it is there, something may be left to do.
 */
export async function sweepDeletedTpps(prisma: PrismaService, _nowMs: number, limit: number): Promise<number> {
  const ended = await prisma.$executeRaw`UPDATE consents SET authorisation_id = NULL, next_authorisation_id = NULL
    WHERE consent_id IN (
      SELECT consent_id FROM consents JOIN tpps ON tpps.client_id = consents.client_id AND issuer = ${embeddedIssuer}
      WHERE tpps.status = 'deleted' AND metadata <> '{}'
        AND (authorisation_id IS NOT NULL OR next_authorisation_id IS NOT NULL)
      LIMIT ${limit} FOR UPDATE OF consents SKIP LOCKED)`;
  if (ended < limit)
    await prisma.$executeRaw`UPDATE tpps SET metadata = '{}' WHERE status = 'deleted' AND metadata <> '{}'
      AND NOT EXISTS (SELECT FROM consents WHERE consents.client_id = tpps.client_id AND issuer = ${embeddedIssuer}
        AND (authorisation_id IS NOT NULL OR next_authorisation_id IS NOT NULL))`;
  return ended;
}
