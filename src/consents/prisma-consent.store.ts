import { Injectable } from '@nestjs/common';
import type { CoreProduct } from '../core-banking/core.records.js';
import { coreProducts } from '../core-banking/core.records.js';
import type { Permission } from '../open-banking/permissions.js';
import { isPermission } from '../open-banking/permissions.js';
import type { Prisma, Consent as ConsentRow } from '../persistence/generated/client.js';
import { PrismaService } from '../persistence/prisma.service.js';
import type { Sweep } from '../persistence/sweep.js';
import type {
  AccessEnder,
  Authorisation,
  Consent,
  ConsentStatus,
  CustomerConsent,
  SelectedAccount,
  StatedDateTime,
} from './consent.js';
import { accessEnders, consentStatuses } from './consent.js';
import { ConsentStore } from './consent.store.js';

/** Each transition is one `UPDATE ... WHERE <guard> RETURNING`: the database decides which of two that race wins. */
@Injectable()
export class PrismaConsentStore extends ConsentStore {
  constructor(private readonly prisma: PrismaService) {
    super();
  }

  override async create(consent: Consent): Promise<void> {
    await this.prisma.consent.create({
      data: {
        consentId: consent.consentId,
        tppId: consent.tppId,
        permissions: [...consent.permissions],
        status: consent.status,
        createdAt: consent.createdAt,
        statusUpdatedAt: consent.statusUpdatedAt,
        expiresText: consent.expires?.text,
        expiresAtMs: consent.expires?.atMs,
        transactionsFromText: consent.transactionsFrom?.text,
        transactionsFromAtMs: consent.transactionsFrom?.atMs,
        transactionsToText: consent.transactionsTo?.text,
        transactionsToAtMs: consent.transactionsTo?.atMs,
      },
    });
  }

  override async find(consentId: string): Promise<Consent | undefined> {
    if (!storable(consentId)) return undefined;
    const row = await this.prisma.consent.findFirst({ where: { consentId, deletedAt: null } });
    return row === null ? undefined : toConsent(row);
  }

  override async authorise(consentId: string, authorisation: Authorisation, now: Date): Promise<Consent | undefined> {
    return this.transition(
      consentId,
      { status: 'AwaitingAuthorisation', ...notExpired(now) },
      {
        status: 'Authorised',
        statusUpdatedAt: now,
        authorisedAt: now,
        customerRef: authorisation.customerRef,
        displayName: authorisation.displayName,
        accounts: authorisation.accounts.map(({ ref, product }) => ({ ref, product })),
        lastAuthenticatedAt: authorisation.lastAuthenticatedAt,
        authorisationId: authorisation.authorisationId,
      },
    );
  }

  override async reject(consentId: string, now: Date, customerRef?: string): Promise<Consent | undefined> {
    return this.transition(
      consentId,
      { status: 'AwaitingAuthorisation' },
      { status: 'Rejected', statusUpdatedAt: now, rejectedBy: customerRef },
    );
  }

  override async revoke(consentId: string, now: Date, by: AccessEnder): Promise<Consent | undefined> {
    return this.transition(
      consentId,
      { status: 'Authorised' },
      { status: 'Revoked', statusUpdatedAt: now, accessEndedAt: now, accessEndedBy: by },
    );
  }

  override async endAccess(consentId: string, now: Date, by: AccessEnder): Promise<Consent | undefined> {
    return this.transition(
      consentId,
      { status: 'Authorised', accessEndedAt: null },
      { accessEndedAt: now, accessEndedBy: by, authorisationId: null, nextAuthorisationId: null },
    );
  }

