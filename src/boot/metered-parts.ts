import { Injectable } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { RateLimitCheck } from '../quotas/rate-limit.check.js';
import { TokenVerifier } from '../security/tokens/token-verifier.js';

/** Shows in the metrics what rooms above them know. Each is asked at a scrape, and never by a request. */
@Injectable()
export class MeteredParts {
  constructor(metrics: Metrics, prisma: PrismaService, tokens: TokenVerifier, limits: RateLimitCheck) {
    metrics.databasePool(() => prisma.database.pool?.());
    metrics.issuerKeys(() => tokens.keyAges());
    metrics.quotas(() => limits.usedShares());
  }
}
