import type { Prisma } from '../../../prisma/client/client.js';
import type { Actor } from '../../trail/event-members.js';
import { wrongCredential } from '../consent-errors.js';
import { mayActAs, roles, type Role } from './operator-roles.js';

/**
 * Keeps the right of an operator until the transaction ends: the removal of the operator waits for it. Other actors have
 * their right by another way.
 * @throws OpenBankingError where the operator was removed after the check of the caller: the transaction must change nothing
 */
export async function keepRight(
  transaction: Pick<Prisma.TransactionClient, '$queryRaw'>,
  by: Actor,
  needed: Role,
): Promise<void> {
  if (!by.startsWith('operator:')) return;
  const name = by.slice('operator:'.length);
  const may = roles.filter((role) => mayActAs(needed, role));
  const rows = await transaction.$queryRaw<object[]>`
    SELECT name FROM operators WHERE name = ${name} AND role = ANY (${may}::text[]) FOR SHARE`;
  if (rows.length === 0) throw wrongCredential();
}
