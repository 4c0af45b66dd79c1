import { Module } from '@nestjs/common';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { SecurityModule } from '../security/security.module.js';
import { CaseStore } from './cases/case.store.js';
import { ProposalStore } from './cases/proposal.store.js';
import { WithdrawalService } from './cases/withdrawal.service.js';
import { ConsentRequestCheck } from './consent-request.check.js';
import { AccountCheck, ConsentVersionCheck, PermissionCheck, ScopeCheck } from './consent.checks.js';
import { ConsentService } from './consent.service.js';
import { ConsentStore } from './consent.store.js';
import { CustomerConsents } from './customer-consents.js';
import { ConsentTrail } from './consent-trail.js';
import { ConsentsController } from './consents.controller.js';
import { UnauthorisedConsentsSweep } from './unauthorised-consents.sweep.js';
import { LiveConsentCheck } from './live-consent.check.js';
import { LiveConsents } from './live-consents.js';
import { TppWithdrawalService } from './tpp-withdrawal.service.js';
import { WithdrawalLog } from './withdrawal-log.js';

/** Consents: the data and accounts that a TPP may read, and their end. */
@Module({
  imports: [CoreBankingModule, SecurityModule],
  controllers: [ConsentsController],
  providers: [
    ConsentStore,
    LiveConsents,
    WithdrawalLog,
    ConsentTrail,
    ConsentService,
    CustomerConsents,
    TppWithdrawalService,
    CaseStore,
    ProposalStore,
    WithdrawalService,
    UnauthorisedConsentsSweep,
    LiveConsentCheck,
    ConsentRequestCheck,
    ScopeCheck,
    ConsentVersionCheck,
    PermissionCheck,
    AccountCheck,
  ],
  exports: [
    ConsentService,
    LiveConsents,
    CustomerConsents,
    TppWithdrawalService,
    ProposalStore,
    WithdrawalService,
    WithdrawalLog,
    LiveConsentCheck,
    ConsentRequestCheck,
    ScopeCheck,
    ConsentVersionCheck,
    PermissionCheck,
    AccountCheck,
  ],
})
export class ConsentsModule {}
