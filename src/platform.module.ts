import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { FastifyBaseLogger } from 'fastify';
import { Readiness } from './bank-facing/readiness.js';
import { Clock } from './clock/clock.js';
import type { GatewayConfig } from './config/config.js';
import { ConsentRequestGuard } from './consents/consent-request.guard.js';
import { ConsentGuard } from './consents/consent.guard.js';
import { ConsentRewriting } from './consents/consent-rewriting.js';
import { ConsentService } from './consents/consent.service.js';
import { ConsentStore } from './consents/consent.store.js';
import { ConsentsController } from './consents/consents.controller.js';
import { LiveConsentGuard } from './consents/live-consent.guard.js';
import { LiveConsents } from './consents/live-consents.js';
import { PrismaConsentStore } from './consents/prisma-consent.store.js';
import { RevocationJournal } from './consents/revocation-journal.js';
import { TppWithdrawalService } from './consents/tpp-withdrawal.service.js';
import { CoreBanking } from './core-banking/core-banking.js';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { ErrorResponder } from './http/error-responder.js';
import { faultRecord } from './http/fault-record.js';
import { Metrics } from './http/metrics.js';
import { QueryGuard } from './endpoint/query.guard.js';
import { ResourceReader } from './endpoint/resource-reader.js';
import { PageCursors } from './open-banking/page-cursor.js';
import { PublicIds } from './open-banking/public-ids.js';
import { ChangeFeed } from './persistence/change-feed.js';
import { PrismaService } from './persistence/prisma.service.js';
import type { Profile } from './profiles/profile.js';
import { UnattendedAccessGuard } from './quotas/unattended-access.guard.js';
import { UnattendedAccess } from './quotas/unattended-access.js';
import { AuthenticationWindowGuard } from './sca/authentication-window.guard.js';
import { ClientCertificates } from './security/client-certificate.js';
import { PrismaProofStore } from './security/prisma-proof.store.js';
import { TokenVerifier } from './security/token-verifier.js';
import { TppGuard } from './security/tpp.guard.js';
import { TppStandingGuard } from './security/tpp-standing.guard.js';
import { TppStandingStore } from './security/tpp-standing.store.js';

export interface PlatformParts {
  readonly config: GatewayConfig;
  readonly profile: Profile;
  readonly adapter: CoreAdapter;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly errors: ErrorResponder;
  readonly journal: RevocationJournal;
  readonly log: FastifyBaseLogger;
}

/** What every resource stands on. The global guards run in the order in which they are listed: design.md, steps 3 and 4. */
@Module({})
export class PlatformModule {
  static forRoot({ config, profile, adapter, clock, metrics, errors, journal, log }: PlatformParts): DynamicModule {
    const providers: Provider[] = [
      { provide: Clock, useValue: clock },
      { provide: Metrics, useValue: metrics },
      { provide: RevocationJournal, useValue: journal },
      { provide: PublicIds, useValue: new PublicIds(config.idKey) },
      { provide: PageCursors, useValue: new PageCursors(config.idKey) },
      {
        provide: CoreBanking,
        useValue: new CoreBanking(adapter, metrics, () => clock.nowMs(), config.core.connections),
      },
      {
        provide: ResourceReader,
        inject: [CoreBanking, PublicIds],
        useFactory: (core: CoreBanking, ids: PublicIds) =>
          new ResourceReader(core, ids, profile.endpoints, config.core.deadlineMs, {
            amounts: profile.amounts,
            pendingFields: profile.pendingFields,
            accountSubTypes: profile.accountSubTypes,
            bankTimeZone: config.bankTimeZone,
            pageSize: config.pageSize,
          }),
      },
      {
        provide: ConsentStore,
        inject: [PrismaService],
        useFactory: (prisma: PrismaService) => new PrismaConsentStore(prisma),
      },
      {
        provide: LiveConsents,
        inject: [ConsentStore, ChangeFeed, PublicIds],
        useFactory: (store: ConsentStore, changes: ChangeFeed, ids: PublicIds) => new LiveConsents(store, changes, ids),
      },
      {
        provide: ConsentService,
        inject: [ConsentStore, LiveConsents, CoreBanking],
        useFactory: (store: ConsentStore, live: LiveConsents, core: CoreBanking) =>
          new ConsentService(
            store,
            live,
            core,
            config.statusAfterWithdrawal,
            config.consentAuthorisationMs,
            clock,
            journal,
          ),
      },
      {
        provide: LiveConsentGuard,
        inject: [LiveConsents],
        useFactory: (live: LiveConsents) => new LiveConsentGuard(live, clock),
      },
      {
        provide: TppStandingStore,
        inject: [PrismaService, ChangeFeed],
        useFactory: (prisma: PrismaService, changes: ChangeFeed) => new TppStandingStore(prisma, changes),
      },
      {
        provide: TppStandingGuard,
        inject: [TppStandingStore],
        useFactory: (standings: TppStandingStore) => new TppStandingGuard(standings),
      },
      {
        provide: ConsentRewriting,
        inject: [TppStandingStore],
        useFactory: (standings: TppStandingStore) =>
          new ConsentRewriting(standings, (error) =>
            log.warn(faultRecord(error), 'consents could not be rewritten; it is tried again'),
          ),
      },
      {
        provide: TppWithdrawalService,
        inject: [TppStandingStore, LiveConsents, ConsentRewriting],
        useFactory: (standings: TppStandingStore, live: LiveConsents, rewriting: ConsentRewriting) =>
          new TppWithdrawalService(standings, live, rewriting, journal, clock),
      },
      { provide: ClientCertificates, useFactory: () => new ClientCertificates(config.proxy) },
      { provide: TokenVerifier, useFactory: () => new TokenVerifier(config.issuers, clock) },
      {
        provide: TppGuard,
        inject: [TokenVerifier, ClientCertificates, PrismaService],
        useFactory: (tokens: TokenVerifier, certificates: ClientCertificates, prisma: PrismaService) =>
          new TppGuard(tokens, certificates, new PrismaProofStore(prisma), clock),
      },
      {
        provide: Readiness,
        inject: [PrismaService, CoreBanking, ChangeFeed],
        useFactory: (prisma: PrismaService, core: CoreBanking, changes: ChangeFeed) =>
          new Readiness(prisma, core, changes),
      },
      { provide: APP_GUARD, useFactory: () => new ConsentRequestGuard(profile.refusedPermissions, clock) },
      { provide: APP_GUARD, useClass: ConsentGuard },
      { provide: APP_GUARD, useClass: QueryGuard },
      {
        provide: APP_GUARD,
        useFactory: () =>
          new AuthenticationWindowGuard(
            { lengthMs: config.authenticationWindowMs, exemptHistoryMs: config.exemptHistoryMs },
            clock,
          ),
      },
      {
        provide: UnattendedAccess,
        inject: [PrismaService],
        useFactory: (prisma: PrismaService) => new UnattendedAccess(config.unattendedAccess, prisma, clock),
      },
      {
        provide: APP_GUARD,
        inject: [UnattendedAccess],
        useFactory: (access: UnattendedAccess) =>
          new UnattendedAccessGuard(access, config.authenticationWindowMs, clock),
      },
      { provide: APP_FILTER, useValue: errors },
    ];
    return {
      module: PlatformModule,
      global: true,
      controllers: [ConsentsController],
      providers,
      exports: [
        ResourceReader,
        PageCursors,
        // For the authorization server, which is loaded later.
        Clock,
        ConsentService,
        Metrics,
        RevocationJournal,
        TokenVerifier,
        TppStandingStore,
      ],
    };
  }
}
