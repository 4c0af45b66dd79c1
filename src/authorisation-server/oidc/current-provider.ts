import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { ClientMetadata } from 'oidc-provider';
import { BankClock, Clock } from '../../clock/clock.js';
import { ConsentService } from '../../consents/consent.service.js';
import { ClientCertificates } from '../../security/client-certificate.js';
import { DirectoryClient } from '../../security/directory.client.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { pageHeaders } from '../listeners/page-answer.js';
import { RequestLimits } from '../listeners/request-limits.js';
import { RequestRecords } from '../listeners/request-records.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { BankPages } from '../pages/bank-pages.js';
import { TppKeySets } from '../tpps/tpp-key-sets.js';
import { ClientMetadataCheck } from '../tpps/tpp.registry.js';
import { Artefacts } from './artefacts.js';
import { resumeCookie, validateMetadata } from './library-internals.js';
import { createProvider } from './provider.js';
import { BeginsJourneys, type ProviderParts } from './provider-parts.js';
import { SigningKeys } from './signing-keys.js';

/**
 * The library as it is now. It keeps the keys that it was made with: with other keys another one is made, and what is under
 * way at the former one ends there. Everything that either of them knows is in the database.
 */
@Injectable()
export class CurrentProvider implements ClientMetadataCheck {
  private provider: Provider;
  private callback: ReturnType<Provider['callback']>;

  constructor(
    private readonly keys: SigningKeys,
    private readonly artefacts: Artefacts,
    private readonly certificates: ClientCertificates,
    private readonly keySets: TppKeySets,
    private readonly consents: ConsentService,
    private readonly journeys: BeginsJourneys,
    private readonly records: RequestRecords,
    private readonly limits: RequestLimits,
    private readonly clock: Clock,
    private readonly bankClock: BankClock,
    private readonly settings: AuthorisationSettings,
    private readonly log: AuthorisationLog,
    private readonly pages: BankPages,
    @Inject(DirectoryClient) private readonly directory: DirectoryClient | undefined,
  ) {
    this.provider = createProvider(this.parts());
    this.callback = this.provider.callback();
    keys.onChange(() => {
      this.provider = createProvider(this.parts());
      this.callback = this.provider.callback();
    });
  }

  get(): Provider {
    return this.provider;
  }

  /** It answers its own failures: nothing is left to be waited for. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    // Without the database the keys of before are published on, and whatever needs the database fails by itself.
    void this.keys
      .refresh()
      .catch(() => undefined)
      .then(() => this.callback(request, response));
  }

  resumeCookie(uid: string): string {
    return resumeCookie(this.provider, uid);
  }

  validate(metadata: ClientMetadata): Promise<void> {
    return validateMetadata(this.provider, metadata);
  }

  private parts(): ProviderParts {
    const { consents, clock, bankClock, settings, log } = this;
    return {
      issuer: settings.issuer,
      tppUrl: settings.config.tpp.url,
      jwks: this.keys.privateJwks(),
      adapter: (model) => this.artefacts.of(model),
      nowMs: () => clock.nowMs(),
      bankNowMs: () => bankClock.nowMs(),
      certificates: this.certificates,
      keySets: this.keySets,
      registration: this.directory !== undefined,
      findConsent: (consentId) => consents.known(consentId),
      beginAuthorisation: async (consentId, authorisationId) =>
        (await consents.beginAuthorisation(consentId, authorisationId)) !== undefined,
      beginJourney: (interaction) => this.journeys.begin(interaction),
      limits: this.limits,
      renderError: (ctx, kind = 'bad-request') => {
        const { locale, html } = this.pages.for(ctx.req).journey.notice({ kind });
        ctx.set(pageHeaders({ locale }));
        ctx.body = html;
      },
      onClient: this.records.identify,
      onFault: log.fault,
    };
  }
}
