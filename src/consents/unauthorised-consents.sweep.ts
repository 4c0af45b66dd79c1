import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { faultRecord } from '../observability/fault-record.js';
import { LOG } from '../observability/log.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { sweepAll } from '../persistence/sweep.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { completionMs, consentAuthorisationMs } from './access.policy.js';
import { sweepExpiredProposals } from './cases/proposal.store.js';
import { ConsentTrail } from './consent-trail.js';
import { sweepNotCompleted, sweepUnauthorisedConsents } from './unauthorised-consents.store.js';

const everyMs = 60_000;

/**
 * Rejects the consents whose authorisation a customer began and did not complete in time. Removes those that no customer began
 * to authorise in time, and the proposals that no operator approved in time. Runs once a minute, or later where a sweep takes longer.
 */
@Injectable()
export class UnauthorisedConsentsSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'rules'>,
    private readonly prisma: PrismaService,
    private readonly clock: BankClock,
    private readonly trail: ConsentTrail,
    @Inject(LOG) private readonly log: FastifyBaseLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.now(), everyMs).unref();
  }

  /** Sweeps now, or joins the sweep that is under way. */
  now(): Promise<void> {
    this.running ??= this.run().finally(() => (this.running = undefined));
    return this.running;
  }

  /** A sweep that is under way ends after its present statement; the next start removes the rest. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      const sweep = sweepUnauthorisedConsents(consentAuthorisationMs(this.profile), (consentId, tpp) =>
        this.trail.gone('abandoned', 'gateway', consentId, tpp, { reason: 'not-authorised-in-time' }),
      );
      const notCompleted = sweepNotCompleted(completionMs(this.profile), (consent) => this.trail.notCompleted(consent));
      for (const one of [sweep, notCompleted, sweepExpiredProposals])
        await sweepAll(one, this.prisma, this.clock.nowMs(), () => !this.stopped);
    } catch (error) {
      this.log.error(
        faultRecord(error),
        'consents that were not authorised in time could not be rejected or removed; the next sweep tries again',
      );
    }
  }
}
