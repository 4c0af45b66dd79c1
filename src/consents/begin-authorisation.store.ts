import type { Prisma } from '../../prisma/client/client.js';
import type { PrismaService } from '../persistence/prisma.service.js';
import { columns, givesAccess } from './consent-conditions.store.js';
import { toConsent, type ConsentRow } from './consent-row.js';
import type { Consent } from './consent.js';

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
