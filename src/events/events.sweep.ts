import { Inject, Injectable } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { faultRecord } from '../observability/fault-record.js';
import { LOG } from '../observability/log.js';
import { MinuteWork } from '../persistence/minute-work.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { sweepAll } from '../persistence/sweep.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { announceNext, sweepOldEvents } from './consent-event.store.js';
import { EventKeys } from './event-keys.js';
import { EventMetrics } from './event-metrics.js';

const keysRotateAfterMs = 30 * 86_400_000;

/** So many that a statement ends within a second. */
const announcedAtATime = 2_000;

/**
 * Once a minute: drops the events that no TPP acknowledged in time, announces withdrawals of all consents of a TPP, and renews
 * the keys that sign events. A withdrawal begins it at once: the minute finds those of a process that stopped.
 */
@Injectable()
export class EventsSweep extends MinuteWork {
  constructor(
    private readonly prisma: PrismaService,
    private readonly keys: EventKeys,
    private readonly metrics: EventMetrics,
    private readonly clock: BankClock,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'rules'>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'authorisationServer'>,
    @Inject(LOG) private readonly log: FastifyBaseLogger,
  ) {
    super();
  }

  protected override run(): Promise<void> {
    const parts = [() => this.dropOld(), () => this.announce(), () => this.renewKeys()];
    return this.inTurn(parts, (error) =>
      this.log.error(
        faultRecord(error),
        'the events could not be announced or swept, or their keys renewed; the next sweep tries again',
      ),
    );
  }

  private async dropOld(): Promise<void> {
    const sweep = sweepOldEvents(this.profile.rules.eventDays);
    this.metrics.dropped(await sweepAll(sweep, this.prisma, this.clock.nowMs(), () => !this.stop.signal.aborted));
  }

  /** After the sweep, so that it also takes a withdrawal that joins this run. */
  private async announce(): Promise<void> {
    while (!this.stop.signal.aborted && (await announceNext(this.prisma, announcedAtATime)));
  }

  private async renewKeys(): Promise<void> {
    // The embedded authorization server renews its keys itself.
    if (this.config.authorisationServer === undefined) await this.keys.renew(keysRotateAfterMs);
  }
}
