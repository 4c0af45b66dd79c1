import { Injectable, Logger } from '@nestjs/common';
import { Prisma } from '../../prisma/client/client.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { sweepAll } from '../persistence/sweep.js';

/** How many acts may begin in a window of time, which ends now. */
export interface Limit {
  readonly most: number;
  /** At most a day: after it the counts are removed. */
  readonly windowMs: number;
  /** By the number of acts in the window: the delay of the next one after the last. Without an entry there is no delay. */
  readonly delaysMs?: readonly number[];
}

/** An act counts for a `part` of a `subject`. All parts of a subject are forgotten with it. */
export interface CountedAct {
  readonly subject: string;
  readonly part: string;
}

export interface LimitOutcome {
  /** False: the limit is reached, or the delay is not over. Then the act does not count. */
  readonly admitted: boolean;
  /** The times of the acts that count in the window, this one included, in milliseconds since 1970. */
  readonly atMs: readonly number[];
}

const dayMs = 24 * 60 * 60_000;
const sweepEveryMs = 60_000;

/**
 * The acts that count for limits over all processes: reads without the customer, and sign-ins. An act is counted **before**
 * it is carried out, in one statement, so that acts at once get no more than acts in turn.
 */
@Injectable()
export class LimitCounts {
  private readonly logger = new Logger(LimitCounts.name);
  private sweptAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly prisma: PrismaService) {}

  async take(
    { subject, part }: CountedAct,
    { most, windowMs, delaysMs = [] }: Limit,
    nowMs: number,
  ): Promise<LimitOutcome> {
    const now = BigInt(nowMs);
    const since = BigInt(nowMs - windowMs);
    // An act without a delay is not compared with the last one: another process's clock may be a little ahead.
    const permits = (atMs: Prisma.Sql) => Prisma.sql`(
      SELECT count(*) < ${most}::int
        AND COALESCE(max(t) + NULLIF((${delaysMs.map(String)}::text[]::bigint[])[count(*)::int + 1], 0) <= ${now}::bigint, true)
      FROM unnest(${atMs}) AS t WHERE t > ${since}::bigint)`;
    // An act that the rows of this moment do not permit locks and writes nothing; the others decide under the row's lock.
    const [row] = await this.prisma.$queryRaw<{ admitted: boolean; atMs: readonly bigint[] }[]>`
      WITH before AS (
        SELECT at_ms FROM limit_counts WHERE subject = ${subject} AND part = ${part}
      ), counted AS (
        INSERT INTO limit_counts AS present (subject, part, at_ms, newest_at)
        SELECT ${subject}, ${part}, ARRAY[${now}::bigint], ${new Date(nowMs)}::timestamp(3)
        WHERE NOT EXISTS (SELECT FROM before WHERE NOT ${permits(Prisma.sql`before.at_ms`)})
        ON CONFLICT (subject, part) DO UPDATE SET
          at_ms = ARRAY(SELECT t FROM unnest(present.at_ms) AS t WHERE t > ${since}::bigint) || ${now}::bigint,
          newest_at = excluded.newest_at
        WHERE ${permits(Prisma.sql`present.at_ms`)}
        RETURNING at_ms
      )
      SELECT true AS admitted, at_ms AS "atMs" FROM counted
      UNION ALL
      SELECT false, ARRAY(SELECT t FROM unnest(at_ms) AS t WHERE t > ${since}::bigint) FROM before
      WHERE NOT EXISTS (SELECT FROM counted)`;
    this.sweepWhenDue(nowMs);
    // No row: the acts that reached the limit began after this statement.
    return { admitted: row?.admitted ?? false, atMs: row?.atMs.map(Number) ?? [] };
  }

  /** Removes the act of that time, because it does not count after all. A row without acts is removed. */
  async giveBack({ subject, part }: CountedAct, atMs: number): Promise<void> {
    const at = BigInt(atMs);
    await this.prisma.$executeRaw`
      UPDATE limit_counts SET
        at_ms = at_ms[:array_position(at_ms, ${at}::bigint) - 1] || at_ms[array_position(at_ms, ${at}::bigint) + 1:]
      WHERE subject = ${subject} AND part = ${part} AND ${at}::bigint = ANY(at_ms)`;
    await this.prisma
      .$executeRaw`DELETE FROM limit_counts WHERE subject = ${subject} AND part = ${part} AND at_ms = '{}'`;
  }

  /** Forgets the acts of the subject, in all its parts. */
  async forget(subject: string): Promise<void> {
    await this.prisma.limitCount.deleteMany({ where: { subject } });
  }

  /** The act that triggers this neither waits for it nor fails with it. */
  private sweepWhenDue(nowMs: number): void {
    if (nowMs - this.sweptAtMs < sweepEveryMs) return;
    this.sweptAtMs = nowMs;
    sweepAll(sweepLimitCounts, this.prisma, nowMs).catch((error: unknown) =>
      this.logger.warn('counts of limits that are a day old could not be removed; the gateway tries again', error),
    );
  }
}

/** Removes at most `limit` rows whose newest act is more than a day old. @returns how many it removed */
export async function sweepLimitCounts(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  const before = new Date(nowMs - dayMs);
  // The first condition is checked again where another process counted an act meanwhile.
  return prisma.$executeRaw`DELETE FROM limit_counts WHERE newest_at < ${before} AND (subject, part) IN (
    SELECT subject, part FROM limit_counts WHERE newest_at < ${before} LIMIT ${limit})`;
}
