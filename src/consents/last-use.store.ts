import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PrismaService } from '../persistence/prisma.service.js';

/**
 * When a customer's data was last given under each consent. A use is kept in memory and written with many others, so that
 * it costs a request next to nothing; a process that dies loses those of the last few seconds, and nothing else.
 */
@Injectable()
export class LastUseStore {
  private pending = new Map<string, number>();
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly prisma: PrismaService) {}

  record(consentId: string, atMs: number): void {
    this.pending.set(consentId, atMs);
  }

  /** Writes the recorded uses, and keeps those that cannot be written for the next time. */
  flush(): Promise<void> {
    const own = this.writing.then(() => this.write());
    // The next writer waits for this one, and does not fail with it.
    this.writing = own.catch(() => undefined);
    return own;
  }

  /** The last use of each consent that was used, as all processes have written it. */
  async find(consentIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const rows = await this.prisma.consentUse.findMany({ where: { consentId: { in: [...consentIds] } } });
    return new Map(rows.map(({ consentId, lastUsedAt }) => [consentId, lastUsedAt]));
  }

  private async write(): Promise<void> {
    const batch = this.pending;
    if (batch.size === 0) return;
    this.pending = new Map();
    // In one order everywhere: two processes that write the same rows never wait for each other.
    const uses = [...batch].sort(([one], [other]) => (one < other ? -1 : 1));
    const consentIds = uses.map(([consentId]) => consentId);
    const times = uses.map(([, atMs]) => new Date(atMs).toISOString().slice(0, -1));
    try {
      await this.prisma.$executeRaw`
        INSERT INTO consent_uses AS kept (consent_id, last_used_at)
        SELECT consent_id, last_used_at::timestamp FROM unnest(${consentIds}::text[], ${times}::text[])
          AS used (consent_id, last_used_at)
        ON CONFLICT (consent_id) DO UPDATE SET last_used_at = GREATEST(kept.last_used_at, excluded.last_used_at)`;
    } catch (error) {
      for (const [consentId, atMs] of batch) if (!this.pending.has(consentId)) this.pending.set(consentId, atMs);
      throw error;
    }
  }
}

/**
 * The consent under which this answer sent a customer's data; `undefined` for every other answer.
 * @param status 499 where the caller had gone
 */
export function usedConsent(request: FastifyRequest, status: number | undefined): string | undefined {
  // Account information and checks of funds alone have a grant.
  return status === 200 || status === 201 ? request.context.grant?.consentId : undefined;
}
