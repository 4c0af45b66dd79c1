import { Injectable } from '@nestjs/common';
import { BankClock } from '../clock/clock.js';
import type { TppId } from '../open-banking/tpp-id.js';
import { TppStandingStore, type Before, type TppStanding } from '../security/tpp-standing.store.js';
import type { Actor } from '../trail/event-members.js';
import { ConsentTrail } from './consent-trail.js';
import { keepRight } from './cases/operator-right.store.js';
import { useProposal } from './cases/proposal.store.js';
import type { Approval } from './cases/withdrawal.js';
import { LiveConsents } from './live-consents.js';
import { outcomeUnknown, stored } from './stored.js';
import { WithdrawalLog, withdrawalOfTpp } from './withdrawal-log.js';

/**
 * The bank's measures against one TPP of any issuer. They take effect at once in this process, and within a second in every
 * other.
 */
@Injectable()
export class TppWithdrawalService {
  constructor(
    private readonly standings: TppStandingStore,
    private readonly live: LiveConsents,
    private readonly withdrawals: WithdrawalLog,
    private readonly clock: BankClock,
    private readonly trail: ConsentTrail,
  ) {}

  standing(tpp: TppId): Promise<TppStanding> {
    return stored(this.standings.find(tpp));
  }

  standingOfAll(): ReturnType<TppStandingStore['list']> {
    return stored(this.standings.list());
  }

  /**
   * @param approval of a proposed measure
   * @throws OpenBankingError where the proposal is gone, or the right of the operator; nothing was changed then
   */
  suspend(tpp: TppId, by: Actor, approval?: Approval): Promise<void> {
    const at = this.now();
    return this.withdrawals.withdraw(withdrawalOfTpp('tpp-suspended', tpp, at), async () => {
      await stored(this.standings.suspend(tpp, at, permittedTo(by, approval)), outcomeUnknown);
      this.trail.ofTpp('suspended', tpp, by);
    });
  }

  /** As {@link suspend}. */
  async reinstate(tpp: TppId, by: Actor, approval?: Approval): Promise<void> {
    await stored(this.standings.reinstate(tpp, permittedTo(by, approval)), outcomeUnknown);
    this.trail.ofTpp('resumed', tpp, by);
  }

  /** Every consent that the TPP has created up to now. A later consent is not affected. */
  async revokeConsents(tpp: TppId, by: Actor): Promise<void> {
    const at = this.now();
    const revoke = async () => {
      await stored(this.standings.revokeConsents(tpp, at, permittedTo(by)), outcomeUnknown);
      this.trail.ofTpp('consents-revoked', tpp, by);
    };
    try {
      await this.withdrawals.withdraw(withdrawalOfTpp('tpp-consents-revoked', tpp, at), revoke);
    } finally {
      // Also after a failure, whose outcome is unknown.
      this.live.forgetAllOf(tpp.key);
    }
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}

/** The check that runs first in the transaction of a measure. */
function permittedTo(by: Actor, approval?: Approval): Before {
  return (transaction) =>
    approval === undefined ? keepRight(transaction, by, 'operate') : useProposal(transaction, approval);
}
