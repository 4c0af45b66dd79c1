import type { Grant } from '../endpoint/request-context.js';
import type { PublicIds } from '../open-banking/public-ids.js';
import type { ChangeFeed } from '../persistence/change-feed.js';
import { CachedRows } from '../persistence/cached-rows.js';
import { tppStandingRows } from '../security/tpp-standing.store.js';
import type { Consent } from './consent.js';
import type { ConsentStore } from './consent.store.js';

/** A consent with what the guards ask of it worked out once. */
export interface LiveConsent {
  readonly consent: Consent;
  /** Set when the customer has authorised it. */
  readonly grant?: Grant;
}

/** The kind under which the feed tells of a changed consent, by its id. */
export const consentRows = 'consent';

/**
 * Consents kept in memory while the feed of changes is trusted: a revocation is felt at once in the process that took it
 * and, through the feed, within milliseconds in every other.
 */
export class LiveConsents {
  private readonly kept: CachedRows<LiveConsent>;

  constructor(store: ConsentStore, changes: ChangeFeed, ids: PublicIds, nowMs?: () => number) {
    const read = async (consentId: string): Promise<LiveConsent | undefined> => {
      const consent = await store.find(consentId);
      return consent && toLive(consent, ids);
    };
    this.kept = new CachedRows(changes, read, 50_000, nowMs);
    changes.subscribe(consentRows, (consentId) => this.kept.forget(consentId));
    changes.subscribe(tppStandingRows, (key) => this.forgetAllOf(key));
  }

  /** The consent, or `undefined` when it is unknown or deleted. */
  find(consentId: string): Promise<LiveConsent | undefined> {
    return this.kept.find(consentId);
  }

  /** Called with every change that this process makes, so that it need not wait for the feed. */
  forget(consentId: string): void {
    this.kept.forget(consentId);
  }

  /** The same with what concerns all consents of a TPP, by its key. */
  forgetAllOf(tppKey: string): void {
    this.kept.forgetAll(({ consent }) => consent.tpp.key === tppKey);
  }
}

export function accountId(ids: PublicIds, accountRef: string): string {
  return ids.ofAccount(accountRef);
}

function toLive(consent: Consent, ids: PublicIds): LiveConsent {
  const { authorisation } = consent;
  if (authorisation === undefined) return { consent };
  return {
    consent,
    grant: {
      consentId: consent.consentId,
      customerRef: authorisation.customerRef,
      ...(authorisation.displayName === undefined ? {} : { displayName: authorisation.displayName }),
      permissions: new Set(consent.permissions),
      accounts: new Map(authorisation.accounts.map((account) => [accountId(ids, account.ref), account])),
      history: {
        ...(consent.transactionsFrom ? { fromMs: consent.transactionsFrom.atMs } : {}),
        ...(consent.transactionsTo ? { toMs: consent.transactionsTo.atMs } : {}),
      },
      lastAuthenticatedAtMs: authorisation.lastAuthenticatedAt.getTime(),
    },
  };
}
