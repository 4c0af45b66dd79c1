import type { Provider } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { ClientMetadataCheck } from '../tpps/tpp.registry.js';
import { Artefacts } from './artefacts.js';
import { CurrentProvider } from './current-provider.js';
import { OidcRoutes } from './oidc.routes.js';
import { EmbeddedTokens } from './embedded-tokens.js';
import { LibraryServices } from './provider-parts.js';
import { SigningKeyStore } from '../../security/signing-key.store.js';
import { SigningKeys } from '../../security/signing-keys.js';
import { TokenExchange } from './token-exchange.js';

export const oidcProviders: readonly Provider[] = [
  Artefacts,
  CurrentProvider,
  LibraryServices,
  OidcRoutes,
  EmbeddedTokens,
  TokenExchange,
  { provide: ClientMetadataCheck, useExisting: CurrentProvider },
  {
    provide: SigningKeys,
    inject: [PrismaService, AuthorisationSettings, Clock],
    useFactory: (prisma: PrismaService, { config }: AuthorisationSettings, clock: Clock) =>
      SigningKeys.open(new SigningKeyStore(prisma), config.keyEncryptionKey, clock),
  },
];
