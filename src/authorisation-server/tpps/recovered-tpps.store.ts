import type { RegisteredTpps } from '../../consents/journal/recovery.store.js';
import type { PrismaService } from '../../persistence/prisma.service.js';
import { deletedColumns } from './tpp.store.js';

/** Makes the journal's changes again in the registrations of a restored database. */
export function recoveredTpps(prisma: PrismaService): RegisteredTpps {
  return {
    async setStatus(clientId, { from, to }, at) {
      const where = { clientId, status: from };
      return (await prisma.tpp.updateMany({ where, data: { status: to, updatedAt: at } })).count;
    },
    async delete(clientId, at) {
      const { count } = await prisma.tpp.updateMany({
        where: { clientId, status: { not: 'deleted' } },
        data: { ...deletedColumns, updatedAt: at },
      });
      if (count > 0) return 'applied';
      return (await prisma.tpp.count({ where: { clientId } })) > 0 ? 'already' : 'unknown';
    },
  };
}
