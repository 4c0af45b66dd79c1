import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import type { Tpp } from '../authorisation-server/tpps/tpp.store.js';
import { TppWithdrawalService } from '../consents/tpp-withdrawal.service.js';
import type { TppId } from '../open-banking/tpp-id.js';
import { answer } from './bank-facing.schema.js';
import { callerOf, type BankCaller } from './callers.js';
import { IssuerQuery, NamedTpps, type NamedTppRequest } from './named-tpps.js';
import { operatorErrors, RegisteredTpp } from './operator.schema.js';
import { presentTpp } from './tpp.mapper.js';

const secured = { tags: ['TPPs'] };
const params = Type.Object({ clientId: Type.String() });
const theTpp = answer('The TPP as it is now.', RegisteredTpp);

const verbs = {
  suspend: {
    summary: 'Suspend a TPP',
    description:
      'Each of its tokens and requests fails, with any issuer of its tokens, at once here and within a second in every ' +
      'process; its consents stay as they are.',
  },
  reinstate: {
    summary: 'Reinstate a TPP',
    description: 'Its tokens that have not expired are good again, and so is its access to its consents.',
  },
  'revoke-consents': {
    summary: 'Revoke all consents of a TPP',
    description:
      'Every consent that the TPP has created reads Revoked from now on, or Rejected where it was not approved, at once here ' +
      'and within a second in every process, whatever STATUS_AFTER_WITHDRAWAL says. The TPP itself may go on, and ask for new ones.',
  },
} as const;

type Verb = keyof typeof verbs;

@Injectable()
export class TppStandingRoutes {
  constructor(
    private readonly withdrawals: TppWithdrawalService,
    private readonly named: NamedTpps,
    @Inject(AUTHORISATION_SERVER) private readonly embedded: AuthorisationServer | undefined,
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
            response: { 200: theTpp, ...operatorErrors },
          },
        },
        async (request) => {
          const tpp = await named.find(request);
          await this.changeStanding(verb, tpp, await named.registration(tpp), callerOf(request));
          return presentTpp(tpp, await named.registration(tpp), await withdrawals.standing(tpp));
        },
      );
  }

  private async changeStanding(verb: Verb, tpp: TppId, registered: Tpp | undefined, by: BankCaller): Promise<void> {
    const { withdrawals, embedded } = this;
    switch (verb) {
      case 'suspend':
        await withdrawals.suspend(tpp, by);
        // The registration as well: a suspended TPP cannot renew it.
        if (registered !== undefined) await embedded?.tpps.setStatus(tpp.clientId, 'suspended');
        return;
      case 'reinstate':
        if (registered !== undefined) await embedded?.tpps.setStatus(tpp.clientId, 'active');
        return withdrawals.reinstate(tpp, by);
      case 'revoke-consents':
        return withdrawals.revokeConsents(tpp, by);
    }
  }
}
