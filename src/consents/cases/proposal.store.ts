import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Prisma, Proposal as ProposalRow } from '../../../prisma/client/client.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import type { Sweep } from '../../persistence/sweep.js';
import { proposalGone } from '../consent-errors.js';
import type { Approval, Proposal, ProposedAct } from './withdrawal.js';

/** Keeps the acts that await the approval of a second operator. */
@Injectable()
export class ProposalStore {
  constructor(private readonly prisma: PrismaService) {}

  async propose(proposal: Omit<Proposal, 'proposalId'>): Promise<Proposal> {
    const proposalId = randomUUID();
    const act: object = proposal.act;
    await this.prisma.proposal.create({ data: { proposalId, ...proposal, act } });
    return { proposalId, ...proposal };
  }

  /** The one with this id; `undefined` where it was approved, has lapsed, or was never made. */
  async find(proposalId: string, now: Date): Promise<Proposal | undefined> {
    const row = await this.prisma.proposal.findFirst({ where: { proposalId, lapsesAt: { gt: now } } });
    return row === null ? undefined : toProposal(row);
  }

  /** Those that can be approved, the oldest first. */
  async list(now: Date): Promise<readonly Proposal[]> {
    const rows = await this.prisma.proposal.findMany({
      where: { lapsesAt: { gt: now } },
      orderBy: { proposedAt: 'asc' },
    });
    return rows.map(toProposal);
  }
}

/**
 * Uses the proposal up. The act follows in the same transaction: of two approvals one finds the row, and an act that fails
 * leaves it.
 * @throws OpenBankingError where the proposal is gone
 */
export async function useProposal(
  transaction: Prisma.TransactionClient,
  { proposalId, by, at }: Approval,
): Promise<void> {
  const { count } = await transaction.proposal.deleteMany({
    where: { proposalId, lapsesAt: { gt: at }, proposedBy: { not: by } },
  });
  if (count !== 1) throw proposalGone();
}

/** Removes at most `limit` proposals that have lapsed, with the customers that they name. */
export const sweepLapsedProposals: Sweep = (prisma, nowMs, limit) => prisma.$executeRaw`
  DELETE FROM proposals WHERE proposal_id IN (
    SELECT proposal_id FROM proposals WHERE lapses_at <= ${new Date(nowMs)} LIMIT ${limit})`;

function toProposal({ proposalId, act, proposedBy, proposedAt, lapsesAt }: ProposalRow): Proposal {
  return { proposalId, act: act as object as ProposedAct, proposedBy, proposedAt, lapsesAt };
}
