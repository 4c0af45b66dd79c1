import type { RegisteredTpps } from '../../consents/recovery.store.js';
import type { PrismaService } from '../../persistence/prisma.service.js';
import { deletedColumns } from './tpp.store.js';

/** Makes withdrawals again in the registrations of a restored database. */
export function recoveredTpps(prisma: PrismaService): RegisteredTpps {
  return {
    async suspend(clientId, at) {
      const where = { clientId, status: 'active' };
      return (await prisma.tpp.updateMany({ where, data: { status: 'suspended', updatedAt: at } })).count;
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
