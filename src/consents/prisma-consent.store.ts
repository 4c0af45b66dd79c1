import { Injectable } from '@nestjs/common';
import { tppId, type TppId } from '../open-banking/tpp-id.js';
import { Prisma } from '../../prisma/client/client.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { guardOfTpp, isOfActingTpp } from './acting-tpp.store.js';
import { endAuthorisation } from './end-authorisation.store.js';
import { storedAccount, toConsent, type ConsentRow } from './consent-row.js';
import type { AccessEnder, Authorisation, Consent, CustomerConsent } from './consent.js';
import { ConsentStore, type ConsentPage, type HistoryPage } from './consent.store.js';

/** Each transition is one `UPDATE ... WHERE <guard> RETURNING`: when two of them race, the database lets one win. */
@Injectable()
export class PrismaConsentStore extends ConsentStore {
  constructor(private readonly prisma: PrismaService) {
    super();
  }

  override async create(consent: Consent): Promise<void> {
    await this.prisma.consent.create({
      data: {
        consentId: consent.consentId,
        issuer: consent.tpp.issuer,
        clientId: consent.tpp.clientId,
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
    const [consent] = await this.select(Prisma.sql`WHERE consent_id = ${consentId} AND deleted_at IS NULL`, [
      consentId,
    ]);
    return consent && toConsent(consent);
  }

  override authorise(consentId: string, authorisation: Authorisation, now: Date): Promise<Consent | undefined> {
    const { customerRef, displayName = null, lastAuthenticatedAt, authorisationId = null } = authorisation;
    const accounts = JSON.stringify(authorisation.accounts.map(storedAccount));
    return this.transition(
      consentId,
      Prisma.sql`status = 'awaiting' AND ${notExpired(now)} AND ${guardOfTpp(authorisationId)}`,
      Prisma.sql`status = 'authorised', status_updated_at = ${now}, authorised_at = ${now},
        customer_ref = ${customerRef}, display_name = ${displayName}, accounts = ${accounts}::jsonb,
        last_authenticated_at = ${lastAuthenticatedAt}, authorisation_id = ${authorisationId}`,
    );
  }

  override tppMayAct(consentId: string): Promise<boolean> {
    return isOfActingTpp(this.prisma, consentId);
  }

  override reject(consentId: string, now: Date, customerRef?: string): Promise<Consent | undefined> {
    return this.transition(
      consentId,
      Prisma.sql`status = 'awaiting'`,
      Prisma.sql`status = 'rejected', status_updated_at = ${now}, rejected_by = ${customerRef ?? null}`,
    );
  }

  override revoke(consentId: string, now: Date, by: AccessEnder): Promise<Consent | undefined> {
    return this.transition(
      consentId,
      Prisma.sql`status = 'authorised'`,
      Prisma.sql`status = 'revoked', status_updated_at = ${now}, access_ended_at = ${now}, access_ended_by = ${by}`,
    );
  }

  override endAccess(consentId: string, now: Date, by: AccessEnder): Promise<Consent | undefined> {
    return this.transition(
      consentId,
      Prisma.sql`status = 'authorised' AND access_ended_at IS NULL`,
      Prisma.sql`access_ended_at = ${now}, access_ended_by = ${by}, authorisation_id = NULL, next_authorisation_id = NULL`,
    );
  }

  override async reauthenticate(
    consentId: string,
    customerRef: string,
    authenticatedAt: Date,
    now: Date,
    nextAuthorisationId?: string,
  ): Promise<Consent | undefined> {
    if (!storable(customerRef)) return undefined;
    // One statement, because with an earlier read a later authentication could overwrite this one.
    return this.transition(
      consentId,
      Prisma.sql`status = 'authorised' AND ${notExpired(now)} AND customer_ref = ${customerRef}
        AND (access_ended_at IS NULL OR access_ended_at < ${authenticatedAt}) AND ${guardOfTpp(nextAuthorisationId)}`,
      Prisma.sql`last_authenticated_at = GREATEST(last_authenticated_at, ${authenticatedAt}),
        next_authorisation_id = COALESCE(${nextAuthorisationId ?? null}::text, next_authorisation_id),
        access_ended_at = NULL, access_ended_by = NULL`,
    );
  }

  override async beginAuthorisation(
    consentId: string,
    authorisationId: string,
    now: Date,
  ): Promise<Consent | undefined> {
    if (!storable(authorisationId)) return undefined;
    const live = Prisma.sql`status = 'authorised' AND access_ended_at IS NULL AND ${notExpired(now)}`;
    const begun = await this.transition(
      consentId,
      Prisma.sql`${live} AND next_authorisation_id = ${authorisationId}`,
      Prisma.sql`authorisation_id = ${authorisationId}, next_authorisation_id = NULL`,
    );
    if (begun !== undefined) return begun;
    // An authorisation that is already current needs no change and no notification.
    const [current] = await this.select(
      Prisma.sql`WHERE consent_id = ${consentId} AND deleted_at IS NULL AND ${live} AND ${notRevokedWithAll}
        AND authorisation_id = ${authorisationId}`,
      [consentId],
    );
    return current && toConsent(current);
  }

  override async endAuthorisation(authorisationId: string): Promise<Pick<Consent, 'consentId' | 'tpp'> | undefined> {
    if (!storable(authorisationId)) return undefined;
    return endAuthorisation(this.prisma, authorisationId);
  }

  override async delete(consentId: string, { issuer, clientId }: TppId, now: Date): Promise<boolean> {
    if (!storable(consentId) || !storable(clientId)) return false;
    const { count } = await this.prisma.consent.updateMany({
      where: { consentId, issuer, clientId, deletedAt: null },
      data: { deletedAt: now },
    });
    return count === 1;
  }

  override async listForCustomer(customerRef: string, page: ConsentPage): Promise<readonly Consent[]> {
    const rows = await this.select(
      Prisma.sql`WHERE customer_ref = ${customerRef} AND deleted_at IS NULL AND ${newestFirst(page)}`,
      [customerRef, page.after?.consentId],
    );
    return rows.map(toConsent);
  }

  override async historyOfCustomer(
    customerRef: string,
    part: 'current' | 'past',
    now: Date,
    page: HistoryPage,
  ): Promise<readonly CustomerConsent[]> {
    const wanted = page.tpps ? ofTpps(page.tpps) : Prisma.sql`TRUE`;
    const current = Prisma.sql`customer_ref = ${customerRef} AND deleted_at IS NULL AND status = 'authorised'
      AND access_ended_at IS NULL AND ${notExpired(now)} AND ${notRevokedWithAll}`;
    const rows = await this.select(
      part === 'current'
        ? Prisma.sql`WHERE ${current} AND ${wanted} AND ${newestFirst(page)}`
        : Prisma.sql`WHERE ${gaveOrRefused(customerRef)} AND (${current}) IS NOT TRUE AND ${wanted} AND ${newestFirst(page)}`,
      [customerRef, page.after?.consentId],
    );
    return rows.map(toCustomerConsent);
  }

  override async tppsOfCustomer(customerRef: string): Promise<readonly TppId[]> {
    if (!storable(customerRef)) return [];
    const rows = await this.prisma.$queryRaw<{ issuer: string; clientId: string }[]>`
      SELECT DISTINCT issuer, client_id AS "clientId" FROM consents WHERE ${gaveOrRefused(customerRef)}`;
    return rows.map(({ issuer, clientId }) => tppId(issuer, clientId));
  }

  override async findOfCustomer(customerRef: string, consentId: string): Promise<CustomerConsent | undefined> {
    const [row] = await this.select(Prisma.sql`WHERE consent_id = ${consentId} AND ${gaveOrRefused(customerRef)}`, [
      customerRef,
      consentId,
    ]);
    return row && toCustomerConsent(row);
  }

  private async transition(
    consentId: string,
    guard: Prisma.Sql,
    assignments: Prisma.Sql,
  ): Promise<Consent | undefined> {
    if (!storable(consentId)) return undefined;
    const [row] = await this.prisma.$queryRaw<ConsentRow[]>`
      UPDATE consents SET ${assignments}
      WHERE consent_id = ${consentId} AND deleted_at IS NULL AND ${guard} AND ${notRevokedWithAll} RETURNING ${columns}`;
    return row && toConsent(row);
  }

  /** @param texts the texts of the condition; where the database cannot hold one, the result is empty */
  private async select(where: Prisma.Sql, texts: readonly (string | undefined)[]): Promise<readonly ConsentRow[]> {
    if (!texts.every((text) => text === undefined || storable(text))) return [];
    return this.prisma.$queryRaw<ConsentRow[]>`
      SELECT ${columns}, (SELECT consents_revoked_at FROM tpp_standings WHERE ${ofTheSameTpp}) AS "allRevokedAt"
      FROM consents ${where}`;
  }
}

/** PostgreSQL refuses a text with the character U+0000, so no stored text can match one. */
const storable = (text: string): boolean => !text.includes('\0');

/** Every column under the name of its field. The schema names each column like its field, with underscores. */
export const columns = Prisma.raw(
  Object.values(Prisma.ConsentScalarFieldEnum)
    .map((field) => `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`)
    .join(', '),
);

export const ofTheSameTpp = Prisma.sql`tpp_standings.client_id = consents.client_id AND tpp_standings.issuer = consents.issuer`;

/** The rule of `afterRevocationsOfAll`, for changes that are not allowed after such a revocation. */
export const notRevokedWithAll = Prisma.sql`NOT EXISTS (SELECT FROM tpp_standings
  WHERE ${ofTheSameTpp} AND consents.created_at <= ANY (tpp_standings.consents_revoked_at))`;

function ofTpps(tpps: readonly TppId[]): Prisma.Sql {
  const [issuers, clientIds] = [tpps.map(({ issuer }) => issuer), tpps.map(({ clientId }) => clientId)];
  return Prisma.sql`(issuer, client_id) IN (SELECT * FROM unnest(${issuers}::text[], ${clientIds}::text[]))`;
}

export function gaveOrRefused(customerRef: string): Prisma.Sql {
  return Prisma.sql`(customer_ref = ${customerRef} OR rejected_by = ${customerRef})`;
}

export function notExpired(now: Date): Prisma.Sql {
  return Prisma.sql`(expires_at_ms IS NULL OR expires_at_ms > ${now.getTime()})`;
}

export function newestFirst({ after, limit }: ConsentPage): Prisma.Sql {
  const rest = after
    ? Prisma.sql`(created_at, consent_id) < (${after.createdAt}, ${after.consentId})`
    : Prisma.sql`TRUE`;
  return Prisma.sql`${rest} ORDER BY created_at DESC, consent_id DESC LIMIT ${limit}`;
}

export function toCustomerConsent(row: ConsentRow): CustomerConsent {
  return {
    consent: toConsent(row),
    ...(row.authorisedAt !== null && { givenAt: row.authorisedAt }),
    ...(row.deletedAt !== null && { deletedAt: row.deletedAt }),
  };
}
