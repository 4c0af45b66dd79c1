import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { LazyModuleLoader } from '@nestjs/core';
import { Clock } from '../clock/clock.js';
import { defaultSignIn, type AuthorisationServerConfig, type ProxyConfig } from '../config/config.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { LastUseStore } from '../consents/last-use.store.js';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { CurrentCustomers } from '../customer-authentication/current-customers.js';
import { Metrics } from '../observability/metrics.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { PrismaService } from '../persistence/prisma.service.js';
import type { Profile } from '../profiles/profile.js';
import { ClientCertificates } from '../security/client-certificate.js';
import { sourceAddresses } from '../security/source-address.js';
import { SecurityModule } from '../security/security.module.js';
import { AuthorisationListeners, SERVER_PARTS, type ServerParts } from './authorisation-listeners.js';
import { AuthorisationServer } from './authorisation-server.js';
import { bankPages } from './bank-pages.js';
import { dashboardProviders } from './dashboard/dashboard.providers.js';
import { journeyProviders } from './journey/journey.providers.js';
import { AuthorisationLog } from './listeners/authorisation-log.js';
import { RequestLimits } from './listeners/request-limits.js';
import { RequestRecords } from './listeners/request-records.js';
import { AuthorisationSettings } from './listeners/settings.js';
import { readAuthorities } from './listeners/tpp-server.js';
import { oidcProviders } from './oidc/oidc.providers.js';
import { BankPages } from './pages/bank-pages.js';
import { PeriodicWork } from './periodic-work.js';
import { tppsProviders } from './tpps/tpps.providers.js';

export interface AuthorisationServerParts extends ServerParts {
  readonly config: AuthorisationServerConfig;
  readonly proxy: ProxyConfig | undefined;
  readonly customers: CurrentCustomers;
  readonly profile: Profile;
  readonly coreDeadlineMs: number;
  /** The zone in which customers are told dates and times. */
  readonly timeZone: string;
}

/** The embedded authorization server. Loaded only where it is switched on: the library and the pages cost memory and time. */
@Module({})
export class AuthorisationServerModule {
  /** @throws BootError for a file of TPPs with a fault, and for keys that cannot be unsealed */
  static async load(loader: LazyModuleLoader, parts: AuthorisationServerParts): Promise<AuthorisationServer> {
    const module = await loader.load(() => AuthorisationServerModule.forRoot(parts));
    const server = module.get(AuthorisationServer);
    await server.prepare();
    return server;
  }

  private static forRoot(parts: AuthorisationServerParts): DynamicModule {
    return {
      module: AuthorisationServerModule,
      imports: [ConsentsModule, CoreBankingModule, OutgoingModule, SecurityModule],
      providers: [
        ...given(parts),
        ...tppsProviders,
        ...oidcProviders,
        ...journeyProviders,
        ...dashboardProviders,
        AuthorisationListeners,
        PeriodicWork,
        AuthorisationServer,
      ],
    };
  }
}

/** Values from the configuration and from the gateway around it. */
function given(parts: AuthorisationServerParts): Provider[] {
  const { config, profile, coreDeadlineMs, customers, log, proxy } = parts;
  return [
    { provide: SERVER_PARTS, useValue: parts },
    { provide: AuthorisationSettings, useValue: new AuthorisationSettings(config, profile, coreDeadlineMs) },
    { provide: AuthorisationLog, useValue: new AuthorisationLog(log) },
    { provide: BankPages, useValue: bankPages(config.brandFile, parts.timeZone) },
    { provide: CurrentCustomers, useValue: customers },
    // A proxy speaks for TPPs where it ends their TLS, and for nobody on a listener that ends it itself.
    { provide: ClientCertificates, useFactory: () => new ClientCertificates(proxy, readAuthorities(config.tpp)) },
    {
      provide: RequestLimits,
      inject: [ClientCertificates, Clock, AuthorisationSettings],
      useFactory: (certificates: ClientCertificates, clock: Clock, { knowsBrowsers }: AuthorisationSettings) =>
        new RequestLimits({
          limits: config.limits,
          certificates,
          clock,
          addressOfTpp: sourceAddresses(proxy?.trustedPeers ?? []),
          addressOfBrowser: knowsBrowsers ? sourceAddresses((config.signIn ?? defaultSignIn).proxies) : () => undefined,
        }),
    },
    {
      provide: RequestRecords,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => new RequestRecords(metrics),
    },
    {
      provide: LastUseStore,
      inject: [PrismaService],
      useFactory: (prisma: PrismaService) => new LastUseStore(prisma),
    },
  ];
}
