import { Injectable } from '@nestjs/common';
import { Prisma, type Operator as OperatorRow } from '../../../prisma/client/client.js';
import { roles, type Role } from '../../consents/cases/operator-roles.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { isUniqueViolation } from '../../persistence/unique-violation.js';
import { actorOf, type Operator } from './operator.policy.js';

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

  /**
   * @returns `known` where an operator has the name; `not-admin` where who adds it is not an admin any more, or is the bank and
   *   there is an admin
   */
  async add(operator: Operator, digest: string): Promise<'added' | 'known' | 'not-admin'> {
    const { name, role, addedAt, addedBy } = operator;
    try {
      return await this.alone(addedBy, async (transaction): Promise<'added'> => {
        await transaction.operator.create({ data: { name, role, secretDigest: digest, addedAt, addedBy } });
        return 'added';
      });
    } catch (error) {
      if (isUniqueViolation(error)) return 'known';
      throw error;
    }
  }

  /** @returns `last-admin` where no admin would be left, `not-admin` as {@link add}; nothing was changed then */
  remove(name: string, by: string): Promise<'removed' | 'unknown' | 'last-admin' | 'not-admin'> {
    return this.alone(by, async (transaction) => {
      const row = await transaction.operator.findUnique({ where: { name } });
      if (row === null) return 'unknown';
      if (row.role === 'admin' && (await transaction.operator.count({ where: { role: 'admin' } })) === 1)
        return 'last-admin';
      await transaction.operator.delete({ where: { name } });
      return 'removed';
    });
  }

  /**
   * Two changes at once could both be the first admin, or each remove the other admin. An admin who was removed
   * since the check of the caller changes nothing.
   */
  private alone<T>(
    by: string,
    change: (transaction: Prisma.TransactionClient) => Promise<T>,
  ): Promise<T | 'not-admin'> {
    return this.prisma.$transaction(async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE`;
      const admins = await transaction.operator.findMany({ where: { role: 'admin' } });
      const mayChange = by === 'bank' ? admins.length === 0 : admins.some((admin) => actorOf(admin) === by);
      return mayChange ? change(transaction) : 'not-admin';
    });
  }
}

function toOperator({ name, role, addedAt, addedBy }: OperatorRow): Operator {
  const valid = roles.find((one): one is Role => one === role);
  if (valid === undefined) throw new Error(`the stored operator ${name} has a role that this version does not know`);
  return { name, role: valid, addedAt, addedBy };
}
