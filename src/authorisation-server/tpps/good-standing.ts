import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import { TppStandingStore } from '../../security/tpp-standing.store.js';
import { inGoodStanding } from './tpp.policy.js';
import type { Tpp } from './tpp.store.js';

/** Whether a TPP may act now: its registration must allow it, and the bank must not have suspended it. */
@Injectable()
export class GoodStanding {
  constructor(
    private readonly standings: TppStandingStore,
    private readonly clock: Clock,
  ) {}

  /** False for an unknown TPP. The rows may change right after this, so `ConsentStore` checks again in its statement. */
  async isOf(tpp: Tpp | undefined): Promise<boolean> {
    if (tpp === undefined || !inGoodStanding(tpp, this.clock.nowMs())) return false;
    return !(await this.standings.isSuspended(tppId(embeddedIssuer, tpp.clientId)));
  }
}
