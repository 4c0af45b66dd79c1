import { LRUCache } from 'lru-cache';
import type { PublicIds } from '../open-banking/public-ids.js';
import type { Grant } from '../http/request-context.js';
import type { Consent } from './consent.js';
import type { ConsentChanges, ConsentStore } from './consent.store.js';

/** A consent with what the guards ask of it worked out once. */
export interface LiveConsent {
  readonly consent: Consent;
  /** Set when the customer has authorised it. */
  readonly grant?: Grant;
}

/**
 * Consents kept in memory for as long as changes can be heard: a revocation is felt at once in the process that took
 * it and, through the store's change feed, within milliseconds in every other. While the feed is down nothing is kept.
 */
export class LiveConsents {
  private readonly kept = new LRUCache<string, LiveConsent>({ max: 50_000 });
  private hearing = false;
  /** Rises with every change heard: what was read before a change must not be kept after it. */
  private generation = 0;

  constructor(
    private readonly store: ConsentStore,
    changes: ConsentChanges,
    private readonly ids: PublicIds,
  ) {
    changes.subscribe(
      (consentId) => this.forget(consentId),
      (hearing) => {
        this.hearing = hearing;
        this.generation++;
        this.kept.clear();
      },
    );
  }

  /** The consent, or `undefined` when it is unknown or deleted. Not a promise when it is at hand. */
  find(consentId: string): LiveConsent | undefined | Promise<LiveConsent | undefined> {
    const kept = this.kept.get(consentId);
    return kept ?? this.load(consentId);
  }

  /** Called with every change that this process makes, so that it need not wait for the feed. */
  forget(consentId: string): void {
    this.generation++;
    this.kept.delete(consentId);
  }

  private async load(consentId: string): Promise<LiveConsent | undefined> {
    const { generation } = this;
    const consent = await this.store.find(consentId);
    if (consent === undefined) return undefined;
    const live = toLive(consent, this.ids);
    if (this.hearing && generation === this.generation) this.kept.set(consentId, live);
    return live;
  }
}

export function accountId(ids: PublicIds, accountRef: string): string {
  return ids.of('account', '', accountRef);
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
