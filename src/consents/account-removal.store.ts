import type { Prisma } from '../../prisma/client/client.js';
import type { AccountAtCore } from '../core-banking/account-at-core.js';
import type { StatusReason } from '../open-banking/consent-state.js';
import { cancelled, canGiveAccess, columns, isAt, ofAccount } from './consent-conditions.store.js';
import { toConsent, type ConsentRow } from './consent-row.js';
import type { Consent } from './consent.js';

/**
 * Removes the account from those of the consents that have it, and cancels those that have no other account. A cancelled one
 * loses it too, because its customer can give it again.
 * @param transaction of both statements
 * @returns the consents that it left
 */
export async function removeAccount(
  transaction: Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw'>,
  consentIds: readonly string[],
  account: AccountAtCore,
  at: Date,
  reason: StatusReason,
): Promise<readonly Consent[]> {
  const left = await transaction.$queryRaw<ConsentRow[]>`
    UPDATE consents SET account_left_at = ${at}, accounts = (SELECT COALESCE(jsonb_agg(account ORDER BY place), '[]')
      FROM jsonb_array_elements(accounts) WITH ORDINALITY AS selected (account, place) WHERE NOT (${isAt(account)}))
    WHERE consent_id = ANY (${[...consentIds]}::text[]) AND ${ofAccount(account)} AND ${canGiveAccess}
    RETURNING ${columns}`;
  const ended = await transaction.$queryRaw<ConsentRow[]>`
    UPDATE consents SET ${cancelled(at, reason)}
    WHERE consent_id = ANY (${left.map(({ consentId }) => consentId)}::text[]) AND status = 'authorised' AND accounts = '[]'
    RETURNING ${columns}`;
  const changed = new Map([...left, ...ended].map((row) => [row.consentId, toConsent(row)]));
  return [...changed.values()];
}
