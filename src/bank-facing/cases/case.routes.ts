import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { BankClock } from '../../clock/clock.js';
import { notFound } from '../../consents/consent-errors.js';
import type { Withdrawal } from '../../consents/cases/withdrawal.js';
import { WithdrawalService } from '../../consents/cases/withdrawal.service.js';
import { OpenBankingError } from '../../open-banking/errors.js';
import { PublicIds } from '../../open-banking/public-ids.js';
import { consentReport } from '../../trail/customer-report.js';
import { SegmentScan } from '../../trail/segment-scan.js';
import { bankErrorSchema } from '../bank-errors.js';
import { answer, readErrors, ref, reportErrors } from '../bank-facing.schema.js';
import { operatorOf } from '../callers.js';
import { pageOf } from '../consents-query.js';
import { Acts } from './acts.js';
import { AskedScope } from './asked-scope.js';
import { presentCase, presentProposal, presentTimeline, presentWithdrawn } from './case.mapper.js';
import {
  CaseConsents,
  CasesQuery,
  ProposalReport,
  Timeline,
  WithdrawalReport,
  WithdrawalRequest,
} from './case.schema.js';

const tags = ['Cases'];
const unknownTpp = { 404: answer('No such TPP.', bankErrorSchema) };
const schemas = {
  find: {
    tags,
    operationId: 'findConsents',
    summary: 'The consents of a customer, an account or a TPP',
    description:
      'Ended and deleted ones included, newest first, in pages. Name one of `customer`, `account` and `tpp`.',
    querystring: CasesQuery,
    response: { 200: answer('The consents.', CaseConsents), ...readErrors, ...unknownTpp },
  },
  timeline: {
    tags,
    operationId: 'readTimeline',
    summary: 'The life of a consent',
    description:
      'From the database, and from the latest 256 MiB of the trail of this gateway; `Searched` names the days that it read. ' +
      'A deleted consent has one too, until the bank removes its row.',
    params: Type.Object({ consentId: ref('Its id.') }),
    response: { 200: answer('The life of the consent.', Timeline), ...readErrors },
  },
  withdraw: {
    tags,
    operationId: 'withdrawConsents',
    summary: 'Withdraw every consent of a customer, an account or a TPP',
    description:
      'All of them or, where the database fails, none: at once here and within a second in every process. An account leaves its ' +
      'consents, of which only those without another account end. With ' +
      'TWO_PERSONS=yes the withdrawal of more than one consent, and that of a TPP, becomes a proposal.',
    body: WithdrawalRequest,
    response: {
      200: answer('The access of these consents has ended.', WithdrawalReport),
      202: answer('Nothing has ended yet: another operator must approve it.', ProposalReport),
      ...reportErrors,
      ...unknownTpp,
    },
  },
};

/** The operators' cases: find the consents, see their lives, withdraw them. */
@Injectable()
export class CaseRoutes {
  constructor(
    private readonly withdrawals: WithdrawalService,
    private readonly acts: Acts,
    private readonly scopes: AskedScope,
    private readonly trail: SegmentScan,
    private readonly ids: PublicIds,
    private readonly clock: BankClock,
  ) {}

  declare(bank: FastifyInstance): void {
    bank.get<{ Querystring: Static<typeof CasesQuery> }>('/cases/consents', { schema: schemas.find }, (request) =>
      this.find(request),
    );
    bank.get<{ Params: { consentId: string } }>(
      '/cases/consents/:consentId/timeline',
      { schema: schemas.timeline },
      (request) => this.timeline(request, request.params.consentId),
    );
    bank.post<{ Body: Static<typeof WithdrawalRequest> }>(
      '/cases/withdrawals',
      { schema: schemas.withdraw },
      (request, reply) => this.withdraw(request, reply),
    );
  }

  private async find({ query, context }: FastifyRequest<{ Querystring: Static<typeof CasesQuery> }>): Promise<object> {
    const nowMs = this.clock.nowMs();
    const page = pageOf(query, nowMs);
    const scope = await this.scopes.read(query);
    context.asked = this.scopes.targetOf(scope);
    const { items, next } = await this.withdrawals.list(scope, page);
    return { Consents: items.map((item) => presentCase(item, this.ids, nowMs)), NextCursor: next };
  }

  private async timeline({ context, signal }: FastifyRequest, consentId: string): Promise<object> {
    const facts = await this.withdrawals.facts(consentId);
    if (facts === undefined) throw notFound();
    const { customerRef } = facts.consent.authorisation ?? {};
    if (customerRef !== undefined) context.asked = this.scopes.targetOf({ kind: 'customer', customerRef });
    return presentTimeline(facts, await consentReport(this.trail.by(signal), consentId), this.ids, this.clock.nowMs());
  }

  private async withdraw(
    request: FastifyRequest<{ Body: Static<typeof WithdrawalRequest> }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { reason, text, ...named } = request.body;
    const scope = await this.scopes.read(named);
    const withdrawal = { scope, reason, text } as Withdrawal;
    request.bankAct = { target: this.scopes.targetOf(scope), reason: withdrawal.reason };
    if (withdrawal.reason === 'other' && text === undefined)
      throw new OpenBankingError('field-missing', { message: 'The reason other needs a text.', path: 'text' });
    if (scope.kind === 'consent' && (await this.withdrawals.facts(scope.consentId)) === undefined) throw notFound();
    const outcome = await this.acts.withdraw(withdrawal, operatorOf(request));
    if ('proposal' in outcome) return reply.status(202).send(presentProposal(outcome.proposal));
    request.bankAct = { ...request.bankAct, count: outcome.count };
    return reply.send(presentWithdrawn(outcome));
  }
}
