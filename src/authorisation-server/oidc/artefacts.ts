import { Inject, Injectable } from '@nestjs/common';
import type { Adapter } from 'oidc-provider';
import { Clock } from '../../clock/clock.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { METADATA_TERMS, type MetadataTerms } from '../tpps/client-metadata.policy.js';
import { GoodStanding } from '../tpps/good-standing.js';
import { TppKeySets } from '../tpps/tpp-key-sets.js';
import { TppStore } from '../tpps/tpp.store.js';
import { ArtefactStore, noSessions } from './artefact.store.js';
import { clientStore } from './client.store.js';
import { GrantStore } from './grant.store.js';
import { TokenExchange } from './token-exchange.js';

/** The library's storage: one store for each of its models. */
@Injectable()
export class Artefacts {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly grants: GrantStore,
    private readonly exchange: TokenExchange,
    private readonly tpps: TppStore,
    private readonly standing: GoodStanding,
    private readonly keySets: TppKeySets,
    @Inject(METADATA_TERMS) private readonly terms: MetadataTerms,
  ) {}

  storeOf(model: string): Adapter {
    if (model === 'Client') return clientStore(this.tpps, this.standing, this.keySets, this.terms, this.clock);
    if (model === 'Session') return noSessions;
    if (model === 'Grant') return this.grants;
    return new ArtefactStore(model, this.prisma, this.clock, this.exchange);
  }
}
