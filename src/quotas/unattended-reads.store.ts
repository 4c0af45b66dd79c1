import type { PrismaService } from '../persistence/prisma.service.js';
import { periodMs } from './unattended-access.policy.js';

/** One read that a TPP made without the customer. Two reads of the same resource never have the same time. */
export interface UnattendedRead {
  readonly consentId: string;
  /** The account's public id and the endpoint. */
  readonly resource: string;
  readonly atMs: number;
}

/** The times of unattended reads, which all processes share. Every write carries many reads. */
export class UnattendedReadsStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The newest times of each resource of the consent, from all processes. */
  async of(consentId: string): Promise<Map<string, readonly number[]>> {
    const rows = await this.prisma.unattendedReads.findMany({ where: { consentId } });
    return new Map(rows.map(({ resource, atMs }) => [resource, atMs.map(Number)]));
  }

  /** Adds the reads to those of all processes. The newest `most` of each resource stay. A read counts once. */
  async add(reads: readonly UnattendedRead[], most: number): Promise<void> {
    const consentIds = reads.map(({ consentId }) => consentId);
    const resources = reads.map(({ resource }) => resource);
    const times = reads.map(({ atMs }) => String(atMs));
    // All processes write rows in the same order, so that two of them never wait for each other.
    await this.prisma.$executeRaw`
      INSERT INTO unattended_reads AS kept (consent_id, resource, at_ms, newest_at)
      SELECT consent_id, resource, (array_agg(at_ms ORDER BY at_ms DESC))[1:${most}::int],
        to_timestamp(max(at_ms) / 1000.0) AT TIME ZONE 'UTC'
      FROM unnest(${consentIds}::text[], ${resources}::text[], ${times}::text[]::bigint[]) AS added (consent_id, resource, at_ms)
      GROUP BY consent_id, resource
      ORDER BY consent_id, resource
      ON CONFLICT (consent_id, resource) DO UPDATE SET
        at_ms = (
          SELECT array_agg(at_ms ORDER BY at_ms DESC) FROM (
            SELECT DISTINCT at_ms FROM unnest(kept.at_ms || excluded.at_ms) AS both_of (at_ms) ORDER BY at_ms DESC LIMIT ${most}::int
          ) AS newest
        ),
        newest_at = GREATEST(kept.newest_at, excluded.newest_at)`;
  }
}

export async function sweepUnattendedReads(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return prisma.unattendedReads
    .deleteMany({ where: { newestAt: { lt: new Date(nowMs - periodMs) } }, limit })
    .then(({ count }) => count);
}
