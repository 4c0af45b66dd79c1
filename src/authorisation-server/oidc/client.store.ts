import type { Adapter, AdapterPayload } from 'oidc-provider';
import { usableMetadata, withRequestRules, type MetadataTerms } from '../tpps/client-metadata.policy.js';
import type { GoodStanding } from '../tpps/good-standing.js';
import type { TppStore } from '../tpps/tpp.store.js';

/**
 * Gives the library the registered TPPs. A TPP that is not in good standing is left out, so its next request is refused.
 * The rules for how a TPP sends requests are applied here, so they hold for every row, also for old ones.
 */
export class ClientStore implements Adapter {
  constructor(
    private readonly tpps: TppStore,
    private readonly standing: GoodStanding,
    private readonly terms: Pick<MetadataTerms, 'sandbox'>,
  ) {}

  async find(clientId: string): Promise<AdapterPayload | undefined> {
    const tpp = await this.tpps.find(clientId);
    if (tpp === undefined || !(await this.standing.isOf(tpp))) return undefined;
    const metadata = usableMetadata(tpp.metadata, this.terms);
    return metadata && withRequestRules(metadata);
  }

  upsert(): Promise<never> {
    return refuseToWrite();
  }
  destroy(): Promise<never> {
    return refuseToWrite();
  }
  consume(): Promise<never> {
    return refuseToWrite();
  }
  findByUid(): Promise<never> {
    return refuseToWrite();
  }
  findByUserCode(): Promise<never> {
    return refuseToWrite();
  }
  revokeByGrantId(): Promise<never> {
    return refuseToWrite();
  }
}

function refuseToWrite(): Promise<never> {
  return Promise.reject(new Error('TPPs are registered by the registry, not by the library'));
}
