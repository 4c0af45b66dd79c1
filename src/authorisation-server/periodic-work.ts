import { Inject, Injectable, Optional } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { MinuteWork } from '../persistence/minute-work.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { sweepAll, type Sweep } from '../persistence/sweep.js';
import { embeddedIssuer, tppId } from '../open-banking/tpp-id.js';
import { expiredRows } from './expired-rows.js';
import { AuthorisationLog } from './listeners/authorisation-log.js';
import { removeExpiredJourneys } from './sign-in/journey.store.js';
import { JourneyTrail } from './sign-in/journey-trail.js';
import { SigningKeys } from '../security/signing-keys.js';
import { StatementWatch } from './tpps/statement-watch.js';
import { sweepDeletedTpps } from './tpps/ended-tpps.store.js';

/** The number of TPPs about which the directory is asked at a time. */
const statementsAtATime = 1_000;
const keysRotateAfterMs = 30 * 86_400_000;

/** Rotates keys, removes expired rows, and asks the directory about TPPs. */
@Injectable()
export class PeriodicWork extends MinuteWork {
  constructor(
    private readonly keys: SigningKeys,
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly log: AuthorisationLog,
    private readonly trail: JourneyTrail,
    @Optional() @Inject(StatementWatch) private readonly statements: StatementWatch | undefined,
  ) {
    super();
  }

  protected override run(): Promise<void> {
    const nowMs = this.clock.nowMs();
    const sweeps = [this.sweepJourneys, ...expiredRows, sweepDeletedTpps];
    const parts = [
      () => this.renewKeys(),
      ...sweeps.map((sweep) => () => sweepAll(sweep, this.prisma, nowMs)),
      async () => this.statements?.ask(nowMs, statementsAtATime, this.stop.signal),
    ];
    return this.inTurn(parts, this.log.periodicWork);
  }

  private async renewKeys(): Promise<void> {
    await this.keys.load();
    await this.keys.rotateWhenOlderThan(keysRotateAfterMs);
    await this.keys.sweep();
  }

  /** Removes expired journeys, and records those that ended without a decision. */
  private readonly sweepJourneys: Sweep = async (prisma, nowMs, limit) => {
    const { removed, undecided } = await removeExpiredJourneys(prisma, nowMs, limit);
    for (const { consentId, clientId, stage } of undecided)
      this.trail.step(
        'abandoned',
        { ...(consentId !== null && { consentId }), tpp: tppId(embeddedIssuer, clientId) },
        { reason: 'customer-never-returned', stage },
      );
    return removed;
  };
}
