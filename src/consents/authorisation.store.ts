import { tppId, embeddedIssuer } from '../open-banking/tpp-id.js';
import type { PrismaService } from '../persistence/prisma.service.js';
import type { Consent } from './consent.js';
import { Prisma } from '../../prisma/client/client.js';
import { columns, givesAccess } from './consent-conditions.store.js';
import { toConsent, type ConsentRow } from './consent-row.js';

const select = { consentId: true, issuer: true, clientId: true } as const;

/** See `ConsentStore.endAuthorisation`. */
export async function endAuthorisation(
  prisma: PrismaService,
  authorisationId: string,
): Promise<Pick<Consent, 'consentId' | 'tpp'> | undefined> {
  // The next authorisation first: if it becomes current between the two statements, the second one ends it.
  const [next] = await prisma.consent.updateManyAndReturn({
    where: { nextAuthorisationId: authorisationId },
    data: { nextAuthorisationId: null },
    select,
  });
  const [current] = await prisma.consent.updateManyAndReturn({
    where: { authorisationId },
    data: { authorisationId: null },
    select,
  });
  const ended = current ?? next;
  return ended && { consentId: ended.consentId, tpp: tppId(ended.issuer, ended.clientId) };
}

/** Writes what must be written with the beginning of an authorisation, or not at all. */
export type SameTransactionWrite = (transaction: Prisma.TransactionClient) => Promise<void>;

/** Milliseconds: many exchanges at once wait for each other at a small pool. */
const patience = { maxWait: 10_000 } as const;

/** See `ConsentStore.beginAuthorisation`. */
export function beginAuthorisation(
  prisma: PrismaService,
  consentId: string,
  authorisationId: string,
  now: Date,
  along: SameTransactionWrite,
): Promise<Consent | undefined> {
  return prisma.$transaction(async (transaction) => {
    const [row] = await transaction.$queryRaw<ConsentRow[]>`
      UPDATE consents SET authorisation_id = ${authorisationId},
        next_authorisation_id = NULLIF(next_authorisation_id, ${authorisationId})
      WHERE consent_id = ${consentId} AND ${givesAccess(now)}
        AND ${authorisationId} IN (authorisation_id, next_authorisation_id) RETURNING ${columns}`;
    if (row === undefined) return undefined;
    await along(transaction);
    return toConsent(row);
  }, patience);
}

/**
 * Ends the authorisations of consents of deleted TPPs, and with them their codes and refresh tokens (the trigger
 * `consents_remove_ended_authorisations`).
 * @param limit the most consents that one call changes
 * @returns how many consents it changed; fewer than `limit` when none is left
 */
export function endAuthorisationsOfDeletedTpps(prisma: PrismaService, limit: number): PromiseLike<number> {
  return prisma.$executeRaw`UPDATE consents SET authorisation_id = NULL, next_authorisation_id = NULL
    WHERE consent_id IN (
      SELECT consent_id FROM consents JOIN tpps ON tpps.client_id = consents.client_id AND issuer = ${embeddedIssuer}
      WHERE tpps.status = 'deleted' AND metadata <> '{}'
        AND (authorisation_id IS NOT NULL OR next_authorisation_id IS NOT NULL)
      LIMIT ${limit} FOR UPDATE OF consents SKIP LOCKED)`;
}

/**
 * The rules of `GoodStanding` for a statement that gives access: the process may have checked the TPP by older rows, or
 * before the TPP was suspended. The expiry of a software statement is not part of it: the process checks that before.
 */
const ofActingTpp = Prisma.sql`NOT EXISTS (SELECT FROM tpp_standings
  WHERE tpp_standings.client_id = consents.client_id AND tpp_standings.issuer = consents.issuer
    AND suspended_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM tpps
  WHERE tpps.client_id = consents.client_id AND consents.issuer = ${embeddedIssuer} AND (tpps.status = 'deleted' OR withdrawn_at IS NOT NULL))`;

/**
 * The guard of a statement that gives access. Only the embedded authorization server has ids of authorisations and a
 * register of TPPs.
 */
export function guardOfTpp(authorisationId: string | null | undefined): Prisma.Sql {
  return authorisationId ? ofActingTpp : Prisma.sql`TRUE`;
}

export async function isOfActingTpp(prisma: PrismaService, consentId: string): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>`
    SELECT 1 FROM consents WHERE consent_id = ${consentId} AND ${ofActingTpp}`;
  return rows.length === 1;
}
