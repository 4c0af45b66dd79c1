import { Injectable } from '@nestjs/common';
import { ChangeFeed } from '../persistence/change-feed.js';
import { CachedRows } from '../persistence/cached-rows.js';
import { PrismaService } from '../persistence/prisma.service.js';

/** The bank's decision about a TPP of any issuer. */
export interface TppStanding {
  readonly suspendedAt?: Date;
  /** Each consent of the TPP that was created up to then counts as revoked at that time. */
  readonly consentsRevokedAt?: Date;
}

/** The kind under which the feed tells of a changed standing, by the id of the TPP. */
export const tppStandingRows = 'tpp-standing';

/** The standings, kept in memory while the feed of changes is trusted, as consents are. */
@Injectable()
export class TppStandingStore {
  private readonly kept: CachedRows<TppStanding>;

  constructor(
    private readonly prisma: PrismaService,
    feed: ChangeFeed,
  ) {
    this.kept = new CachedRows(feed, (tppId) => this.read(tppId), 10_000);
    feed.subscribe(tppStandingRows, (tppId) => this.kept.forget(tppId));
  }

  find(tppId: string): Promise<TppStanding | undefined> {
    return this.kept.find(tppId);
  }

  /** All TPPs of which the bank decided something. */
  async list(): Promise<ReadonlyMap<string, TppStanding>> {
    const rows = await this.prisma.tppStanding.findMany({ orderBy: { tppId: 'asc' } });
    return new Map(rows.map((row) => [row.tppId, toStanding(row)]));
  }

  /** Whether the bank decided something of it, or a consent is of it. */
  async isKnown(tppId: string): Promise<boolean> {
    if (tppId.includes('\0')) return false;
    const where = { where: { tppId } };
    const found = await Promise.all([this.prisma.tppStanding.findFirst(where), this.prisma.consent.findFirst(where)]);
    return found.some((row) => row !== null);
  }

  /** One that is suspended already stays so since then. */
  suspend(tppId: string, at: Date): Promise<void> {
    return this.changed(
      tppId,
      this.prisma.$executeRaw`
        INSERT INTO tpp_standings AS known (tpp_id, suspended_at) VALUES (${tppId}, ${at})
        ON CONFLICT (tpp_id) DO UPDATE SET suspended_at = COALESCE(known.suspended_at, excluded.suspended_at)`,
    );
  }

  reinstate(tppId: string): Promise<void> {
    return this.changed(tppId, this.prisma.tppStanding.updateMany({ where: { tppId }, data: { suspendedAt: null } }));
  }

  /** One row, however many consents there are; the rows of these are rewritten by {@link rewriteSome}. */
  revokeConsents(tppId: string, at: Date): Promise<void> {
    return this.changed(
      tppId,
      this.prisma.$executeRaw`
        INSERT INTO tpp_standings AS known (tpp_id, consents_revoked_at, rewriting) VALUES (${tppId}, ${at}, TRUE)
        ON CONFLICT (tpp_id) DO UPDATE SET
          consents_revoked_at = GREATEST(known.consents_revoked_at, excluded.consents_revoked_at),
          rewriting = TRUE, rewritten_to_at = NULL, rewritten_to_id = NULL`,
    );
  }

  /**
   * Makes the next rows say what their TPP's standing says already. Of several processes one does; a batch is made whole or
   * not at all, and the next one begins where the last one ended, whoever makes it.
   * @returns how many consents were looked at; `undefined` where nothing is to be done, or another process does it
   */
  async rewriteSome(limit: number): Promise<number | undefined> {
    const [, rows] = await this.prisma.$transaction([
      // Read by the trigger that tells of changes: these tell nothing new.
      this.prisma.$queryRaw`SELECT set_config('gateway.rewriting', 'on', TRUE)`,
      this.prisma.$queryRaw<{ count: number }[]>`
        WITH job AS (
          SELECT tpp_id, consents_revoked_at AS at, rewritten_to_at, rewritten_to_id FROM tpp_standings
          WHERE rewriting ORDER BY consents_revoked_at LIMIT 1 FOR UPDATE SKIP LOCKED
        ), batch AS (
          SELECT next.*, job.at FROM job, LATERAL (
            SELECT consent_id, created_at FROM consents
            -- One comparison of both, which the index answers. With an OR it would be read from its beginning each time.
            WHERE tpp_id = job.tpp_id AND created_at <= job.at AND (created_at, consent_id)
              > (COALESCE(job.rewritten_to_at, '-infinity'), COALESCE(job.rewritten_to_id, ''))
            ORDER BY created_at, consent_id LIMIT ${limit}::int
          ) next
        ), rewritten AS (
          UPDATE consents SET status_updated_at = batch.at,
            status = CASE status WHEN 'Authorised' THEN 'Revoked' ELSE 'Rejected' END,
            access_ended_at = CASE status WHEN 'Authorised' THEN COALESCE(access_ended_at, batch.at) END,
            access_ended_by = CASE status WHEN 'Authorised' THEN COALESCE(access_ended_by, 'bank') END
          FROM batch WHERE consents.consent_id = batch.consent_id AND status IN ('Authorised', 'AwaitingAuthorisation')
        ), reached AS (
          SELECT count(*)::int AS count, (array_agg(created_at ORDER BY created_at DESC, consent_id DESC))[1] AS to_at,
            (array_agg(consent_id ORDER BY created_at DESC, consent_id DESC))[1] AS to_id FROM batch
        )
        UPDATE tpp_standings SET rewriting = reached.count = ${limit}::int,
          rewritten_to_at = COALESCE(to_at, tpp_standings.rewritten_to_at),
          rewritten_to_id = COALESCE(to_id, tpp_standings.rewritten_to_id)
        FROM job, reached WHERE tpp_standings.tpp_id = job.tpp_id RETURNING reached.count`,
    ]);
    return rows[0]?.count;
  }

  private async read(tppId: string): Promise<TppStanding | undefined> {
    if (tppId.includes('\0')) return {};
    const row = await this.prisma.tppStanding.findUnique({ where: { tppId } });
    // Kept as well: hardly any TPP has one.
    return row === null ? {} : toStanding(row);
  }

  private async changed(tppId: string, change: PromiseLike<unknown>): Promise<void> {
    try {
      await change;
    } finally {
      // Also after a failure.
      this.kept.forget(tppId);
    }
  }
}

function toStanding(row: { suspendedAt: Date | null; consentsRevokedAt: Date | null }): TppStanding {
  const { suspendedAt, consentsRevokedAt } = row;
  return { ...(suspendedAt && { suspendedAt }), ...(consentsRevokedAt && { consentsRevokedAt }) };
}
