import { Injectable } from '@nestjs/common';
import { tppId, tppOfKey, type TppId } from '../open-banking/tpp-id.js';
import { CachedRows } from '../persistence/cached-rows.js';
import type { Prisma } from '../../prisma/client/client.js';
import { PrismaService } from '../persistence/prisma.service.js';

export interface TppStanding {
  readonly suspendedAt?: Date;
  /** Each consent of the TPP that was created up to this time is revoked. */
  readonly consentsRevokedAt?: Date;
}

/** Runs first in the transaction of a change: where it fails, nothing changes. */
export type Before = (transaction: Prisma.TransactionClient) => Promise<void>;

@Injectable()
export class TppStandingStore {
  private readonly cache = new CachedRows((key) => this.find(tppOfKey(key)));

  constructor(private readonly prisma: PrismaService) {}

  /** Empty until the bank decides. */
  async find({ issuer, clientId }: TppId): Promise<TppStanding> {
    if (clientId.includes('\0')) return {};
    const row = await this.prisma.tppStanding.findUnique({ where: { clientId_issuer: { clientId, issuer } } });
    return row === null ? {} : toStanding(row);
  }

  /** Whether the bank has suspended the TPP, for the check of each request. */
  async isSuspended(tpp: TppId): Promise<boolean> {
    const standing = await this.cache.find(tpp.key, isGood);
    return standing?.suspendedAt !== undefined;
  }

  /** Whether the row of the last second is good. False also without such a row, which {@link isSuspended} reads. */
  isKnownGood(tpp: TppId): boolean {
    return this.cache.cached(tpp.key, isGood) !== undefined;
  }

  /** All TPPs about which the bank has decided, in the order of their client ids. */
  async list(): Promise<readonly { readonly tpp: TppId; readonly standing: TppStanding }[]> {
    const rows = await this.prisma.tppStanding.findMany({ orderBy: [{ clientId: 'asc' }, { issuer: 'asc' }] });
    return rows.map((row) => ({ tpp: tppId(row.issuer, row.clientId), standing: toStanding(row) }));
  }

  suspend(tpp: TppId, at: Date, before?: Before): Promise<void> {
    return this.change(tpp, before, (transaction) => suspendTpp(transaction, tpp, at));
  }

  reinstate(tpp: TppId, before?: Before): Promise<void> {
    const { issuer, clientId } = tpp;
    const where = { issuer, clientId, suspendedAt: { not: null } };
    return this.change(tpp, before, ({ tppStanding }) =>
      tppStanding.updateMany({ where, data: { suspendedAt: null } }),
    );
  }

  revokeConsents(tpp: TppId, at: Date, before?: Before): Promise<void> {
    return this.change(tpp, before, (transaction) => revokeConsentsOfTpp(transaction, tpp, at));
  }

  private async change(
    tpp: TppId,
    before: Before | undefined,
    change: (transaction: Prisma.TransactionClient) => PromiseLike<unknown>,
  ): Promise<void> {
    try {
      await this.prisma.$transaction(async (transaction) => {
        await before?.(transaction);
        await change(transaction);
      });
    } finally {
      // The next reader may start also after a failure.
      this.cache.forget(tpp.key);
    }
  }
}

function isGood({ suspendedAt }: TppStanding): boolean {
  return suspendedAt === undefined;
}

/** A TPP that is already suspended keeps the time of its suspension. @returns how many TPPs it suspended */
export function suspendTpp(
  prisma: Pick<PrismaService, '$executeRaw'>,
  { issuer, clientId }: TppId,
  at: Date,
): PromiseLike<number> {
  return prisma.$executeRaw`
    INSERT INTO tpp_standings AS known (issuer, client_id, suspended_at) VALUES (${issuer}, ${clientId}, ${at})
    ON CONFLICT (client_id, issuer) DO UPDATE SET suspended_at = excluded.suspended_at WHERE known.suspended_at IS NULL`;
}

/**
 * One row, for any number of consents: each read of a consent takes it into account. A revocation that is not later than
 * the last one would revoke no further consent, and changes nothing.
 * @returns how many rows changed
 */
export function revokeConsentsOfTpp(
  prisma: Pick<PrismaService, '$executeRaw'>,
  { issuer, clientId }: TppId,
  at: Date,
): PromiseLike<number> {
  return prisma.$executeRaw`
    INSERT INTO tpp_standings AS known (issuer, client_id, consents_revoked_at)
    VALUES (${issuer}, ${clientId}, ARRAY[${at}::timestamp(3)])
    ON CONFLICT (client_id, issuer) DO UPDATE SET consents_revoked_at = known.consents_revoked_at || excluded.consents_revoked_at
    WHERE ${at}::timestamp(3) > ALL (known.consents_revoked_at)`;
}

function toStanding(row: { suspendedAt: Date | null; consentsRevokedAt: readonly Date[] }): TppStanding {
  const { suspendedAt } = row;
  const consentsRevokedAt = row.consentsRevokedAt.at(-1);
  return { ...(suspendedAt && { suspendedAt }), ...(consentsRevokedAt && { consentsRevokedAt }) };
}
