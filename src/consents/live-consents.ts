import { Inject, Injectable } from '@nestjs/common';
import type { Grant } from '../request/request-context.js';
import { PublicIds } from '../open-banking/public-ids.js';
import { CachedRows } from '../persistence/cached-rows.js';
import { Pseudonyms } from '../trail/pseudonyms.js';
import type { Consent } from './consent.js';
import { ConsentStore } from './consent.store.js';

/** A consent, with the facts that the checks need worked out once. */
export interface LiveConsent {
  readonly consent: Consent;
  /** Set when the customer has authorised it. */
  readonly grant?: Grant;
}

/**
 * The consents read during the last second. A revocation takes effect at once in the process that received it, and within a
 * second in every other process. An approval takes effect at once in all of them.
 */
@Injectable()
export class LiveConsents {
  private readonly cache: CachedRows<LiveConsent>;

  constructor(@Inject(ConsentStore) store: Pick<ConsentStore, 'find'>, ids: PublicIds, pseudonyms: Pseudonyms) {
    const read = async (consentId: string): Promise<LiveConsent | undefined> => {
      const consent = await store.find(consentId);
      return consent && toLive(consent, ids, pseudonyms);
    };
    this.cache = new CachedRows(read);
  }

  /** The consent as it was in the last second, if `permits` accepts it. */
  cached(consentId: string, permits: (live: LiveConsent) => boolean): LiveConsent | undefined {
    return this.cache.cached(consentId, permits);
  }

  /** The same, or else the consent as it is now, or `undefined` where it is unknown or deleted. */
  find(consentId: string, permits: (live: LiveConsent) => boolean): Promise<LiveConsent | undefined> {
    return this.cache.find(consentId, permits);
  }

  /** Call this when this process has changed the consent, or may have. */
  forget(consentId: string): void {
    this.cache.forget(consentId);
  }

  /** Call this when this process has ended the authorisation, or may have. */
  forgetAuthorisation(authorisationId: string): void {
    this.cache.forgetAll(({ consent }) => consent.authorisation?.authorisationId === authorisationId);
  }

  /** Call this when this process has changed all consents of the TPP with this key, or may have. */
  forgetAllOf(tppKey: string): void {
    this.cache.forgetAll(({ consent }) => consent.tpp.key === tppKey);
  }
}

function toLive(consent: Consent, ids: PublicIds, pseudonyms: Pseudonyms): LiveConsent {
  const { authorisation } = consent;
  if (authorisation === undefined) return { consent };
  return {
    consent,
    grant: {
      consentId: consent.consentId,
      kind: consent.kind,
      createdIn: consent.createdIn,
      customerRef: authorisation.customerRef,
      pseudonym: pseudonyms.ofCustomer(authorisation.customerRef),
      ...(authorisation.displayName === undefined ? {} : { displayName: authorisation.displayName }),
      permissions: new Set(consent.permissions),
      accounts: new Map(
        authorisation.accounts.map((account) => [
          ids.ofAccount(account.ref, account.core),
          { ...account, pseudonym: pseudonyms.ofAccount(account) },
        ]),
      ),
      history: {
        ...(consent.transactionsFrom ? { fromMs: consent.transactionsFrom.atMs } : {}),
        ...(consent.transactionsTo ? { toMs: consent.transactionsTo.atMs } : {}),
      },
      lastAuthenticatedAtMs: authorisation.lastAuthenticatedAt.getTime(),
    },
  };
}
