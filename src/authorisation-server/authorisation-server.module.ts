import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { AuthorisationServerConfig, GatewayConfig } from '../config/config.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { LastUseStore } from '../consents/last-use.store.js';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { ClientCertificates } from '../security/tls/client-certificate.js';
import { SecurityModule } from '../security/security.module.js';
import { AccessUses } from './access-uses.js';
import { AuthorisationListeners } from './authorisation-listeners.js';
import { AuthorisationMetrics } from './authorisation-metrics.js';
import { AuthorisationServer } from './authorisation-server.js';
import { loadPages } from './load-pages.js';
import { dashboardProviders } from './dashboard/dashboard.providers.js';
import { journeyProviders } from './journey/journey.providers.js';
import { AuthorisationLog } from './listeners/authorisation-log.js';
import { ListenerFactory } from './listeners/listener-factory.js';
import { RequestLimits } from './listeners/request-limits.js';
import { AuthorisationSettings } from './listeners/settings.js';
import { readAuthorities } from './listeners/tpp-server.js';
import { oidcProviders } from './oidc/oidc.providers.js';
import { PagesByLanguage } from './pages/pages.js';
import { PeriodicWork } from './periodic-work.js';
import { signInProviders } from './sign-in/sign-in.providers.js';
import { tppsProviders } from './tpps/tpps.providers.js';

/** The embedded authorization server. Loaded only where it is switched on: the library and the pages cost memory and time. */
@Module({})
export class AuthorisationServerModule {
  static forRoot(config: GatewayConfig, settings: AuthorisationServerConfig): DynamicModule {
    return {
      module: AuthorisationServerModule,
      imports: [ConsentsModule, CoreBankingModule, OutgoingModule, QuotasModule, SecurityModule],
      providers: [
        ...configured(config, settings),
        ...tppsProviders,
        ...oidcProviders,
        ...signInProviders,
        ...journeyProviders,
        ...dashboardProviders,
        ListenerFactory,
        AuthorisationListeners,
        AccessUses,
        AuthorisationLog,
        AuthorisationMetrics,
        LastUseStore,
        PeriodicWork,
        RequestLimits,
        AuthorisationServer,
      ],
      exports: [AuthorisationServer],
    };
  }
}

function configured({ proxy, cores }: GatewayConfig, settings: AuthorisationServerConfig): Provider[] {
  return [
    {
      provide: AuthorisationSettings,
      inject: [PROFILE],
      useFactory: (profile: Profile) =>
        new AuthorisationSettings(settings, profile, Math.max(...cores.map(({ deadlineMs }) => deadlineMs))),
    },
    {
      provide: PagesByLanguage,
      inject: [PROFILE],
      useFactory: ({ rules }: Profile) => loadPages(settings.brandFile, rules.timeZone),
    },
    // A proxy names the certificate of a TPP only where the proxy ends the TPP's TLS.
    {
      provide: ClientCertificates,
      useValue: new ClientCertificates(
        proxy,
        readAuthorities(settings.tpp),
        settings.tpp.tls?.clientCrlFile !== undefined,
      ),
    },
  ];
}

export { AuthorisationServer };
