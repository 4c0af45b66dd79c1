import { Injectable } from '@nestjs/common';
import { Prisma, type Operator as OperatorRow } from '../../../prisma/client/client.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { isUniqueViolation } from '../../persistence/unique-violation.js';
import { roles, type Operator, type Role } from './operator.policy.js';

/** Keeps the operators. Nothing of them stays in memory, so that a removed operator is refused at once in every process. */
@Injectable()
export class OperatorStore {
  constructor(private readonly prisma: PrismaService) {}

  async find(name: string): Promise<{ readonly operator: Operator; readonly digest: string } | undefined> {
    const row = await this.prisma.operator.findUnique({ where: { name } });
    return row === null ? undefined : { operator: toOperator(row), digest: row.secretDigest };
  }

  /** In the order of their names. */
  async list(): Promise<readonly Operator[]> {
    return (await this.prisma.operator.findMany({ orderBy: { name: 'asc' } })).map(toOperator);
  }

  async hasAdmin(): Promise<boolean> {
    return (await this.prisma.operator.findFirst({ where: { role: 'admin' }, select: { name: true } })) !== null;
  }

  /** @returns `known` where an operator has the name; `has-admin` where there is an admin and the first one was to be added */
  async add(operator: Operator, digest: string, asFirstAdmin: boolean): Promise<'added' | 'known' | 'has-admin'> {
    const { name, role, addedAt, addedBy } = operator;
    try {
      return await this.alone(async (transaction) => {
        if (asFirstAdmin && (await transaction.operator.count({ where: { role: 'admin' } })) > 0) return 'has-admin';
        await transaction.operator.create({ data: { name, role, secretDigest: digest, addedAt, addedBy } });
        return 'added';
      });
    } catch (error) {
      if (isUniqueViolation(error)) return 'known';
      throw error;
    }
  }

  /** @returns `last-admin` where no admin would be left; nothing was changed then */
  remove(name: string): Promise<'removed' | 'unknown' | 'last-admin'> {
    return this.alone(async (transaction) => {
      const row = await transaction.operator.findUnique({ where: { name } });
      if (row === null) return 'unknown';
      if (row.role === 'admin' && (await transaction.operator.count({ where: { role: 'admin' } })) === 1)
        return 'last-admin';
      await transaction.operator.delete({ where: { name } });
      return 'removed';
    });
  }

  /** Two changes at once could both be the first admin, or each remove the other admin. */
  private alone<T>(change: (transaction: Prisma.TransactionClient) => Promise<T>): Promise<T> {
    return this.prisma.$transaction(async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE`;
      return change(transaction);
    });
  }
}

function toOperator({ name, role, addedAt, addedBy }: OperatorRow): Operator {
  const known = roles.find((one): one is Role => one === role);
  if (known === undefined) throw new Error(`the stored operator ${name} has a role that this version does not know`);
  return { name, role: known, addedAt, addedBy };
}
