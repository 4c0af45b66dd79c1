import type { JWK } from 'jose';
import { errors, type Client, type Provider } from 'oidc-provider';
import { NotToBeHad } from '../../security/stated-document.client.js';
import type { TppKeySets } from '../tpps/tpp-key-sets.js';

/**
 * The library's keys of one client, as it uses them: it selects keys, and where they verify nothing and are not `fresh`, it
 * refreshes them and tries again (`lib/helpers/jwt.js`, `lib/models/client.js` of 9.13).
 */
interface LibraryKeys {
  fresh(): boolean;
  refresh(): Promise<void>;
  selectForVerify(options: object): JWK[];
  clear(): void;
  add(key: JWK): void;
}

/**
 * Gives clients that registered a `jwks_uri` the keys of {@link TppKeySets}. The library itself keeps a key for as long as
 * the TPP's server says, and longer: for as long as nobody signs with an unknown one.
 */
export function useKeySets(provider: Provider, keySets: TppKeySets): void {
  const library = provider.Client as unknown as { find(id: string): Promise<Client | undefined> };
  const find = library.find.bind(library);
  const governed = new WeakSet<Client>();
  library.find = async (id) => {
    const client = await find(id);
    if (client !== undefined && !governed.has(client)) {
      governed.add(client);
      const { jwksUri, asymmetricKeyStore } = client as Client & { jwksUri?: string; asymmetricKeyStore: LibraryKeys };
      if (jwksUri !== undefined) govern(asymmetricKeyStore, jwksUri, keySets);
    }
    return client;
  };
}

function govern(keys: LibraryKeys, url: string, keySets: TppKeySets): void {
  const select = keys.selectForVerify.bind(keys);
  let taken: object | undefined;
  const take = (): void => {
    const atHand = keySets.atHand(url);
    if (atHand === taken) return;
    taken = atHand;
    keys.clear();
    // The library writes into them.
    for (const key of atHand?.keys ?? []) keys.add({ ...key });
  };
  keys.selectForVerify = (options) => {
    take();
    return select(options);
  };
  keys.fresh = () => !keySets.canRead(url);
  keys.refresh = async () => {
    try {
      await keySets.read(url);
    } catch (error) {
      if (!(error instanceof NotToBeHad)) throw error;
      if (keySets.atHand(url) === undefined)
        throw new errors.InvalidClientMetadata('the key set of jwks_uri cannot be had');
    }
    take();
  };
}
