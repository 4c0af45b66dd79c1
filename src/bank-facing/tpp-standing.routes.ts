import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import type { Tpp } from '../authorisation-server/tpps/tpp.store.js';
import { TppWithdrawalService } from '../consents/tpp-withdrawal.service.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { answer, printable } from './bank-facing.dto.js';
import { operatorErrors, RegisteredTpp } from './operator.dto.js';
import { presentTpp } from './tpp.mapper.js';

const secured = { tags: ['TPPs'], security: [{ bankCredential: [] }] };
const params = Type.Object({ clientId: Type.String() });
const theTpp = answer('The TPP as it is now.', RegisteredTpp);

const verbs = {
  suspend: {
    summary: 'Suspend a TPP',
    description:
      'Whoever issues its tokens: each of its tokens and requests fails at once, in every process; its consents stay as they are.',
  },
  reinstate: {
    summary: 'Reinstate a TPP',
    description: 'Its tokens that have not expired are good again, and so is its access to its consents.',
  },
  'revoke-consents': {
    summary: 'Revoke all consents of a TPP',
    description:
      'Every consent that the TPP has created reads Revoked from now on, or Rejected where nobody had approved it, at once and ' +
      'in every process, whatever STATUS_AFTER_WITHDRAWAL says. The TPP itself may go on, and ask for new ones.',
  },
} as const;

type Verb = keyof typeof verbs;

/** The bank's decision about one TPP of any issuer. */
@Injectable()
export class TppStandingRoutes {
  constructor(
    private readonly withdrawals: TppWithdrawalService,
    @Inject(AUTHORISATION_SERVER) private readonly authorisationServer: AuthorisationServer | undefined,
  ) {}

  declare(bank: FastifyInstance): void {
    for (const verb of Object.keys(verbs) as Verb[])
      bank.post<{ Params: { clientId: string } }>(
        `/tpps/:clientId/${verb}`,
        {
          schema: {
            ...secured,
            operationId: verb === 'revoke-consents' ? 'revokeConsentsOfTpp' : `${verb}Tpp`,
            ...verbs[verb],
            params,
            response: { 200: theTpp, ...operatorErrors },
          },
        },
        async ({ params: { clientId } }) => {
          await this.changeStanding(verb, clientId, await this.registered(clientId));
          return presentTpp(clientId, await this.registered(clientId), await this.withdrawals.standing(clientId));
        },
      );
  }

  private async changeStanding(verb: Verb, clientId: string, tpp: Tpp | undefined): Promise<void> {
    const { withdrawals, authorisationServer } = this;
    switch (verb) {
      case 'suspend':
        await withdrawals.suspend(clientId);
        // Its registration as well: a suspended TPP cannot renew it.
        if (tpp !== undefined) await authorisationServer?.tpps.setStatus(clientId, 'suspended');
        return;
      case 'reinstate':
        if (tpp !== undefined) await authorisationServer?.tpps.setStatus(clientId, 'active');
        return withdrawals.reinstate(clientId);
      case 'revoke-consents':
        return withdrawals.revokeConsents(clientId);
    }
  }

  /**
   * The TPP's registration, where it is here. Without an authorization server of ours any id may be a TPP's; with one, an id
   * that nothing here has is a mistake.
   */
  private async registered(clientId: string): Promise<Tpp | undefined> {
    if (!canBeClientId(clientId)) throw unknown();
    if (this.authorisationServer === undefined) return undefined;
    const tpp = await this.authorisationServer.tpps.find(clientId);
    if (tpp !== undefined && tpp.status !== 'deleted') return tpp;
    if (await this.withdrawals.isKnown(clientId)) return undefined;
    throw unknown();
  }
}

const printableText = new RegExp(printable);

function canBeClientId(text: string): boolean {
  return text.length <= 1_000 && printableText.test(text);
}

function unknown(): OpenBankingError {
  return new OpenBankingError('path-unknown', { message: 'No TPP is registered under this client id.' });
}
