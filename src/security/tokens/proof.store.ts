import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { sweepAll } from '../../persistence/sweep.js';

const sweepEveryMs = 60_000;

/** Remembers the used proofs (RFC 9449) of all processes, so that no proof is used twice. */
@Injectable()
export class ProofStore {
  private readonly logger = new Logger(ProofStore.name);
  private sweptAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  /**
   * False when the proof was used before. When two requests use one proof at once, one of them gets true. No proof is
   * forgotten before its `expiresAt`, a time of the gateway’s clock.
   */
  async use(proofId: string, expiresAt: Date): Promise<boolean> {
    const count = await this.prisma.$executeRaw`
      INSERT INTO used_proofs (proof_id, expires_at) VALUES (${proofId}, ${expiresAt}::timestamp(3)) ON CONFLICT DO NOTHING`;
    this.sweepWhenDue(this.clock.nowMs());
    return count === 1;
  }

  /** The request that triggers this neither waits for it nor fails with it: its proof is stored by then. */
  private sweepWhenDue(nowMs: number): void {
    if (nowMs - this.sweptAtMs < sweepEveryMs) return;
    this.sweptAtMs = nowMs;
    sweepAll(sweepProofs, this.prisma, nowMs).catch((error: unknown) =>
      this.logger.warn('proofs that have expired could not be removed; the gateway tries again', error),
    );
  }
}

/** Removes at most `limit` proofs that have expired. @returns how many it removed */
export async function sweepProofs(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM used_proofs WHERE proof_id IN (
    SELECT proof_id FROM used_proofs WHERE expires_at < ${new Date(nowMs)} LIMIT ${limit})`;
}
