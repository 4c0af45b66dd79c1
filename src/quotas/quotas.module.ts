import { Module } from '@nestjs/common';
import { RateLimitCheck } from './rate-limit.check.js';
import { UnattendedAccess } from './unattended-access.js';
import { UnattendedAccessGuard } from './unattended-access.guard.js';

/** How much each TPP may ask: rate limits, and reads without the customer. */
@Module({
  providers: [RateLimitCheck, UnattendedAccess, UnattendedAccessGuard],
  exports: [RateLimitCheck, UnattendedAccessGuard],
})
export class QuotasModule {}
