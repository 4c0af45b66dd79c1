import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { PrismaService } from '../persistence/prisma.service.js';

/** The references under which checks of funds were answered, as digests alone. */
@Injectable()
export class UsedReferencesStore {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'idKey'>,
  ) {}

  /** @returns whether this is the first use under the consent: of several at once, in any processes, one is */
  async use(consentId: string, reference: string): Promise<boolean> {
    const digest = createHmac('sha256', this.config.idKey)
      .update(JSON.stringify(['funds-reference', consentId, reference]))
      .digest('base64url');
    const count = await this.prisma.$executeRaw`
      INSERT INTO used_references (consent_id, digest) VALUES (${consentId}, ${digest}) ON CONFLICT DO NOTHING`;
    return count === 1;
  }
}