  override async reauthenticate(
    consentId: string,
    customerRef: string,
    authenticatedAt: Date,
    now: Date,
    nextAuthorisationId?: string,
  ): Promise<Consent | undefined> {
    if (!storable(consentId) || !storable(customerRef)) return undefined;
    // Prisma's own updates cannot say GREATEST; reading first would let two authentications overtake each other.
    const rows = await this.prisma.$queryRaw<ConsentRow[]>`
      UPDATE consents SET last_authenticated_at = GREATEST(last_authenticated_at, ${authenticatedAt}),
        next_authorisation_id = COALESCE(${nextAuthorisationId ?? null}::text, next_authorisation_id),
        access_ended_at = NULL, access_ended_by = NULL
      WHERE consent_id = ${consentId} AND deleted_at IS NULL AND status = 'Authorised'
        AND customer_ref = ${customerRef} AND (expires_at_ms IS NULL OR expires_at_ms > ${now.getTime()})
        AND (access_ended_at IS NULL OR access_ended_at < ${authenticatedAt})
      RETURNING consent_id AS "consentId", tpp_id AS "tppId", permissions, status, created_at AS "createdAt",
        status_updated_at AS "statusUpdatedAt", expires_text AS "expiresText", expires_at_ms AS "expiresAtMs",
        transactions_from_text AS "transactionsFromText", transactions_from_at_ms AS "transactionsFromAtMs",
        transactions_to_text AS "transactionsToText", transactions_to_at_ms AS "transactionsToAtMs",
        customer_ref AS "customerRef", display_name AS "displayName", accounts,
        last_authenticated_at AS "lastAuthenticatedAt", authorisation_id AS "authorisationId",
        next_authorisation_id AS "nextAuthorisationId", authorised_at AS "authorisedAt",
        access_ended_at AS "accessEndedAt", access_ended_by AS "accessEndedBy", rejected_by AS "rejectedBy",
        deleted_at AS "deletedAt"`;
    return rows[0] && toConsent(rows[0]);
  }

  override async beginAuthorisation(
    consentId: string,
    authorisationId: string,
    now: Date,
  ): Promise<Consent | undefined> {
    const live = { status: 'Authorised', accessEndedAt: null, ...notExpired(now) };
    const begun = await this.transition(
      consentId,
      { ...live, nextAuthorisationId: authorisationId },
      { authorisationId, nextAuthorisationId: null },
    );
    // Nothing to change where it is current already, and nobody to be told.
    if (begun !== undefined || !storable(consentId)) return begun;
    const row = await this.prisma.consent.findFirst({
      where: { consentId, deletedAt: null, ...live, authorisationId },
    });
    return row === null ? undefined : toConsent(row);
  }

  override async endAuthorisation(authorisationId: string): Promise<void> {
    if (!storable(authorisationId)) return;
    // The next first: one that begins between the two statements is then met by the second.
    await this.prisma.consent.updateMany({
      where: { nextAuthorisationId: authorisationId },
      data: { nextAuthorisationId: null },
    });
    await this.prisma.consent.updateMany({ where: { authorisationId }, data: { authorisationId: null } });
  }

  override async delete(consentId: string, tppId: string, now: Date): Promise<boolean> {
    if (!storable(consentId) || !storable(tppId)) return false;
    const { count } = await this.prisma.consent.updateMany({
      where: { consentId, tppId, deletedAt: null },
      data: { deletedAt: now },
    });
    return count === 1;
  }

  override async listForCustomer(customerRef: string): Promise<readonly Consent[]> {
    if (!storable(customerRef)) return [];
    const rows = await this.prisma.consent.findMany({
      where: { customerRef, deletedAt: null },
      orderBy: [{ createdAt: 'desc' }, { consentId: 'desc' }],
    });
    return rows.map(toConsent);
  }

  override async historyOfCustomer(customerRef: string): Promise<readonly CustomerConsent[]> {
    if (!storable(customerRef)) return [];
    const rows = await this.prisma.consent.findMany({
      where: { OR: [{ customerRef }, { rejectedBy: customerRef }] },
      orderBy: [{ createdAt: 'desc' }, { consentId: 'desc' }],
    });
    return rows.map((row) => ({
      consent: toConsent(row),
      // A gateway of an earlier version, still running beside this one, does not write down when.
      ...(row.customerRef !== null && { givenAt: row.authorisedAt ?? row.createdAt }),
      ...(row.deletedAt !== null && { deletedAt: row.deletedAt }),
    }));
  }

