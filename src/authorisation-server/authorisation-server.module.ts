import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { AuthorisationServerConfig, GatewayConfig } from '../config/config.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { LastUseStore } from '../consents/last-use.store.js';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { Clock } from '../clock/clock.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { ClientCertificates } from '../security/tls/client-certificate.js';
import { SigningKeyStore } from '../security/signing-key.store.js';
import { SigningKeys } from '../security/signing-keys.js';
import { SecurityModule } from '../security/security.module.js';
import { AccessUses } from './access-uses.js';
import { AuthorisationListeners } from './authorisation-listeners.js';
import { AuthorisationMetrics } from './authorisation-metrics.js';
import { AuthorisationServer } from './authorisation-server.js';
import { CustomerAccess } from './dashboard/customer-access.js';
import { dashboardIdleMs, DashboardSessionStore } from './dashboard/dashboard-session.store.js';
import { DashboardSessions } from './dashboard/dashboard-sessions.js';
import { DashboardSignIn } from './dashboard/dashboard-sign-in.js';
import { DashboardRoutes } from './dashboard/dashboard.routes.js';
import { CustomerAccounts } from './journey/customer-accounts.js';
import { JourneyAnswers } from './journey/journey-answers.js';
import { JourneyArrival } from './journey/journey-arrival.js';
import { JourneyBegin } from './journey/journey-begin.js';
import { JourneyContextReader } from './journey/journey-context.js';
import { JourneyDecision } from './journey/journey-decision.js';
import { JourneyPages } from './journey/journey-pages.js';
import { JourneySignIn } from './journey/journey-sign-in.js';
import { JourneyRoutes } from './journey/journey.routes.js';
import { AuthorisationLog } from './listeners/authorisation-log.js';
import { ListenerFactory } from './listeners/listener-factory.js';
import { RequestLimits } from './listeners/request-limits.js';
import { AuthorisationSettings } from './listeners/settings.js';
import { readAuthorities } from './listeners/tpp-server.js';
import { Artefacts } from './oidc/artefacts.js';
import { GrantStore } from './oidc/grant.store.js';
import { CurrentProvider } from './oidc/current-provider.js';
import { EmbeddedTokens } from './oidc/embedded-tokens.js';
import { OidcRoutes } from './oidc/oidc.routes.js';
import { BeginsJourneys, LibraryServices } from './oidc/provider-parts.js';
import { TokenExchange } from './oidc/token-exchange.js';
import { checkedBrand } from './pages/brand/brand.js';
import { readBrandFile } from './pages/brand/brand-file.js';
import { PagesByLanguage } from './pages/pages.js';
import { PeriodicWork } from './periodic-work.js';
import { BankSignOn } from './sign-in/bank-sign-on.js';
import { JourneyTrail } from './sign-in/journey-trail.js';
import { JourneyStore } from './sign-in/journey.store.js';
import { SignIn } from './sign-in/service.js';
import { SignInLimits } from './sign-in/sign-in-limits.js';
import { journeyMs } from './sign-in/states.js';
import { ClientMetadataCheck } from './tpps/tpp.registry.js';
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
        ...tppsProviders(settings.directory),
        ...oidc,
        ...signIn,
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

const oidc: readonly Provider[] = [
  Artefacts,
  GrantStore,
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

const signIn: readonly Provider[] = [
  BankSignOn,
  JourneyStore,
  JourneyTrail,
  SignIn,
  SignInLimits,
  CustomerAccounts,
  JourneyAnswers,
  JourneyArrival,
  JourneyContextReader,
  JourneyDecision,
  JourneyPages,
  JourneyRoutes,
  JourneySignIn,
  { provide: BeginsJourneys, useClass: JourneyBegin },
  CustomerAccess,
  DashboardRoutes,
  DashboardSessions,
  DashboardSessionStore,
  DashboardSignIn,
];

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
      useFactory: ({ rules }: Profile) =>
        new PagesByLanguage({
          brand:
            settings.brandFile === undefined ? checkedBrand({ name: 'Your bank' }) : readBrandFile(settings.brandFile),
          timeZone: rules.timeZone,
          journeyMinutes: journeyMs / 60_000,
          dashboardIdleMinutes: dashboardIdleMs / 60_000,
        }),
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
