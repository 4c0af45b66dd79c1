import { Injectable } from '@nestjs/common';
import type { StatusReason } from '../open-banking/consent-state.js';
import type { TppId } from '../open-banking/tpp-id.js';
import { Prisma } from '../../prisma/client/client.js';
import { PrismaService } from '../persistence/prisma.service.js';
import {
  guardOfTpp,
  isOfActingTpp,
  beginAuthorisation,
  type SameTransactionWrite,
  endAuthorisation,
} from './authorisation.store.js';
import {
  allRevokedAt,
  cancelled,
  columns,
  gaveOrRefused,
  givesAccess,
  newestFirst,
  notCompleted,
  notExpired,
  notRevokedWithAll,
  rejectedAsNotCompleted,
} from './consent-conditions.store.js';
import type { ConsentPage } from './consent-page.js';
import { storedAccount, toConsent, toCustomerConsent, type ConsentRow } from './consent-row.js';
import type { Authorisation, Consent, CustomerConsent } from './consent.js';

/**
 * Keeps the consents. Every transition is one `UPDATE ... WHERE <guard> RETURNING`: when two transitions race, the database
 * lets one win and the other returns `undefined`. `undefined` means that the guard did not hold (unknown, deleted, in another
 * status, another customer's): nothing was changed, and the caller reads the consent to find the reason. A resolved promise
 * means that the change is durable.
 */
@Injectable()
export class ConsentStore {
  constructor(private readonly prisma: PrismaService) {}

  async create(consent: Consent): Promise<void> {
    await this.prisma.consent.create({
      data: {
        consentId: consent.consentId,
        issuer: consent.tpp.issuer,
        clientId: consent.tpp.clientId,
        kind: consent.kind,
        permissions: [...consent.permissions],
        status: consent.status,
        createdAt: consent.createdAt,
        createdIn: consent.createdIn,
        statusUpdatedAt: consent.statusUpdatedAt,
        expiresText: consent.expires?.text,
        expiresAtMs: consent.expires?.atMs,
        transactionsFromText: consent.transactionsFrom?.text,
        transactionsFromAtMs: consent.transactionsFrom?.atMs,
        transactionsToText: consent.transactionsTo?.text,
        transactionsToAtMs: consent.transactionsTo?.atMs,
        ...(consent.debtor && { debtor: { ...consent.debtor } }),
        ...(consent.debtorAccount && { debtorAccount: { ...storedAccount(consent.debtorAccount) } }),
      },
    });
  }

  /** The consent, or `undefined` when it is unknown or deleted. */
  async find(consentId: string): Promise<Consent | undefined> {
    const [consent] = await this.select(Prisma.sql`WHERE consent_id = ${consentId} AND deleted_at IS NULL`, [
      consentId,
    ]);
    return consent && toConsent(consent);
  }

  /**
   * `awaiting` -> `authorised`, unless the consent has expired by `now`. With an `authorisationId`, which only the embedded
   * authorization server sets, the guard includes {@link tppMayAct}.
   */
  authorise(consentId: string, authorisation: Authorisation, now: Date): Promise<Consent | undefined> {
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

  /** A customer begins to authorise an `awaiting` consent, which may have been begun before. */
  begin(consentId: string, now: Date): Promise<Consent | undefined> {
    return this.transition(consentId, Prisma.sql`status = 'awaiting'`, Prisma.sql`begun_at = ${now}`);
  }

  /** `awaiting` -> `rejected`, where a customer began the authorisation and did not complete it in time. */
  rejectNotCompleted(consentId: string, completeWithinMs: number, nowMs: number): Promise<Consent | undefined> {
    return this.transition(consentId, notCompleted(completeWithinMs, nowMs), rejectedAsNotCompleted(completeWithinMs));
  }

  /** Whether the TPP of the consent is neither suspended nor deleted, by the present rows. */
  tppMayAct(consentId: string): Promise<boolean> {
    return isOfActingTpp(this.prisma, consentId);
  }

  /** `awaiting` -> `rejected`, by this customer where the customer is known. */
  reject(consentId: string, now: Date, customerRef?: string): Promise<Consent | undefined> {
    return this.transition(
      consentId,
      Prisma.sql`status = 'awaiting'`,
      Prisma.sql`status = 'rejected', status_updated_at = ${now}, status_reason = 'customer-refused',
        rejected_by = ${customerRef ?? null}`,
    );
  }

  /** `authorised` -> `cancelled`. It then has no current and no next authorisation. */
  cancel(consentId: string, now: Date, reason: StatusReason): Promise<Consent | undefined> {
    return this.transition(consentId, Prisma.sql`status = 'authorised'`, cancelled(now, reason));
  }

  /**
   * Records a later strong authentication of the same customer on an `authorised` consent that has not expired by `now`.
   * Never moves the time backwards: a time earlier than the stored one changes nothing, and succeeds. Status and its time
   * stay. `nextAuthorisationId` becomes the next authorisation, in place of an earlier next one. A `cancelled` consent for
   * account access becomes `authorised` again, only by an authentication that is later than its cancellation, and where an
   * account is left. With `nextAuthorisationId` the guard
   * includes {@link tppMayAct}.
   */
  async reauthenticate(
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
      Prisma.sql`(status = 'authorised'
        OR (kind = 'account-access' AND status = 'cancelled' AND status_updated_at < ${authenticatedAt} AND accounts <> '[]'))
        AND ${notExpired(now)} AND customer_ref = ${customerRef} AND ${guardOfTpp(nextAuthorisationId)}`,
      Prisma.sql`last_authenticated_at = GREATEST(last_authenticated_at, ${authenticatedAt}),
        next_authorisation_id = COALESCE(${nextAuthorisationId ?? null}::text, next_authorisation_id),
        status_updated_at = CASE status WHEN 'cancelled' THEN ${now} ELSE status_updated_at END,
        status = 'authorised', status_reason = NULL`,
    );
  }

