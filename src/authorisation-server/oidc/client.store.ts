import type { Adapter, AdapterPayload } from 'oidc-provider';
import { usableMetadata, withRequestRules, type MetadataTerms } from '../tpps/client-metadata.policy.js';
import type { GoodStanding } from '../tpps/good-standing.js';
import type { TppStore } from '../tpps/tpp.store.js';

/**
 * The registered TPPs as the library asks for them. One that is not in good standing is not there: its next request is
 * refused. How a TPP must send its requests is said here, so that it holds for every row, whoever wrote it and when.
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
    return notTheLibrarys();
  }
  destroy(): Promise<never> {
    return notTheLibrarys();
  }
  consume(): Promise<never> {
    return notTheLibrarys();
  }
  findByUid(): Promise<never> {
    return notTheLibrarys();
  }
  findByUserCode(): Promise<never> {
    return notTheLibrarys();
  }
  revokeByGrantId(): Promise<never> {
    return notTheLibrarys();
  }
}

function notTheLibrarys(): Promise<never> {
  return Promise.reject(new Error('TPPs are registered by the registry, not by the library'));
}
