import { createHmac } from 'node:crypto';
import type { PrismaService } from '../persistence/prisma.service.js';

/** Failed attempts in a row, password and code taken together, before signing in is blocked for a while. */
export const attemptsInARow = 5;
export const blockedForMs = 15 * 60_000;
/** Attempts that nobody made for so long are forgotten. */
const forgottenAfterMs = 24 * 60 * 60_000;

/**
 * Counts the attempts to sign in, for all processes, by login name; a name that nobody has is counted like any other. An
 * attempt is counted **before** it is judged, in one statement, so that many at once get no more tries than one by one.
 */
export class SignInAttemptsStore {
  /** @param key so that the stored names cannot be guessed at by who reads the database. */
  constructor(
    private readonly prisma: PrismaService,
    private readonly key: Buffer,
  ) {}

  /** When signing in is possible again, where it is blocked. */
  async blockedUntil(loginName: string, now: Date): Promise<Date | undefined> {
    const row = await this.prisma.signInAttempts.findUnique({ where: { loginKey: this.keyOf(loginName) } });
    return row?.blockedUntil && row.blockedUntil > now ? row.blockedUntil : undefined;
  }

  /** Takes one attempt, as a failed one until {@link succeeded} is told. False: blocked, and nothing may be judged. */
  async take(loginName: string, now: Date): Promise<boolean> {
    const blockedUntil = new Date(now.getTime() + blockedForMs);
    // A block that is over begins the row anew.
    const taken = await this.prisma.$executeRaw`
      INSERT INTO sign_in_attempts AS kept (login_key, failures, blocked_until, updated_at)
      VALUES (${this.keyOf(loginName)}, 1, NULL, ${now})
      ON CONFLICT (login_key) DO UPDATE SET
        failures = CASE WHEN kept.blocked_until IS NULL THEN kept.failures + 1 ELSE 1 END,
        blocked_until = CASE WHEN kept.blocked_until IS NULL AND kept.failures + 1 >= ${attemptsInARow}::int
          THEN ${blockedUntil}::timestamp ELSE NULL END,
        updated_at = ${now}
      WHERE kept.blocked_until IS NULL OR kept.blocked_until <= ${now}`;
    return taken === 1;
  }

  async succeeded(loginName: string): Promise<void> {
    await this.prisma.signInAttempts.deleteMany({ where: { loginKey: this.keyOf(loginName) } });
  }

  /** The attempt could not be judged, for the bank was away: it does not count. */
  async untake(loginName: string): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE sign_in_attempts SET failures = GREATEST(failures - 1, 0), blocked_until = NULL
      WHERE login_key = ${this.keyOf(loginName)}`;
  }

  private keyOf(loginName: string): string {
    // As banks compare them: neither case nor spaces at the ends make another name.
    return createHmac('sha256', this.key).update(loginName.trim().toLowerCase()).digest('base64url');
  }
}

/** Removes at most `limit` rows that nobody needs any more; gives how many. */
export async function sweepSignInAttempts(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM sign_in_attempts WHERE login_key IN (
    SELECT login_key FROM sign_in_attempts WHERE updated_at < ${new Date(nowMs - forgottenAfterMs)} LIMIT ${limit})`;
}
