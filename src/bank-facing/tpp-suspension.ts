import { Inject, Injectable } from '@nestjs/common';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import type { Approval } from '../consents/cases/withdrawal.js';
import { TppWithdrawalService } from '../consents/tpp-withdrawal.service.js';
import type { TppId } from '../open-banking/tpp-id.js';
import type { BankCaller } from './callers.js';
import { NamedTpps } from './named-tpps.js';

/** The suspension of a TPP, with its registration where it has one here: a suspended TPP cannot renew it. */
@Injectable()
export class TppSuspension {
  constructor(
    private readonly withdrawals: TppWithdrawalService,
    private readonly named: NamedTpps,
    @Inject(AUTHORISATION_SERVER) private readonly embedded: AuthorisationServer | undefined,
  ) {}

  /** @throws ProposalGone; nothing was changed then */
  async suspend(tpp: TppId, by: BankCaller, approval?: Approval): Promise<void> {
    await this.withdrawals.suspend(tpp, by, approval);
    if ((await this.named.registration(tpp)) !== undefined)
      await this.embedded?.tpps.setStatus(tpp.clientId, 'suspended');
  }
}
