import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { ClientMetadata } from 'oidc-provider';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../config/config.js';
import { errorsPagePath } from '../../server/error-names.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { ClientMetadataCheck } from '../tpps/tpp.registry.js';
import { Artefacts } from './artefacts.js';
import { resumeCookie } from './library-internals.js';
import { createProvider } from './provider.js';
import { LibraryServices, type ProviderParts } from './provider-parts.js';
import { SigningKeys } from '../../security/signing-keys.js';
import { TokenExchange } from './token-exchange.js';

/**
 * The present instance of the library. An instance keeps its keys, so new keys need a new instance. Requests that are under
 * way end at the previous instance. Both instances keep all their data in the database.
 */
@Injectable()
export class CurrentProvider implements ClientMetadataCheck {
  private provider: Provider;
  private callback: ReturnType<Provider['callback']>;

  constructor(
    private readonly keys: SigningKeys,
    private readonly artefacts: Artefacts,
    private readonly services: LibraryServices,
    private readonly exchange: TokenExchange,
    private readonly settings: AuthorisationSettings,
    private readonly log: AuthorisationLog,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
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

  /** Resolves when the library has answered; it answers its failures itself. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Without the database the previous keys stay published, and requests that need the database fail by themselves.
    await this.keys.refresh().catch(() => undefined);
    await this.callback(request, response);
  }

  resumeCookie(uid: string): string {
    return resumeCookie(this.provider, uid);
  }

  validate(metadata: ClientMetadata): Promise<void> {
    return this.provider.Client.validate(metadata);
  }

  private parts(): ProviderParts {
    const { services, exchange, settings, log } = this;
    const jwks = this.keys.privateJwks();
    const helpUrl = `${this.config.baseUrl}${errorsPagePath}`;
    return { ...services, exchange, settings, log, jwks, helpUrl, adapter: (model) => this.artefacts.storeOf(model) };
  }
}
