import { Module } from '@nestjs/common';
import { ConsentsModule } from '../consents/consents.module.js';
import { RateLimitCheck } from './rate-limit.check.js';
import { UnattendedAccess } from './unattended-access.js';
import { UnattendedAccessCheck } from './unattended-access.check.js';

/** The limits of each TPP: rate limits, and reads without the customer. */
@Module({
  imports: [ConsentsModule],
  providers: [RateLimitCheck, UnattendedAccess, UnattendedAccessCheck],
  exports: [RateLimitCheck, UnattendedAccessCheck],
})
export class QuotasModule {}
