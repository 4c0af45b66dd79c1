import { Module } from '@nestjs/common';
import { ConsentsModule } from '../consents/consents.module.js';
import { LimitCounts } from './limit-counts.store.js';
import { RateLimitCheck } from './rate-limit.check.js';
import { UnattendedAccessCheck } from './unattended-access.check.js';

/** The limits of each TPP: rate limits, and reads without the customer. */
@Module({
  imports: [ConsentsModule],
  providers: [LimitCounts, RateLimitCheck, UnattendedAccessCheck],
  exports: [LimitCounts, RateLimitCheck, UnattendedAccessCheck],
})
export class QuotasModule {}
