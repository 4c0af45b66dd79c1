import { Prisma } from '../../prisma/client/client.js';
import type { PrismaService } from '../persistence/prisma.service.js';
import { notExpired, notRevokedWithAll, ofTheSameTpp } from './prisma-consent.store.js';

/** The most consents that one statement reads or changes, so that no other statement waits long for it. */
const limit = 1_000;

export interface RetentionTerms {
  /** A consent that ended by this time loses its customer, accounts and names. */
  readonly eraseEndedBy: Date;
  /** A consent that ended by this time is removed. */
  readonly removeEndedBy: Date;
}

export interface Retained {
  readonly erased: number;
  readonly removed: number;
  /** The last consent that was looked at; absent when it was the last of all. */
  readonly last?: string;
}

/**
 * Erases and removes among the next consents in the order of their ids, so that a statement reads only these, however many
 * consents there are. Skips a consent that another statement is changing: the next run finds it.
 * @param after the last consent of the previous call; at first the empty text
 */
export async function retainNext(
  prisma: PrismaService,
  { eraseEndedBy, removeEndedBy }: RetentionTerms,
  after: string,
  now: Date,
): Promise<Retained> {
  const [page] = await prisma.$queryRaw<{ count: number; last: string | null }[]>`
    SELECT count(*)::int AS count, max(consent_id) AS last
    FROM (SELECT consent_id FROM consents WHERE consent_id > ${after} ORDER BY consent_id LIMIT ${limit}) AS page`;
  if (!page?.last) return { erased: 0, removed: 0 };
  const these = Prisma.sql`consent_id > ${after} AND consent_id <= ${page.last}`;
  return {
    erased: await erase(prisma, Prisma.sql`${these} AND ${endedBy(eraseEndedBy)}`, now),
    removed: await remove(prisma, Prisma.sql`${these} AND ${endedBy(removeEndedBy)}`),
    ...(page.count === limit && { last: page.last }),
  };
}

/** The consents by which the customer gives access now. */
export async function livingConsents(prisma: PrismaService, customerRef: string, now: Date): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT consent_id AS id FROM consents WHERE customer_ref = ${customerRef} AND ${givesAccess(now)} ORDER BY created_at`;
  return rows.map(({ id }) => id);
}

/** Erases the customer from each consent that gives no access. @returns how many consents it changed */
export async function eraseCustomer(prisma: PrismaService, customerRef: string, now: Date): Promise<number> {
  const ofCustomer = Prisma.sql`(customer_ref = ${customerRef} OR rejected_by = ${customerRef})`;
  let all = 0;
  for (let count = limit; count === limit; all += count)
    count = await erase(prisma, Prisma.sql`${ofCustomer} AND (${givesAccess(now)}) IS NOT TRUE`, now);
  return all;
}

/** How many consents name the customer. */
export async function countOfCustomer(prisma: PrismaService, customerRef: string): Promise<number> {
  return prisma.consent.count({ where: { OR: [{ customerRef }, { rejectedBy: customerRef }] } });
}

/** The rule of `givesAccess` in access.policy.ts, for rows. */
function givesAccess(now: Date): Prisma.Sql {
  return Prisma.sql`status = 'authorised' AND deleted_at IS NULL AND access_ended_at IS NULL AND ${notExpired(now)}
    AND ${notRevokedWithAll}`;
}

/** Whether `accessEnd` in access.policy.ts is not after that time, for rows. */
function endedBy(at: Date): Prisma.Sql {
  return Prisma.sql`(deleted_at <= ${at} OR access_ended_at <= ${at} OR expires_at_ms <= ${at.getTime()}
    OR (status = 'rejected' AND status_updated_at <= ${at})
    OR EXISTS (SELECT FROM tpp_standings, unnest(consents_revoked_at) AS revoked_at
      WHERE ${ofTheSameTpp} AND revoked_at >= consents.created_at AND revoked_at <= ${at}))`;
}

/**
 * With the ids of authorisations their grants and tokens go, and with the erasure the unattended reads: by the triggers
 * `consents_remove_ended_authorisations` and `consents_remove_reads_of_erased`.
 */
async function erase(prisma: PrismaService, which: Prisma.Sql, now: Date): Promise<number> {
  const [result] = await prisma.$queryRaw<{ count: number }[]>`
    WITH erased AS (
      UPDATE consents SET customer_ref = NULL, display_name = NULL, accounts = NULL, rejected_by = NULL,
        last_authenticated_at = NULL, authorisation_id = NULL, next_authorisation_id = NULL, erased_at = ${now}
      WHERE consent_id IN (SELECT consent_id FROM consents WHERE erased_at IS NULL AND status <> 'awaiting' AND ${which}
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING consent_id
    ),
    uses AS (DELETE FROM consent_uses WHERE consent_id IN (SELECT consent_id FROM erased)),
    states AS (DELETE FROM core_states WHERE consent_id IN (SELECT consent_id FROM erased)),
    words AS (UPDATE consent_withdrawals SET text = NULL WHERE consent_id IN (SELECT consent_id FROM erased))
    SELECT count(*)::int AS count FROM erased`;
  return result?.count ?? 0;
}

async function remove(prisma: PrismaService, which: Prisma.Sql): Promise<number> {
  const [result] = await prisma.$queryRaw<{ count: number }[]>`
    WITH removed AS (
      DELETE FROM consents WHERE consent_id IN (
        SELECT consent_id FROM consents WHERE erased_at IS NOT NULL AND ${which} FOR UPDATE SKIP LOCKED)
      RETURNING consent_id
    ),
    uses AS (DELETE FROM consent_uses WHERE consent_id IN (SELECT consent_id FROM removed)),
    withdrawals AS (DELETE FROM consent_withdrawals WHERE consent_id IN (SELECT consent_id FROM removed))
    SELECT count(*)::int AS count FROM removed`;
  return result?.count ?? 0;
}
