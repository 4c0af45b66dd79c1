import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { bankErrorSchema } from '../bank-errors.js';
import { answer, readErrors, ref } from '../bank-facing.schema.js';
import { operatorOf } from '../callers.js';
import { Acts } from './acts.js';
import { AskedScope } from './asked-scope.js';
import { presentProposal, presentWithdrawn } from './case.mapper.js';
import { ApprovalReport, ProposalReports } from './case.schema.js';

const tags = ['Cases'];
const schemas = {
  list: {
    tags,
    operationId: 'listProposals',
    summary: 'The acts that await a second operator',
    response: { 200: answer('The oldest first.', ProposalReports), ...readErrors },
  },
  approve: {
    tags,
    operationId: 'approveProposal',
    summary: 'Approve the act of another operator',
    description:
      'Does the act with the consents that there are now, also those that came after the proposal. A suspension needs the role ' +
      'operate. When two approvals come at once, one is refused.',
    params: Type.Object({ proposalId: ref('Its id.') }),
    response: {
      200: answer('The act is done.', ApprovalReport),
      ...readErrors,
      403: answer('The operator proposed it, or lacks the role.', bankErrorSchema),
      404: answer('No such proposal waits.', bankErrorSchema),
    },
  },
};

/** With TWO_PERSONS, the second of two operators approves. */
@Injectable()
export class ProposalRoutes {
  constructor(
    private readonly acts: Acts,
    private readonly scopes: AskedScope,
  ) {}

  declare(bank: FastifyInstance): void {
    bank.get('/cases/proposals', { schema: schemas.list }, async () => ({
      Proposals: (await this.acts.open()).map(presentProposal),
    }));
    bank.post<{ Params: { proposalId: string } }>(
      '/cases/proposals/:proposalId/approve',
      { schema: schemas.approve },
      (request) => this.approve(request),
    );
  }

  private async approve(request: FastifyRequest<{ Params: { proposalId: string } }>): Promise<object> {
    const { bankRole: role } = request;
    if (role === undefined) throw new Error('the caller of the bank’s port is not an operator');
    const by = operatorOf(request);
    const proposal = await this.acts.approvable(request.params.proposalId, by, role, ({ act }) => {
      request.bankAct = {
        target: this.scopes.targetOf(act.scope),
        ...(act.kind === 'withdrawal' && { reason: act.reason }),
      };
    });
    const withdrawn = await this.acts.approve(proposal, by);
    if (withdrawn !== undefined) request.bankAct = { ...request.bankAct, count: withdrawn.count };
    return { Proposal: presentProposal(proposal), ...(withdrawn && { Withdrawal: presentWithdrawn(withdrawn) }) };
  }
}
