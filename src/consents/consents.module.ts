import { Module } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { faultRecord } from '../observability/fault-record.js';
import { LOG } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { SecurityModule } from '../security/security.module.js';
import { CaseStore } from './cases/case.store.js';
import { ProposalStore } from './cases/proposal.store.js';
import { WithdrawalService } from './cases/withdrawal.service.js';
import { ConsentRequestCheck } from './consent-request.check.js';
import { AccountCheck, PermissionCheck, ScopeCheck } from './consent.checks.js';
import { ConsentService } from './consent.service.js';
import { ConsentStore } from './consent.store.js';
import { ConsentTrail } from './consent-trail.js';
import { ConsentsController } from './consents.controller.js';
import { LapsedConsentsSweep } from './lapsed-consents.sweep.js';
import { LiveConsentCheck } from './live-consent.check.js';
import { LiveConsents } from './live-consents.js';
import { FileRevocationJournal, noJournal, RevocationJournal } from './journal/revocation-journal.js';
import { TppWithdrawalService } from './tpp-withdrawal.service.js';

/** Consents: the data and accounts that a TPP may read, and their end. */
@Module({
  imports: [CoreBankingModule, SecurityModule],
  controllers: [ConsentsController],
  providers: [
    ConsentStore,
    LiveConsents,
    { provide: RevocationJournal, inject: [GATEWAY_CONFIG, Clock, LOG, Metrics], useFactory: openJournal },
    ConsentTrail,
    ConsentService,
    TppWithdrawalService,
    CaseStore,
    ProposalStore,
    WithdrawalService,
    LapsedConsentsSweep,
    LiveConsentCheck,
    ConsentRequestCheck,
    ScopeCheck,
    PermissionCheck,
    AccountCheck,
  ],
  exports: [
    ConsentService,
    TppWithdrawalService,
    ProposalStore,
    WithdrawalService,
    RevocationJournal,
    LiveConsentCheck,
    ConsentRequestCheck,
    ScopeCheck,
    PermissionCheck,
    AccountCheck,
  ],
})
export class ConsentsModule {}

async function openJournal(
  { revocationJournal: config }: GatewayConfig,
  clock: Clock,
  log: FastifyBaseLogger,
  metrics: Metrics,
): Promise<RevocationJournal> {
  if (config === undefined) return noJournal;
  return FileRevocationJournal.open(config, clock, {
    failed: (error) =>
      log.error(
        faultRecord(error),
        'the revocation journal cannot be written: withdrawals take effect, but are not acknowledged',
      ),
    overdue: (lines) => {
      metrics.journalOverdue(lines);
      if (lines === 0) log.info('the revocation journal is written again, and lacks nothing');
    },
  });
}
