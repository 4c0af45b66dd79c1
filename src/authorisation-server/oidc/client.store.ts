import type { Adapter } from 'oidc-provider';
import { usableMetadata, withRequestRules, type MetadataTerms } from '../tpps/client-metadata.policy.js';
import type { GoodStanding } from '../tpps/good-standing.js';
import { certifiedOrganisation } from '../tpps/tpp.policy.js';
import type { TppStore } from '../tpps/tpp.store.js';

/**
 * Gives the library the registered TPPs. A TPP that is not in good standing is left out, so its next request is refused.
 * The rules for how a TPP sends requests are applied here, so they hold for every row, also for old ones.
 */
export function clientStore(tpps: TppStore, standing: GoodStanding, terms: Pick<MetadataTerms, 'sandbox'>): Adapter {
  return {
    async find(clientId) {
      const tpp = await tpps.find(clientId);
      if (tpp === undefined || !(await standing.isOf(tpp))) return undefined;
      const metadata = usableMetadata(tpp.metadata, terms);
      // The registry takes no member of this name from a TPP.
      return metadata && { ...withRequestRules(metadata), organisation: certifiedOrganisation(tpp) };
    },
    upsert: refuse,
    destroy: refuse,
    consume: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    revokeByGrantId: refuse,
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('TPPs are registered by the registry, not by the library'));
}
