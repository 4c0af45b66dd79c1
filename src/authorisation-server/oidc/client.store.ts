import type { Adapter, ClientMetadata } from 'oidc-provider';
import type { Clock } from '../../clock/clock.js';
import { DocumentUnavailable } from '../../security/tpp-document.client.js';
import { usableMetadata, withRequestRules, type MetadataTerms } from '../tpps/client-metadata.policy.js';
import type { GoodStanding } from '../tpps/good-standing.js';
import type { TppKeySets } from '../tpps/tpp-key-sets.js';
import { certifiedOrganisation, inGoodStanding, scopesOf } from '../tpps/tpp.policy.js';
import type { TppStore } from '../tpps/tpp.store.js';

/** A member of a client whose keys its server does not give, so that nothing that it signs is accepted. */
export const keysUnreachable = 'keys_unreachable';
/** A member of a client with the scopes of the API that it may ask for. */
export const apiScopes = 'api_scopes';

/**
 * Gives the library the registered TPPs, with the keys that they publish: the library would keep these for as long as the TPP's
 * server says. A TPP that is not in good standing is omitted, so its next request is refused.
 * The rules for how a TPP sends requests are applied here, so they hold for every row, also for old ones.
 */
export function clientStore(
  tpps: TppStore,
  standing: GoodStanding,
  keySets: TppKeySets,
  terms: Pick<MetadataTerms, 'sandbox'>,
  clock: Clock,
): Adapter {
  return {
    async find(clientId) {
      const tpp = await tpps.findForCheck(clientId, (cached) => inGoodStanding(cached, clock.nowMs()));
      if (tpp === undefined || !(await standing.isOf(tpp))) return undefined;
      const metadata = usableMetadata(tpp.metadata, terms);
      if (metadata === undefined) return undefined;
      // The registry takes no members of these names from a TPP.
      const own = { organisation: certifiedOrganisation(tpp), [apiScopes]: scopesOf(tpp) };
      const client = { ...(await withKeys(withRequestRules(metadata), keySets)), ...own };
      // The library changes its copy, and the rows and keys serve other requests too.
      return JSON.parse(JSON.stringify(client)) as ClientMetadata;
    },
    upsert: refuse,
    destroy: refuse,
    consume: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    revokeByGrantId: refuse,
  };
}

async function withKeys(metadata: ClientMetadata, keySets: TppKeySets): Promise<ClientMetadata> {
  const { jwks_uri: url, ...rest } = metadata;
  if (url === undefined) return metadata;
  try {
    const { keys } = await keySets.keys(url);
    return { ...rest, jwks: { keys } };
  } catch (error) {
    if (!(error instanceof DocumentUnavailable)) throw error;
    // A request that needs no signature, such as the way back to the TPP, goes on.
    return { ...rest, jwks: { keys: [] }, [keysUnreachable]: true };
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('TPPs are registered by the registry, not by the library'));
}