  /**
   * Makes the next authorisation the current one. An authorisation that is already current stays so. Guard: the consent is
   * `authorised`, has not expired by `now`, and `authorisationId` is its next or its current
   * authorisation.
   * @param along is called when the consent is locked: nothing ends the authorisation in between
   */
  async beginAuthorisation(
    consentId: string,
    authorisationId: string,
    now: Date,
    along: SameTransactionWrite = () => Promise.resolve(),
  ): Promise<Consent | undefined> {
    if (!storable(authorisationId) || !storable(consentId)) return undefined;
    return beginAuthorisation(this.prisma, consentId, authorisationId, now, along);
  }

  /**
   * Ends an authorisation, current or next, of any consent: its tokens become invalid. The consent itself stays.
   * @returns the consent; `undefined` where none has the authorisation
   */
  async endAuthorisation(authorisationId: string): Promise<Pick<Consent, 'consentId' | 'tpp'> | undefined> {
    if (!storable(authorisationId)) return undefined;
    return endAuthorisation(this.prisma, authorisationId);
  }

  /** Deletes a consent of this TPP in any status. A deleted consent is never found again. True if the consent existed. */
  async delete(consentId: string, { issuer, clientId }: TppId, now: Date): Promise<boolean> {
    if (!storable(consentId) || !storable(clientId)) return false;
    const { count } = await this.prisma.consent.updateMany({
      where: { consentId, issuer, clientId, deletedAt: null },
      data: { deletedAt: now },
    });
    return count === 1;
  }

  /** Every consent that the customer ever authorised and that its TPP did not delete. */
  async listForCustomer(customerRef: string, page: ConsentPage): Promise<readonly Consent[]> {
    const rows = await this.select(
      Prisma.sql`WHERE customer_ref = ${customerRef} AND deleted_at IS NULL AND ${newestFirst(page)}`,
      [customerRef, page.after?.consentId],
    );
    return rows.map(toConsent);
  }

  /**
   * Every consent that the customer ever authorised or is known to have refused, including deleted ones: those that give
   * access at `now` (see `givesAccess`), or all others.
   */
  async historyOfCustomer(
    customerRef: string,
    part: 'current' | 'past',
    now: Date,
    page: ConsentPage,
  ): Promise<readonly CustomerConsent[]> {
    const current = Prisma.sql`customer_ref = ${customerRef} AND ${givesAccess(now)}`;
    const rows = await this.select(
      part === 'current'
        ? Prisma.sql`WHERE ${current} AND ${newestFirst(page)}`
        : Prisma.sql`WHERE ${gaveOrRefused(customerRef)} AND (${current}) IS NOT TRUE AND ${newestFirst(page)}`,
      [customerRef, page.after?.consentId],
    );
    return rows.map(toCustomerConsent);
  }

  /** One consent of that history. */
  async findOfCustomer(customerRef: string, consentId: string): Promise<CustomerConsent | undefined> {
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
      SELECT ${columns}, ${allRevokedAt} FROM consents ${where}`;
  }
}

/** PostgreSQL refuses a text with the character U+0000, so no stored text can match one. */
const storable = (text: string): boolean => !text.includes('\0');
