import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { errors, type ClientMetadata } from 'oidc-provider';
import { TppWithdrawalService } from '../../consents/tpp-withdrawal.service.js';
import type { Before } from '../../security/tpp-standing.store.js';
import { bodyFault } from '../../server/body-fault.js';
import { embeddedIssuer, tppId, type TppId } from '../../open-banking/tpp-id.js';
import type { Actor } from '../../trail/event-members.js';
import { Trail } from '../../trail/trail.js';
import { PagesByLanguage } from '../pages/pages.js';
import {
  METADATA_TERMS,
  metadataFault,
  type MetadataFault,
  type MetadataTerms,
  withRequestRules,
} from './client-metadata.policy.js';
import { tppEntries, type TppEntry } from './tpp-entry.js';
import { nameFault } from './tpp-name.policy.js';
import { TppStore, type Tpp } from './tpp.store.js';

/** The library's own check of client metadata. */
export abstract class ClientMetadataCheck {
  /** Rejects with the library's `InvalidClientMetadata`. */
  abstract validate(metadata: ClientMetadata): Promise<void>;
}

/** Checks every registration of a TPP, by the bank and by the TPP itself. */
@Injectable()
export class TppRegistry {
  constructor(
    private readonly tpps: TppStore,
    private readonly withdrawals: TppWithdrawalService,
    private readonly check: ClientMetadataCheck,
    private readonly trail: Trail,
    private readonly pages: PagesByLanguage,
    @Inject(METADATA_TERMS) private readonly terms: MetadataTerms,
  ) {}

  /** The reason why a TPP with this metadata cannot be registered. */
  async faultOfMetadata(metadata: ClientMetadata): Promise<MetadataFault | undefined> {
    const fault = metadataFault(metadata, this.terms);
    if (fault !== undefined) return fault;
    try {
      // As the library will read it: a fault that shows there alone would be found by the TPP, at its first request.
      await this.check.validate(withRequestRules(metadata));
      return undefined;
    } catch (error) {
      if (!(error instanceof errors.InvalidClientMetadata)) throw error;
      return { error: 'invalid_client_metadata', description: error.error_description ?? 'the metadata is not valid' };
    }
  }

  /** The fault of an entry in the bank's file. It begins with the path of the member at fault. */
  async faultOfEntry(entry: unknown): Promise<string | undefined> {
    if (!tppEntries.Check(entry)) return bodyFault(entry, tppEntries.Errors(entry)).details[0]?.message;
    const { clientId, name, metadata } = entry;
    const ofName = nameFault(name, this.pages.bankName);
    if (ofName !== undefined) return `name ${ofName}`;
    const registered = await this.tpps.find(clientId);
    if (registered?.software !== undefined || registered?.status === 'deleted')
      return 'clientId is that of a TPP that registered itself';
    const named = (metadata as { client_id?: unknown }).client_id;
    if (named !== undefined && named !== clientId) return 'metadata.client_id must be the clientId, or be omitted';
    const fault = await this.faultOfMetadata(toTpp(entry).metadata);
    if (fault === undefined) return undefined;
    // Nearly all messages of the library begin with the member's name.
    const separator = /^[a-z_]+[a-z0-9_.[\]]* (must|can|is|for)\b/.test(fault.description) ? '.' : ': ';
    return `metadata${separator}${fault.description}`;
  }

  /**
   * Registers or changes a faultless entry, and suspends the TPP first where the entry says so. Without `before`, writes
   * nothing where nothing changes.
   */
  async put(entry: TppEntry, by: Actor = 'bank', before?: Before): Promise<Tpp> {
    const tpp = toTpp(entry);
    if (entry.status === 'suspended') await this.suspend(tppId(embeddedIssuer, tpp.clientId), by);
    const registered = await this.tpps.find(tpp.clientId);
    const changes = !isDeepStrictEqual(registered, tpp);
    if (changes || before !== undefined) await this.tpps.save(tpp, before);
    if (changes)
      this.trail.happened({
        kind: 'tpp',
        event: registered === undefined ? 'registered' : 'changed',
        by,
        issuer: embeddedIssuer,
        tpp: tpp.clientId,
      });
    return tpp;
  }

  private async suspend(tpp: TppId, by: Actor): Promise<void> {
    const { suspendedAt } = await this.withdrawals.standing(tpp);
    if (suspendedAt === undefined) await this.withdrawals.suspend(tpp, by);
  }
}

function toTpp({ clientId, name, metadata }: TppEntry): Tpp {
  return { clientId, name, status: 'registered', metadata: { ...metadata, client_id: clientId } };
}