  private async transition(
    consentId: string,
    guard: Prisma.ConsentWhereInput,
    data: Prisma.ConsentUpdateManyMutationInput,
  ): Promise<Consent | undefined> {
    if (!storable(consentId)) return undefined;
    const rows = await this.prisma.consent.updateManyAndReturn({
      where: { consentId, deletedAt: null, ...guard },
      data,
    });
    return rows[0] && toConsent(rows[0]);
  }
}

/**
 * Removes at most `limit` consents that nobody authorised in time, those that their TPPs deleted meanwhile included; gives
 * how many. One that is being changed at this moment, or removed by another process, is passed over.
 */
export function sweepLapsedConsents(authoriseWithinMs: number): Sweep {
  return (prisma, nowMs, limit) => {
    const latest = new Date(nowMs - authoriseWithinMs);
    return prisma.$executeRaw`DELETE FROM consents WHERE consent_id IN (
      SELECT consent_id FROM consents WHERE status = 'AwaitingAuthorisation' AND created_at <= ${latest}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
  };
}

/** PostgreSQL refuses a text with the character U+0000, so that nothing stored can match one. */
const storable = (text: string): boolean => !text.includes('\0');

function notExpired(now: Date): Prisma.ConsentWhereInput {
  return { OR: [{ expiresAtMs: null }, { expiresAtMs: { gt: now.getTime() } }] };
}

/** @throws Error when the row says what this version does not know: it is not passed on in part. */
function toConsent(row: ConsentRow): Consent {
  const expires = stated(row.expiresText, row.expiresAtMs);
  const transactionsFrom = stated(row.transactionsFromText, row.transactionsFromAtMs);
  const transactionsTo = stated(row.transactionsToText, row.transactionsToAtMs);
  const authorisation = toAuthorisation(row);
  return {
    consentId: row.consentId,
    tppId: row.tppId,
    // Earlier versions stored a permission as often as the TPP named it.
    permissions: [...new Set(row.permissions)].map((code): Permission =>
      isPermission(code) ? code : unknownIn(row, 'permissions'),
    ),
    ...(expires && { expires }),
    ...(transactionsFrom && { transactionsFrom }),
    ...(transactionsTo && { transactionsTo }),
    status:
      consentStatuses.find((status): status is ConsentStatus => status === row.status) ?? unknownIn(row, 'status'),
    createdAt: row.createdAt,
    statusUpdatedAt: row.statusUpdatedAt,
    ...(authorisation && { authorisation }),
    ...(row.accessEndedAt !== null && {
      ended: {
        at: row.accessEndedAt,
        by: accessEnders.find((by): by is AccessEnder => by === row.accessEndedBy) ?? unknownIn(row, 'access_ended_by'),
      },
    }),
  };
}

function stated(text: string | null, atMs: bigint | null): StatedDateTime | undefined {
  return text === null || atMs === null ? undefined : { text, atMs: Number(atMs) };
}

function toAuthorisation(row: ConsentRow): Authorisation | undefined {
  const { customerRef, displayName, accounts, lastAuthenticatedAt, authorisationId, nextAuthorisationId } = row;
  if (customerRef === null || lastAuthenticatedAt === null) return undefined;
  return {
    customerRef,
    ...(displayName !== null && { displayName }),
    accounts: Array.isArray(accounts)
      ? accounts.map((account) => (isSelectedAccount(account) ? account : unknownIn(row, 'accounts')))
      : unknownIn(row, 'accounts'),
    lastAuthenticatedAt,
    ...(authorisationId !== null && { authorisationId }),
    ...(nextAuthorisationId !== null && { nextAuthorisationId }),
  };
}

function isSelectedAccount(value: unknown): value is SelectedAccount {
  if (typeof value !== 'object' || value === null) return false;
  const { ref, product } = value as Partial<SelectedAccount>;
  return typeof ref === 'string' && coreProducts.includes(product as CoreProduct);
}

function unknownIn(row: ConsentRow, column: string): never {
  throw new Error(
    `The stored consent ${row.consentId} has a value in "${column}" that this version does not know: it was written by a later version or by hand`,
  );
}
