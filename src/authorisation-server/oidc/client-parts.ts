import { Inject, Injectable } from '@nestjs/common';
import { ClientCertificates } from '../../security/tls/client-certificate.js';
import { DirectoryClient } from '../../security/directory.client.js';
import { RequestLimits } from '../listeners/request-limits.js';
import { RequestRecords } from '../listeners/request-records.js';
import { TppKeySets } from '../tpps/tpp-key-sets.js';
import type { ProviderParts } from './provider-parts.js';

/** The parts by which the library knows TPPs as its clients. */
@Injectable()
export class ClientParts {
  readonly parts: Pick<
    ProviderParts,
    'certificates' | 'keySets' | 'registration' | 'limits' | 'onClient' | 'onProof' | 'onRefusal' | 'onFailure'
  >;

  constructor(
    certificates: ClientCertificates,
    keySets: TppKeySets,
    limits: RequestLimits,
    records: RequestRecords,
    @Inject(DirectoryClient) directory: DirectoryClient | undefined,
  ) {
    const registration = directory !== undefined;
    const { identify: onClient, proven: onProof, refused: onRefusal, failed: onFailure } = records;
    this.parts = { certificates, keySets, registration, limits, onClient, onProof, onRefusal, onFailure };
  }
}
