import { Injectable } from '@nestjs/common';
import { BankClock } from '../clock/clock.js';
import type { TppId } from '../open-banking/tpp-id.js';
import { TppStandingStore, type TppStanding } from '../security/tpp-standing.store.js';
import { entryOnTpp } from './journal-entry.dto.js';
import { LiveConsents } from './live-consents.js';
import { RevocationJournal } from './revocation-journal.js';
import { outcomeUnknown, stored } from './stored.js';

/** The bank's measures against one TPP of any issuer. They take effect at once here, and within a second in every process. */
@Injectable()
export class TppWithdrawalService {
  constructor(
    private readonly standings: TppStandingStore,
    private readonly live: LiveConsents,
    private readonly journal: RevocationJournal,
    private readonly clock: BankClock,
  ) {}

  standing(tpp: TppId): Promise<TppStanding> {
    return ofStandings(() => this.standings.find(tpp));
  }

  /** All TPPs of which the bank decided something. */
  standingOfAll(): ReturnType<TppStandingStore['list']> {
    return ofStandings(() => this.standings.list());
  }

  /** The issuers of the TPPs with this client id of which there is anything here. */
  issuersOf(clientId: string): Promise<readonly string[]> {
    return ofStandings(() => this.standings.issuersOf(clientId));
  }

  suspend(tpp: TppId): Promise<void> {
    const at = this.now();
    return this.journal.withdraw(entryOnTpp('tpp-suspended', tpp, at), () =>
      ofStandings(() => this.standings.suspend(tpp, at)),
    );
  }

  async reinstate(tpp: TppId): Promise<void> {
    await ofStandings(() => this.standings.reinstate(tpp));
    // Afterwards: a recovery must not reinstate a TPP that was not.
    await this.journal.note(entryOnTpp('tpp-reinstated', tpp, this.now()));
  }

  /** Every consent that the TPP has created. One that it creates from then on is another matter. */
  async revokeConsents(tpp: TppId): Promise<void> {
    const at = this.now();
    const revoke = () => ofStandings(() => this.standings.revokeConsents(tpp, at));
    try {
      await this.journal.withdraw(entryOnTpp('tpp-consents-revoked', tpp, at), revoke);
    } finally {
      // Also after a failure.
      this.live.forgetAllOf(tpp.key);
    }
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}

/** The database's own words end here. */
function ofStandings<T>(operation: () => Promise<T>): Promise<T> {
  return stored(operation(), outcomeUnknown);
}
