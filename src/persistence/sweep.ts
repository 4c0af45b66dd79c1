import type { PrismaService } from './prisma.service.js';

/** Removes at most `limit` obsolete rows. @returns how many */
export type Sweep = (prisma: PrismaService, nowMs: number, limit: number) => Promise<number>;

const limit = 1_000;

/**
 * Removes all obsolete rows, in statements so short that no other statement waits long for one.
 * @param goOn asked before each statement
 * @returns how many it removed
 */
export async function sweepAll(
  sweep: Sweep,
  prisma: PrismaService,
  nowMs: number,
  goOn: () => boolean = () => true,
): Promise<number> {
  let all = 0;
  for (let removed = limit; removed === limit && goOn(); all += removed) removed = await sweep(prisma, nowMs, limit);
  return all;
}
