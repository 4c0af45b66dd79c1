import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Proposal } from '../consents/cases/withdrawal.js';
import { TppWithdrawalService } from '../consents/tpp-withdrawal.service.js';
import type { TppId } from '../open-banking/tpp-id.js';
import { answer, clientId } from './bank-facing.schema.js';
import { callerOf } from './callers.js';
import { Acts, secondNeededBy, secondPersonNeeded } from './cases/acts.js';
import { presentProposal } from './cases/case.mapper.js';
import { ProposalReport } from './cases/case.schema.js';
import { IssuerQuery, NamedTpps, type NamedTppRequest } from './named-tpps.js';
import { operatorErrors, RegisteredTpp } from './operator.schema.js';
import { presentTpp } from './tpp.mapper.js';

const secured = { tags: ['TPPs'] };
const params = Type.Object({ clientId: clientId('Its client id.') });
const theTpp = answer('The TPP as it is now.', RegisteredTpp);
const proposed = answer('With TWO_PERSONS=yes: another operator must approve it.', ProposalReport);

const verbs = {
  suspend: {
    summary: 'Suspend a TPP',
    description:
      'Each of its tokens and requests fails, with any issuer of its tokens, at once here and within a second in every ' +
      'process; its consents stay as they are.',
  },
  reinstate: {
    summary: 'Reinstate a TPP',
    description: 'Its tokens that have not expired are valid again, and so is its access to its consents.',
  },
  'revoke-consents': {
    summary: 'Revoke all consents of a TPP',
    description:
      'Every consent that the TPP has created is cancelled from now on, or rejected where it was not approved, at once here ' +
      'and within a second in every process, whatever statusAfterWithdrawal in the profile says. The TPP can ask for new ones.',
  },
} as const;

type Verb = keyof typeof verbs;

@Injectable()
export class TppStandingRoutes {
  constructor(
    private readonly withdrawals: TppWithdrawalService,
    private readonly named: NamedTpps,
    private readonly acts: Acts,
  ) {}

  declare(bank: FastifyInstance): void {
    const { named, withdrawals } = this;
    for (const verb of Object.keys(verbs) as Verb[])
      bank.post<NamedTppRequest>(
        `/tpps/:clientId/${verb}`,
        {
          schema: {
            ...secured,
            operationId: verb === 'revoke-consents' ? 'revokeConsentsOfTpp' : `${verb}Tpp`,
            ...verbs[verb],
            params,
            querystring: IssuerQuery,
            response: { 200: theTpp, ...(verb !== 'revoke-consents' && { 202: proposed }), ...operatorErrors },
          },
        },
        async (request, reply) => {
          const tpp = await named.find(request);
          const proposal = await this.changeStanding(verb, tpp, request);
          if (proposal !== undefined) return reply.status(202).send(presentProposal(proposal));
          return presentTpp(tpp, await named.registration(tpp), await withdrawals.standing(tpp));
        },
      );
  }

  /** @returns the proposal, where another operator must approve the change */
  private async changeStanding(verb: Verb, tpp: TppId, request: FastifyRequest): Promise<Proposal | undefined> {
    const { acts } = this;
    const by = callerOf(request);
    const propose = async (kind: 'suspension' | 'reinstatement'): Promise<Proposal> =>
      (await acts.propose({ kind, scope: { kind: 'tpp', tpp } }, secondNeededBy(by))).proposal;
    switch (verb) {
      case 'suspend':
        if (acts.needTwoPersons) return propose('suspension');
        await this.withdrawals.suspend(tpp, by);
        return undefined;
      case 'reinstate':
        if (acts.needTwoPersons) return propose('reinstatement');
        await this.withdrawals.reinstate(tpp, by);
        return undefined;
      case 'revoke-consents':
        if (acts.needTwoPersons)
          throw secondPersonNeeded('withdraw the consents of the TPP by `cases withdraw --tpp ID --reason CODE`');
        await acts.revokeConsents(tpp, by);
        return undefined;
    }
  }
}
