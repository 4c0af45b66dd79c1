import { isDeepStrictEqual } from 'node:util';
import { errors, type ClientMetadata } from 'oidc-provider';
import { bodyFault } from '../../http/body-fault.js';
import { isHttpsUrl } from '../../security/stated-url.policy.js';
import { metadataFault, type MetadataFault, type MetadataTerms } from './client-metadata.policy.js';
import { tppEntries, type TppEntry } from './tpp-entry.js';
import type { Tpp, TppStore } from './tpp.store.js';

export interface TppRegistryParts {
  readonly tpps: TppStore;
  /** The library's own check of client metadata; rejects with its `InvalidClientMetadata`. */
  readonly validate: (metadata: ClientMetadata) => Promise<void>;
  readonly terms: MetadataTerms;
  /** A TPP was registered that states a logo somewhere. */
  readonly onLogo: () => void;
}

/** Who may be registered as a TPP, whichever way it comes. */
export class TppRegistry {
  constructor(private readonly parts: TppRegistryParts) {}

  /** What forbids to register a TPP with this metadata. */
  async faultOfMetadata(metadata: ClientMetadata): Promise<MetadataFault | undefined> {
    const fault = metadataFault(metadata, this.parts.terms);
    if (fault !== undefined) return fault;
    try {
      await this.parts.validate(metadata);
      return undefined;
    } catch (error) {
      if (!(error instanceof errors.InvalidClientMetadata)) throw error;
      return { error: 'invalid_client_metadata', description: error.error_description ?? 'the metadata is not valid' };
    }
  }

  /** What is wrong with an entry of the bank's, in words that begin with the path of the member at fault. */
  async faultOfEntry(entry: unknown): Promise<string | undefined> {
    if (!tppEntries.Check(entry)) return bodyFault(entry, tppEntries.Errors(entry)).details[0]?.message;
    const { clientId, logo, metadata } = entry;
    if (logo !== undefined && !logo.startsWith('data:') && !isHttpsUrl(logo))
      return 'logo must be an https URL of one host, or a data URL of an image';
    const known = await this.parts.tpps.find(clientId);
    if (known?.software !== undefined || known?.status === 'deleted')
      return 'clientId is that of a TPP that registered itself';
    const named = (metadata as { client_id?: unknown }).client_id;
    if (named !== undefined && named !== clientId) return 'metadata.client_id must be the clientId, or be left out';
    const fault = await this.faultOfMetadata(toTpp(entry).metadata);
    if (fault === undefined) return undefined;
    // The library names the member first in nearly all that it says.
    const separator = /^[a-z_]+[a-z0-9_.[\]]* (must|can|is|for)\b/.test(fault.description) ? '.' : ': ';
    return `metadata${separator}${fault.description}`;
  }

  /** Registers a faultless entry, or changes what is registered. Nothing is written where nothing changes. */
  async put(entry: TppEntry): Promise<Tpp> {
    const tpp = toTpp(entry);
    const known = await this.parts.tpps.find(tpp.clientId);
    const after = { ...tpp, status: known?.status === 'suspended' ? known.status : tpp.status };
    if (!isDeepStrictEqual(known, after)) await this.parts.tpps.save(tpp);
    if (tpp.logo !== undefined && tpp.logo !== known?.logo) this.parts.onLogo();
    return after;
  }
}

function toTpp({ clientId, name, logo, status, metadata }: TppEntry): Tpp {
  return {
    clientId,
    name,
    ...(logo !== undefined && { logo }),
    status: status === 'suspended' ? 'suspended' : 'active',
    metadata: { ...metadata, client_id: clientId },
  };
}
