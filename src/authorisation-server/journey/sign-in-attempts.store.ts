import { createHmac } from 'node:crypto';
import type { PrismaService } from '../../persistence/prisma.service.js';
import type { Limit } from './sign-in-limit.policy.js';

/** After this time without a new attempt a row is deleted: no window is longer. */
const forgottenAfterMs = 24 * 60 * 60_000;
/** Separates the parts of a subject. Forgetting a login name also forgets its browsers, which are parts of its subject. */
export const within = '\0';

/**
 * Counts the sign-ins that were begun and have not succeeded, for all processes, by login name, browser and address. A
 * sign-in is counted **before** the bank judges it, in one statement, so that requests at once get no more than in turn.
 */
export class SignInAttemptsStore {
  /** @param key of the stored names, so that a reader of the database cannot find them out by guessing */
  constructor(
    private readonly prisma: PrismaService,
    private readonly key: Buffer,
  ) {}

  /** False: the limit is reached, or the delay is not over. */
  async take(subject: string, { most, windowMs, delaysMs }: Limit, now: Date): Promise<boolean> {
    const since = new Date(now.getTime() - windowMs);
    const delays = delaysMs.map((delayMs) => delayMs / 1_000).join(',');
    const taken = await this.prisma.$executeRaw`
      INSERT INTO sign_in_attempts AS kept (login_key, taken, updated_at)
      VALUES (${this.keyOf(subject)}, ARRAY[${now}::timestamp(3)], ${now}::timestamp(3))
      ON CONFLICT (login_key) DO UPDATE SET
        taken = ARRAY(SELECT t FROM unnest(kept.taken) AS t WHERE t > ${since}::timestamp(3)) || ${now}::timestamp(3),
        updated_at = ${now}::timestamp(3)
      WHERE (
        -- Without a delay nothing is compared: another process's clock may be a little ahead.
        SELECT count(*) < ${most}::int AND (
          COALESCE((string_to_array(${delays}, ',')::float8[])[count(*)::int + 1], 0) = 0
          OR max(t) + make_interval(secs => (string_to_array(${delays}, ',')::float8[])[count(*)::int + 1])
            <= ${now}::timestamp(3))
        FROM unnest(kept.taken) AS t WHERE t > ${since}::timestamp(3))`;
    return taken === 1;
  }

  /** Removes the attempt of that time, because it succeeded or could not be judged. A row without attempts is removed. */
  async giveBack(subject: string, at: Date): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE sign_in_attempts SET taken =
        taken[:array_position(taken, ${at}::timestamp(3)) - 1] || taken[array_position(taken, ${at}::timestamp(3)) + 1:]
      WHERE login_key = ${this.keyOf(subject)} AND ${at}::timestamp(3) = ANY(taken)`;
    await this.prisma
      .$executeRaw`DELETE FROM sign_in_attempts WHERE login_key = ${this.keyOf(subject)} AND taken = '{}'`;
  }

  /** Forgets the attempts of the subject, and of everything {@link within} it. */
  async forget(subject: string): Promise<void> {
    // All keys have one length, so only the keys of the subject's parts begin with its key.
    await this.prisma.$executeRaw`DELETE FROM sign_in_attempts WHERE starts_with(login_key, ${this.keyOf(subject)})`;
  }

  private keyOf(subject: string): string {
    const keys = subject.split(within).map((part) => createHmac('sha256', this.key).update(part).digest('base64url'));
    return keys.join('.');
  }
}

/** Removes at most `limit` expired rows; gives their number. */
export async function sweepSignInAttempts(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM sign_in_attempts WHERE login_key IN (
    SELECT login_key FROM sign_in_attempts WHERE updated_at < ${new Date(nowMs - forgottenAfterMs)} LIMIT ${limit})`;
}
