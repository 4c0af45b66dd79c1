import type { Consent } from '../consents/consent.js';
import { stateOf } from '../consents/access.policy.js';
import { formatDateTime } from '../open-banking/date-times.js';
import type { PublicIds } from '../open-banking/public-ids.js';

/** A consent for the bank: with the bank's references in addition to the ids that TPPs see. */
export function presentConsent(consent: Consent, ids: PublicIds, nowMs: number): Record<string, unknown> {
  const { authorisation, debtorAccount } = consent;
  const { status, reason, since } = stateOf(consent, nowMs);
  return {
    ConsentId: consent.consentId,
    Kind: consent.kind,
    Status: status,
    StatusReason: reason,
    TppId: consent.tpp.clientId,
    TppIssuer: consent.tpp.issuer,
    Permissions: consent.permissions,
    CreationDateTime: formatDateTime(consent.createdAt),
    StatusUpdateDateTime: formatDateTime(since),
    ExpirationDateTime: consent.expires?.text,
    TransactionFromDateTime: consent.transactionsFrom?.text,
    TransactionToDateTime: consent.transactionsTo?.text,
    DebtorAccount: debtorAccount && {
      ref: debtorAccount.ref,
      core: debtorAccount.core,
      Product: debtorAccount.product,
    },
    ...(authorisation && {
      CustomerRef: authorisation.customerRef,
      LastAuthenticatedDateTime: formatDateTime(authorisation.lastAuthenticatedAt),
      Accounts: authorisation.accounts.map((account) => ({
        ref: account.ref,
        core: account.core,
        customerRef: account.customerRef,
        AccountId: ids.ofAccount(account.ref, account.core),
        Product: account.product,
      })),
    }),
  };
}
