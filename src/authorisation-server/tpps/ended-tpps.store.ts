import type { DeleteTpp } from '../../consents/recovery.store.js';
import type { PrismaService } from '../../persistence/prisma.service.js';
import { deletedColumns } from './tpp.store.js';
import { endAuthorisationsOfDeletedTpps } from '../../consents/authorisation.store.js';
import { embeddedIssuer } from '../../open-banking/tpp-id.js';

/** Makes a deletion again in a restored database. */
export const deleteTppAgain: DeleteTpp = async (prisma, clientId, at) => {
  const { count } = await prisma.tpp.updateMany({
    where: { clientId, status: { not: 'deleted' } },
    data: { ...deletedColumns, updatedAt: at },
  });
  if (count > 0) return 'applied';
  return (await prisma.tpp.count({ where: { clientId } })) > 0 ? 'already' : 'unknown';
};

/**
 * Ends the authorisations that deleted TPPs still have, at most `limit` in one call, and then removes the metadata of these
 * TPPs with their keys. The metadata goes last: as long as it exists, the sweep has work left.
 * @returns how many consents it changed
 */
export async function sweepDeletedTpps(prisma: PrismaService, _nowMs: number, limit: number): Promise<number> {
  const ended = await endAuthorisationsOfDeletedTpps(prisma, limit);
  if (ended < limit)
    await prisma.$executeRaw`UPDATE tpps SET metadata = '{}' WHERE status = 'deleted' AND metadata <> '{}'
      AND NOT EXISTS (SELECT FROM consents WHERE consents.client_id = tpps.client_id AND issuer = ${embeddedIssuer}
        AND (authorisation_id IS NOT NULL OR next_authorisation_id IS NOT NULL))`;
  return ended;
}
