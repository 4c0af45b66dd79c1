import { Injectable } from '@nestjs/common';
import { BankClock } from '../clock/clock.js';
import { TppStandingStore, type TppStanding } from '../security/tpp-standing.store.js';
import type { JournalEvent } from './journal-entry.dto.js';
import { LiveConsents } from './live-consents.js';
import { RevocationJournal } from './revocation-journal.js';
import { outcomeUnknown, stored } from './stored.js';

/** The bank's measures against one TPP of any issuer. They take effect at once, in every process. */
@Injectable()
export class TppWithdrawalService {
  constructor(
    private readonly standings: TppStandingStore,
    private readonly live: LiveConsents,
    private readonly journal: RevocationJournal,
    private readonly clock: BankClock,
  ) {}

  async standing(tppId: string): Promise<TppStanding> {
    return (await ofStandings(async () => this.standings.find(tppId))) ?? {};
  }

  /** All TPPs of which the bank decided something. */
  standingOfAll(): Promise<ReadonlyMap<string, TppStanding>> {
    return ofStandings(() => this.standings.list());
  }

  /** Whether anything here is of this TPP. */
  isKnown(tppId: string): Promise<boolean> {
    return ofStandings(() => this.standings.isKnown(tppId));
  }

  suspend(tppId: string): Promise<void> {
    const at = this.now();
    return this.journal.withdraw(entry('tpp-suspended', tppId, at), () =>
      ofStandings(() => this.standings.suspend(tppId, at)),
    );
  }

  async reinstate(tppId: string): Promise<void> {
    await ofStandings(() => this.standings.reinstate(tppId));
    // Afterwards: a recovery must not reinstate a TPP that was not.
    await this.journal.note(entry('tpp-reinstated', tppId, this.now()));
  }

  /** Every consent that the TPP has created. One that it creates from then on is another matter. */
  async revokeConsents(tppId: string): Promise<void> {
    const at = this.now();
    const revoke = () => ofStandings(() => this.standings.revokeConsents(tppId, at));
    try {
      await this.journal.withdraw(entry('tpp-consents-revoked', tppId, at), revoke);
    } finally {
      // Also after a failure.
      this.live.forgetAllOf(tppId);
    }
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}

function entry(event: JournalEvent, tppId: string, at: Date) {
  return { at: at.toISOString(), event, id: tppId };
}

/** The database's own words end here. */
function ofStandings<T>(operation: () => Promise<T>): Promise<T> {
  return stored(operation(), outcomeUnknown);
}
