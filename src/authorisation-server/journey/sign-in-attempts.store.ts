import { createHmac } from 'node:crypto';
import type { PrismaService } from '../../persistence/prisma.service.js';
import type { Limit } from './sign-in-limit.policy.js';

/** A row without a new attempt for so long is deleted: no window is longer. */
const forgottenAfterMs = 24 * 60 * 60_000;
/** Stands in a subject before a part of it that is forgotten with it, as a browser is with the login name. */
export const within = '\0';

/**
 * Counts the sign-ins that were begun and have not succeeded, for all processes, by what they are limited by. One is taken
 * **before** it is judged, in one statement, so that many at once get no more than one by one.
 */
export class SignInAttemptsStore {
  /** @param key so that the stored names cannot be guessed at by who reads the database. */
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

  /** Takes back the attempt of that time: it succeeded, or could not be judged. A row without any is removed. */
  async giveBack(subject: string, at: Date): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE sign_in_attempts SET taken =
        taken[:array_position(taken, ${at}::timestamp(3)) - 1] || taken[array_position(taken, ${at}::timestamp(3)) + 1:]
      WHERE login_key = ${this.keyOf(subject)} AND ${at}::timestamp(3) = ANY(taken)`;
    await this.prisma
      .$executeRaw`DELETE FROM sign_in_attempts WHERE login_key = ${this.keyOf(subject)} AND taken = '{}'`;
  }

  /** Forgets what was taken for the subject, and for everything {@link within} it. */
  async forget(subject: string): Promise<void> {
    // Keys of subjects have one length: only those of its own parts begin with this one.
    await this.prisma.$executeRaw`DELETE FROM sign_in_attempts WHERE starts_with(login_key, ${this.keyOf(subject)})`;
  }

  private keyOf(subject: string): string {
    const keys = subject.split(within).map((part) => createHmac('sha256', this.key).update(part).digest('base64url'));
    return keys.join('.');
  }
}

/** Removes at most `limit` rows that nobody needs any more; gives how many. */
export async function sweepSignInAttempts(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM sign_in_attempts WHERE login_key IN (
    SELECT login_key FROM sign_in_attempts WHERE updated_at < ${new Date(nowMs - forgottenAfterMs)} LIMIT ${limit})`;
}
