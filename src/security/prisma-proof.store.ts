import type { PrismaService } from '../persistence/prisma.service.js';
import { ProofStore } from './proof.store.js';

const sweepEveryMs = 60_000;

/** One insert that a row of the same id turns into nothing: the database decides which of two that race wins. */
export class PrismaProofStore extends ProofStore {
  private sweptAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly prisma: PrismaService) {
    super();
  }

  override async use(proofId: string, expiresAt: Date, now: Date): Promise<boolean> {
    const { count } = await this.prisma.usedProof.createMany({ data: [{ proofId, expiresAt }], skipDuplicates: true });
    if (now.getTime() - this.sweptAtMs >= sweepEveryMs) {
      this.sweptAtMs = now.getTime();
      await this.prisma.usedProof.deleteMany({ where: { expiresAt: { lt: now } } });
    }
    return count === 1;
  }
}
