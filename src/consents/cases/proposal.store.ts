import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Prisma, Proposal as ProposalRow } from '../../../prisma/client/client.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import type { Sweep } from '../../persistence/sweep.js';
import { proposalGone } from '../consent-errors.js';
import { keepRight } from './operator-right.store.js';
import type { Approval, Proposal, ProposedAct } from './withdrawal.js';

/** Keeps the acts that await the approval of a second operator. */
@Injectable()
export class ProposalStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The operator's own proposal of the same act, where one waits; otherwise a new one. */
  async propose(proposal: Omit<Proposal, 'proposalId'>): Promise<Proposal> {
    // As the database gives it back.
    const act = JSON.parse(JSON.stringify(proposal.act)) as object;
    const waiting = (await this.list(proposal.proposedAt)).find(
      (other) => other.proposedBy === proposal.proposedBy && isDeepStrictEqual(other.act, act),
    );
    if (waiting !== undefined) return waiting;
    const proposalId = randomUUID();
    await this.prisma.proposal.create({ data: { proposalId, ...proposal, act } });
    return { proposalId, ...proposal };
  }

  /** The one with this id; `undefined` where it was approved, has expired, or was never made. */
  async find(proposalId: string, now: Date): Promise<Proposal | undefined> {
    const row = await this.prisma.proposal.findFirst({ where: { proposalId, expiresAt: { gt: now } } });
    return row === null ? undefined : toProposal(row);
  }

  /** Those that can be approved, the oldest first. */
  async list(now: Date): Promise<readonly Proposal[]> {
    const rows = await this.prisma.proposal.findMany({
      where: { expiresAt: { gt: now } },
      orderBy: { proposedAt: 'asc' },
    });
    return rows.map(toProposal);
  }
}

/**
 * Uses the proposal up. The act follows in the same transaction: of two approvals one finds the row, and an act that fails
 * leaves it.
 * @throws OpenBankingError where the proposal is gone, or the right of the operator is
 */
export async function useProposal(
  transaction: Prisma.TransactionClient,
  { proposalId, by, role, at }: Approval,
): Promise<void> {
  await keepRight(transaction, by, role);
  const { count } = await transaction.proposal.deleteMany({
    where: { proposalId, expiresAt: { gt: at }, proposedBy: { not: by } },
  });
  if (count !== 1) throw proposalGone();
}

/** Removes at most `limit` proposals that have expired, with the customers that they name. */
export const sweepExpiredProposals: Sweep = (prisma, nowMs, limit) => prisma.$executeRaw`
  DELETE FROM proposals WHERE proposal_id IN (
    SELECT proposal_id FROM proposals WHERE expires_at <= ${new Date(nowMs)} LIMIT ${limit})`;

function toProposal({ proposalId, act, proposedBy, proposedAt, expiresAt }: ProposalRow): Proposal {
  return { proposalId, act: act as object as ProposedAct, proposedBy, proposedAt, expiresAt };
}
