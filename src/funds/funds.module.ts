import { Module } from '@nestjs/common';
import { ConsentsModule } from '../consents/consents.module.js';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { DebtorAccounts } from './debtor-accounts.js';
import { FundsConfirmationsController } from './funds-confirmations.controller.js';
import { FundsConsentsController } from './funds-consents.controller.js';
import { FundsService } from './funds.service.js';
import { UsedReferencesStore } from './used-references.store.js';

/** Confirmation of funds: yes or no to a TPP whose customer has agreed. */
@Module({
  imports: [ConsentsModule, CoreBankingModule],
  controllers: [FundsConsentsController, FundsConfirmationsController],
  providers: [DebtorAccounts, FundsService, UsedReferencesStore],
})
export class FundsModule {}
