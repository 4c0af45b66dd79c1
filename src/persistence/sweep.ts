import type { PrismaService } from './prisma.service.js';

/** Removes at most `limit` rows that nobody needs any more; gives how many. */
export type Sweep = (prisma: PrismaService, nowMs: number, limit: number) => Promise<number>;

const limit = 1_000;

/**
 * Removes all of them, however many came since the last time, in statements so short that no other waits long for one.
 * @param goOn asked before each statement
 */
export async function sweepAll(
  sweep: Sweep,
  prisma: PrismaService,
  nowMs: number,
  goOn: () => boolean = () => true,
): Promise<void> {
  let removed = limit;
  while (removed === limit && goOn()) removed = await sweep(prisma, nowMs, limit);
}
