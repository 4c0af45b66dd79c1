import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { sweepAll } from '../../persistence/sweep.js';
import { ProofStore } from './proof.store.js';

const sweepEveryMs = 60_000;

/** An insert that does nothing where a row of the same id exists: of two simultaneous uses, the database accepts one. */
@Injectable()
export class PrismaProofStore extends ProofStore {
  private readonly logger = new Logger(PrismaProofStore.name);
  private sweptAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async use(proofId: string, expiresAt: Date): Promise<boolean> {
    const { count } = await this.prisma.usedProof.createMany({ data: [{ proofId, expiresAt }], skipDuplicates: true });
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
