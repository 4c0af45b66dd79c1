import { Prisma } from '../../prisma/client/client.js';
import type { PrismaService } from '../persistence/prisma.service.js';
import { givesAccess, ofTheSameTpp } from './consent-conditions.store.js';

/** The most consents that one statement reads or changes, so that no other statement waits long for it. */
const limit = 1_000;

interface RetentionTerms {
  /** A consent that ended by this time loses its customer, accounts and names. */
  readonly eraseEndedBy: Date;
  /** A consent that ended by this time is removed. */
  readonly removeEndedBy: Date;
}

interface RetentionCounts {
  readonly erased: number;
  readonly removed: number;
  /** The block from which to go on; absent when the search has reached the end. */
  readonly next?: number;
}

/** They hold about a thousand consents, at PostgreSQL's default of 8 kB each. */
const blocks = 64;

/**
 * Erases and removes among the consents in the next blocks of the table, so that a statement reads only these, however many
 * consents there are: in the order of their random ids, each would be in another block. Skips a consent that another
 * statement is changing, and misses one that it moves to an earlier block: the next run finds both.
 * @param fromBlock the `next` of the previous call; at first 0
 */
export async function retainNext(
  prisma: PrismaService,
  { eraseEndedBy, removeEndedBy }: RetentionTerms,
  fromBlock: number,
  now: Date,
): Promise<RetentionCounts> {
  const next = fromBlock + blocks;
  const these = Prisma.sql`ctid >= ${`(${fromBlock},0)`}::tid AND ctid < ${`(${next},0)`}::tid`;
  const erased = await erase(prisma, Prisma.sql`${these} AND ${endedBy(eraseEndedBy)}`, now);
  const removed = await remove(prisma, Prisma.sql`${these} AND ${endedBy(removeEndedBy)}`);
  const [table] = await prisma.$queryRaw<{ blocks: number }[]>`
    SELECT (pg_relation_size('consents') / current_setting('block_size')::int)::int AS blocks`;
  // A full statement has left some.
  if (erased === limit) return { erased, removed, next: fromBlock };
  return { erased, removed, ...(next < (table?.blocks ?? 0) && { next }) };
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

/** Whether `accessEnd` in access.policy.ts is not after that time, for rows. */
function endedBy(at: Date): Prisma.Sql {
  return Prisma.sql`(deleted_at <= ${at} OR expires_at_ms <= ${at.getTime()}
    OR (status IN ('rejected', 'cancelled') AND status_updated_at <= ${at})
    OR EXISTS (SELECT FROM tpp_standings, unnest(consents_revoked_at) AS revoked_at
      WHERE ${ofTheSameTpp} AND revoked_at >= consents.created_at AND revoked_at <= ${at}))`;
}

/**
 * Changes the rows in the places at which it has locked them: by their ids it would find each a second time, through an index
 * or, among few consents, by a read of the whole table. Misses a consent that another statement has changed since this one
 * began, as it skips one that is being changed.
 *
 * With the ids of authorisations their codes and refresh tokens go, and with the erasure the unattended reads: by the triggers
 * `consents_remove_ended_authorisations` and `consents_remove_reads_of_erased`.
 */
async function erase(prisma: PrismaService, which: Prisma.Sql, now: Date): Promise<number> {
  const [result] = await prisma.$queryRaw<{ count: number }[]>`
    WITH erased AS (
      UPDATE consents SET customer_ref = NULL, display_name = NULL, accounts = NULL, rejected_by = NULL,
        debtor = NULL, debtor_account = NULL,
        last_authenticated_at = NULL, authorisation_id = NULL, next_authorisation_id = NULL, erased_at = ${now}
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM consents WHERE erased_at IS NULL AND status <> 'awaiting' AND ${which}
        LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING consent_id
    ),
    uses AS (DELETE FROM consent_uses WHERE consent_id IN (SELECT consent_id FROM erased)),
    words AS (UPDATE consent_withdrawals SET text = NULL WHERE consent_id IN (SELECT consent_id FROM erased))
    SELECT count(*)::int AS count FROM erased`;
  return result?.count ?? 0;
}

async function remove(prisma: PrismaService, which: Prisma.Sql): Promise<number> {
  const [result] = await prisma.$queryRaw<{ count: number }[]>`
    WITH removed AS (
      DELETE FROM consents WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM consents WHERE erased_at IS NOT NULL AND ${which} FOR UPDATE SKIP LOCKED))
      RETURNING consent_id
    ),
    uses AS (DELETE FROM consent_uses WHERE consent_id IN (SELECT consent_id FROM removed)),
    withdrawals AS (DELETE FROM consent_withdrawals WHERE consent_id IN (SELECT consent_id FROM removed))
    SELECT count(*)::int AS count FROM removed`;
  return result?.count ?? 0;
}
