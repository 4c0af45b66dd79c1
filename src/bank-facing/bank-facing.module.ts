import { Module } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { Cores } from '../core-banking/cores.js';
import { EventsModule } from '../events/events.module.js';
import { OutagesModule } from '../outages/outages.module.js';
import { PrismaService } from '../persistence/prisma.service.js';
import {
  expiredCertificates,
  expiredRevocationLists,
  LISTENERS_TLS,
  shownCertificates,
  type ListenersTls,
} from '../security/tls/listeners-tls.js';
import { SecurityModule } from '../security/security.module.js';
import { TokenVerifier } from '../security/tokens/token-verifier.js';
import { Listeners } from '../server/listeners.js';
import { SegmentScan } from '../trail/segment-scan.js';
import { Trail } from '../trail/trail.js';
import { BankCallerCheck } from './bank-caller.check.js';
import { Acts } from './cases/acts.js';
import { AskedScope } from './cases/asked-scope.js';
import { CaseRoutes } from './cases/case.routes.js';
import { ProposalRoutes } from './cases/proposal.routes.js';
import { BANK_ROUTES, BankFacingServer, type BankRoutes } from './bank-facing.server.js';
import { ConsentRoutes } from './consent.routes.js';
import { NamedTpps } from './named-tpps.js';
import { OperationRoutes } from './operation.routes.js';
import { OperatorRoutes } from './operators/operator.routes.js';
import { OperatorStore } from './operators/operator.store.js';
import { OutageRoutes } from './outage.routes.js';
import { Readiness } from './readiness.js';
import { SignInRoutes } from './sign-in.routes.js';
import { SigningKeyRoutes } from './signing-key.routes.js';
import { TrailRoutes } from './trail.routes.js';
import { TppStandingRoutes } from './tpp-standing.routes.js';
import { TppRoutes } from './tpp.routes.js';

const bankRoutes = [
  ConsentRoutes,
  SignInRoutes,
  TppStandingRoutes,
  TppRoutes,
  SigningKeyRoutes,
  TrailRoutes,
  OperatorRoutes,
  CaseRoutes,
  ProposalRoutes,
  OutageRoutes,
] as const;

@Module({
  imports: [ConsentsModule, CoreBankingModule, EventsModule, OutagesModule, SecurityModule],
  providers: [
    {
      provide: Readiness,
      inject: [PrismaService, Cores, Listeners, TokenVerifier, LISTENERS_TLS, Clock, Trail],
      useFactory: readinessOf,
    },
    {
      provide: SegmentScan,
      inject: [GATEWAY_CONFIG],
      useFactory: ({ trail }: GatewayConfig) => new SegmentScan(trail.directory),
    },
    NamedTpps,
    OperatorStore,
    BankCallerCheck,
    OperationRoutes,
    ...bankRoutes,
    Acts,
    AskedScope,
    { provide: BANK_ROUTES, inject: [...bankRoutes], useFactory: (...routes: BankRoutes[]) => routes },
    BankFacingServer,
  ],
  exports: [Readiness],
})
export class BankFacingModule {}

function readinessOf(
  prisma: PrismaService,
  cores: Cores,
  listeners: Listeners,
  tokens: TokenVerifier,
  tls: ListenersTls,
  clock: Clock,
  trail: Trail,
): Readiness {
  const readiness = new Readiness(prisma.database, cores.all, listeners);
  readiness.needs(async () =>
    (await tokens.withoutKeys()).map((issuer) => `the keys of the issuer ${issuer} cannot be fetched`),
  );
  readiness.needs(() => expiredCertificates(shownCertificates(tls), clock.nowMs()));
  readiness.needs(() => expiredRevocationLists(tls, clock.nowMs()));
  readiness.needs(() => (trail.mustRefuse ? ['the decision trail cannot be written'] : []));
  return readiness;
}
