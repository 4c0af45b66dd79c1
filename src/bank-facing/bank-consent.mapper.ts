import type { Consent } from '../consents/consent.js';
import { statusWords } from '../consents/status-words.js';
import { formatDateTime } from '../open-banking/date-times.js';
import type { PublicIds } from '../open-banking/public-ids.js';

/** A consent for the bank: with the bank's references in addition to the ids that TPPs see. */
export function presentConsent(consent: Consent, ids: PublicIds): Record<string, unknown> {
  const { authorisation } = consent;
  return {
    ConsentId: consent.consentId,
    Status: statusWords[consent.status],
    TppId: consent.tpp.clientId,
    TppIssuer: consent.tpp.issuer,
    Permissions: consent.permissions,
    CreationDateTime: formatDateTime(consent.createdAt),
    StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
    ExpirationDateTime: consent.expires?.text,
    TransactionFromDateTime: consent.transactionsFrom?.text,
    TransactionToDateTime: consent.transactionsTo?.text,
    AccessEndedDateTime: consent.ended && formatDateTime(consent.ended.at),
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
