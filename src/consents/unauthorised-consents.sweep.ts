import { Inject, Injectable } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { faultRecord } from '../observability/fault-record.js';
import { LOG } from '../observability/log.js';
import { MinuteWork } from '../persistence/minute-work.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { sweepAll } from '../persistence/sweep.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { completionMs, consentAuthorisationMs } from './access.policy.js';
import { sweepExpiredProposals } from './cases/proposal.store.js';
import { ConsentTrail } from './consent-trail.js';
import { sweepNotCompleted, sweepUnauthorisedConsents } from './unauthorised-consents.store.js';

/**
 * Rejects the consents whose authorisation a customer began and did not complete in time. Removes those that no customer began
 * to authorise in time, and the proposals that no operator approved in time. Runs once a minute, or later where a sweep takes longer.
 */
@Injectable()
export class UnauthorisedConsentsSweep extends MinuteWork {
  constructor(
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'rules'>,
    private readonly prisma: PrismaService,
    private readonly clock: BankClock,
    private readonly trail: ConsentTrail,
    @Inject(LOG) private readonly log: FastifyBaseLogger,
  ) {
    super();
  }

  protected override run(): Promise<void> {
    const unauthorised = sweepUnauthorisedConsents(consentAuthorisationMs(this.profile), (consentId, tpp) =>
      this.trail.gone('abandoned', 'gateway', consentId, tpp, { reason: 'not-authorised-in-time' }),
    );
    const notCompleted = sweepNotCompleted(completionMs(this.profile), (consent) => this.trail.notCompleted(consent));
    const parts = [unauthorised, notCompleted, sweepExpiredProposals].map(
      (sweep) => () => sweepAll(sweep, this.prisma, this.clock.nowMs(), () => !this.stop.signal.aborted),
    );
    return this.inTurn(parts, (error) =>
      this.log.error(
        faultRecord(error),
        'consents that were not authorised in time could not be rejected or removed, or proposals that have expired; ' +
          'the next sweep tries again',
      ),
    );
  }
}
