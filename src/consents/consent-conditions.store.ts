import { Prisma } from '../../prisma/client/client.js';
import type { AccountAtCore } from '../core-banking/account-at-core.js';
import type { StatusReason } from '../open-banking/consent-state.js';
import { columnsOf } from '../persistence/columns.js';
import type { ConsentPage } from './consent-page.js';

// The columns and conditions of the statements on consents.

export const columns = columnsOf(Prisma.ConsentScalarFieldEnum);

export const ofTheSameTpp = Prisma.sql`tpp_standings.client_id = consents.client_id AND tpp_standings.issuer = consents.issuer`;

/** When the bank revoked all consents of the TPP, in order: see `ConsentRow.allRevokedAt`. */
export const allRevokedAt = Prisma.sql`(SELECT consents_revoked_at FROM tpp_standings WHERE ${ofTheSameTpp}) AS "allRevokedAt"`;

/** The rule of `afterRevocationsOfAll`, for changes that are not allowed after such a revocation. */
export const notRevokedWithAll = Prisma.sql`NOT EXISTS (SELECT FROM tpp_standings
  WHERE ${ofTheSameTpp} AND consents.created_at <= ANY (tpp_standings.consents_revoked_at))`;

export function gaveOrRefused(customerRef: string): Prisma.Sql {
  return Prisma.sql`(customer_ref = ${customerRef} OR rejected_by = ${customerRef})`;
}

export function notExpired(now: Date): Prisma.Sql {
  return Prisma.sql`(expires_at_ms IS NULL OR expires_at_ms > ${now.getTime()})`;
}

/** Whether the consent opens anything: the rule of `accessRefusal` in access.policy.ts. */
export function givesAccess(now: Date): Prisma.Sql {
  return Prisma.sql`status = 'authorised' AND deleted_at IS NULL AND ${notExpired(now)}
    AND ${notRevokedWithAll}`;
}

/** Whether the consent gives access, or its customer can give it again, unless it has expired. */
export const canGiveAccess = Prisma.sql`status IN ('authorised', 'cancelled') AND deleted_at IS NULL AND ${notRevokedWithAll}`;

/** The index finds the reference at every core; the second condition keeps the one core. */
export function ofAccount(account: AccountAtCore): Prisma.Sql {
  return Prisma.sql`accounts @> ${JSON.stringify([{ ref: account.ref }])}::jsonb
    AND EXISTS (SELECT FROM jsonb_array_elements(accounts) AS account WHERE ${isAt(account)})`;
}

/** Whether the element `account` of `accounts` is this account. */
export function isAt({ ref, core }: AccountAtCore): Prisma.Sql {
  return Prisma.sql`account->>'ref' = ${ref} AND account->>'core' IS NOT DISTINCT FROM ${core ?? null}::text`;
}

/** The rule of `wasNotCompletedInTime`. */
export function notCompleted(completeWithinMs: number, nowMs: number): Prisma.Sql {
  return Prisma.sql`status = 'awaiting' AND begun_at <= ${new Date(nowMs - completeWithinMs)} AND deleted_at IS NULL
    AND ${notRevokedWithAll}`;
}

/** It is rejected since its time ended, whenever that is found. */
export function rejectedAsNotCompleted(completeWithinMs: number): Prisma.Sql {
  return Prisma.sql`status = 'rejected', status_reason = 'not-completed',
    status_updated_at = begun_at + ${completeWithinMs}::float8 * interval '1 ms'`;
}

/** The changes that withdraw an authorised consent: no token of it is valid any more. */
export function cancelled(at: Date, reason: StatusReason): Prisma.Sql {
  return Prisma.sql`status = 'cancelled', status_reason = ${reason}, status_updated_at = ${at},
    authorisation_id = NULL, next_authorisation_id = NULL`;
}

export function newestFirst({ after, limit }: ConsentPage): Prisma.Sql {
  const rest = after
    ? Prisma.sql`(created_at, consent_id) < (${after.createdAt}, ${after.consentId})`
    : Prisma.sql`TRUE`;
  return Prisma.sql`${rest} ORDER BY created_at DESC, consent_id DESC LIMIT ${limit}`;
}
