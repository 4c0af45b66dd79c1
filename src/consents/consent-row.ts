import {
  consentKinds,
  statusReasons,
  storedStatuses,
  type NamedAccount,
  type StatedDateTime,
} from '../open-banking/consent-state.js';
import type { Permission } from '../open-banking/permissions.js';
import { isPermission } from '../open-banking/permissions.js';
import { tppId } from '../open-banking/tpp-id.js';
import type { StoredConsent } from '../persistence/stored-rows.js';
import { afterRevocationsOfAll } from './access.policy.js';
import type { Authorisation, Consent, CustomerConsent, SelectedAccount } from './consent.js';

/** A row of `consents` as the database returns it, and the bank's decisions about all consents of its TPP. */
export interface ConsentRow extends StoredConsent {
  /**
   * `tpp_standings.consents_revoked_at`. Absent in the result of a change, because the guard of each change excludes such
   * consents.
   */
  readonly allRevokedAt?: readonly Date[] | null;
}

/**
 * The consent in its present state.
 * @throws Error when the row holds a value that this version does not know: such a row is not passed on in part.
 */
export function toConsent(row: ConsentRow): Consent {
  return afterRevocationsOfAll(asStored(row), row.allRevokedAt ?? []);
}

export function toCustomerConsent(row: ConsentRow): CustomerConsent {
  return { consent: toConsent(row), ...(row.deletedAt !== null && { deletedAt: row.deletedAt }) };
}

function asStored(row: ConsentRow): Consent {
  const expires = stated(row.expiresText, row.expiresAtMs);
  const transactionsFrom = stated(row.transactionsFromText, row.transactionsFromAtMs);
  const transactionsTo = stated(row.transactionsToText, row.transactionsToAtMs);
  const authorisation = toAuthorisation(row);
  return {
    consentId: row.consentId,
    tpp: tppId(row.issuer, row.clientId),
    kind: consentKinds.find((kind) => kind === row.kind) ?? unknownIn(row, 'kind'),
    permissions: row.permissions.map((code): Permission => (isPermission(code) ? code : unknownIn(row, 'permissions'))),
    ...(expires && { expires }),
    ...(transactionsFrom && { transactionsFrom }),
    ...(transactionsTo && { transactionsTo }),
    ...(row.debtor !== null && { debtor: isNamedAccount(row.debtor) ? row.debtor : unknownIn(row, 'debtor') }),
    ...(row.debtorAccount !== null && {
      debtorAccount: isSelectedAccount(row.debtorAccount) ? row.debtorAccount : unknownIn(row, 'debtor_account'),
    }),
    status: storedStatuses.find((status) => status === row.status) ?? unknownIn(row, 'status'),
    ...(row.statusReason !== null && {
      reason: statusReasons.find((reason) => reason === row.statusReason) ?? unknownIn(row, 'status_reason'),
    }),
    createdAt: row.createdAt,
    createdIn: row.createdIn,
    ...(row.begunAt !== null && { begunAt: row.begunAt }),
    statusUpdatedAt: row.statusUpdatedAt,
    ...(row.authorisedAt !== null && { authorisedAt: row.authorisedAt }),
    ...(authorisation && { authorisation }),
    ...(row.status === 'cancelled' && authorisation?.accounts.length === 0 && { isFinal: true }),
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

/** The members that are stored of an account. */
export function storedAccount({ ref, product, core, customerRef }: SelectedAccount): SelectedAccount {
  return { ref, product, ...(core !== undefined && { core }), ...(customerRef !== undefined && { customerRef }) };
}

function isSelectedAccount(value: unknown): value is SelectedAccount {
  if (typeof value !== 'object' || value === null) return false;
  const { ref, product, core = '', customerRef = '' } = value as Partial<Record<keyof SelectedAccount, unknown>>;
  return [ref, product, core, customerRef].every((text) => typeof text === 'string');
}

function isNamedAccount(value: unknown): value is NamedAccount {
  if (typeof value !== 'object' || value === null) return false;
  const { schemeName, identification } = value as Partial<Record<keyof NamedAccount, unknown>>;
  return typeof schemeName === 'string' && typeof identification === 'string';
}

function unknownIn(row: ConsentRow, column: string): never {
  throw new Error(
    `The stored consent ${row.consentId} has a value in "${column}" that this version does not know: it was written by a later version or by hand`,
  );
}
