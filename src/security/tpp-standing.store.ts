import { Injectable } from '@nestjs/common';
import { ChangeFeed } from '../persistence/change-feed.js';
import { CachedRows } from '../persistence/cached-rows.js';
import { PrismaService } from '../persistence/prisma.service.js';

/** The bank's decision about a TPP of any issuer. */
export interface TppStanding {
  readonly suspendedAt?: Date;
  /** Each consent of the TPP that was created up to then is revoked. */
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

  suspend(tppId: string, at: Date): Promise<void> {
    return this.changed(tppId, suspendTpp(this.prisma, tppId, at));
  }

  reinstate(tppId: string): Promise<void> {
    return this.changed(tppId, this.prisma.tppStanding.updateMany({ where: { tppId }, data: { suspendedAt: null } }));
  }

  revokeConsents(tppId: string, at: Date): Promise<void> {
    return this.changed(tppId, revokeConsentsOfTpp(this.prisma, tppId, at));
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

/** A TPP that is suspended already stays so since then. @returns how many TPPs it suspended */
export function suspendTpp(prisma: PrismaService, tppId: string, at: Date): PromiseLike<number> {
  return prisma.$executeRaw`
    INSERT INTO tpp_standings AS known (tpp_id, suspended_at) VALUES (${tppId}, ${at})
    ON CONFLICT (tpp_id) DO UPDATE SET suspended_at = excluded.suspended_at WHERE known.suspended_at IS NULL`;
}

/**
 * One row, however many consents there are: each read of a consent takes it into account. A revocation that is not later
 * than the last one finds no consent that the last one did not, and changes nothing.
 * @returns how many rows changed
 */
export function revokeConsentsOfTpp(prisma: PrismaService, tppId: string, at: Date): PromiseLike<number> {
  return prisma.$executeRaw`
    INSERT INTO tpp_standings AS known (tpp_id, consents_revoked_at) VALUES (${tppId}, ARRAY[${at}::timestamp(3)])
    ON CONFLICT (tpp_id) DO UPDATE SET consents_revoked_at = known.consents_revoked_at || excluded.consents_revoked_at
    WHERE ${at}::timestamp(3) > ALL (known.consents_revoked_at)`;
}

function toStanding(row: { suspendedAt: Date | null; consentsRevokedAt: readonly Date[] }): TppStanding {
  const { suspendedAt } = row;
  const consentsRevokedAt = row.consentsRevokedAt.at(-1);
  return { ...(suspendedAt && { suspendedAt }), ...(consentsRevokedAt && { consentsRevokedAt }) };
}
