import { Module } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { CoreBanking } from '../core-banking/core-banking.js';
import { EmbeddedAuthorisationServerModule } from '../authorisation-server/embedded-authorisation-server.module.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { expiredCertificates, LISTENERS_TLS, shownCertificates, type ListenersTls } from '../security/listeners-tls.js';
import { SecurityModule } from '../security/security.module.js';
import { TokenVerifier } from '../security/token-verifier.js';
import { BankCredentials, credentialsOf } from './bank-credentials.js';
import { BankCallerCheck } from './bank-caller.check.js';
import { BankFacingServer } from './bank-facing.server.js';
import { ConsentRoutes } from './consent.routes.js';
import { NamedTpps } from './named-tpps.js';
import { OperationRoutes } from './operation.routes.js';
import { Readiness } from './readiness.js';
import { SignInRoutes } from './sign-in.routes.js';
import { SigningKeyRoutes } from './signing-key.routes.js';
import { TppStandingRoutes } from './tpp-standing.routes.js';
import { TppRoutes } from './tpp.routes.js';

/** The bank's own port: consents, TPPs, health and metrics. */
@Module({
  imports: [ConsentsModule, CoreBankingModule, SecurityModule, EmbeddedAuthorisationServerModule],
  providers: [
    {
      provide: BankCredentials,
      inject: [GATEWAY_CONFIG],
      useFactory: (config: GatewayConfig) => new BankCredentials(credentialsOf(config)),
    },
    {
      provide: Readiness,
      inject: [PrismaService, CoreBanking, TokenVerifier, LISTENERS_TLS, Clock],
      useFactory: readinessOf,
    },
    ...[
      NamedTpps,
      BankCallerCheck,
      OperationRoutes,
      ConsentRoutes,
      SignInRoutes,
      TppRoutes,
      TppStandingRoutes,
      SigningKeyRoutes,
    ],
    BankFacingServer,
  ],
  exports: [BankFacingServer, BankCredentials, Readiness],
})
export class BankFacingModule {}

function readinessOf(
  prisma: PrismaService,
  core: CoreBanking,
  tokens: TokenVerifier,
  tls: ListenersTls,
  clock: Clock,
): Readiness {
  const readiness = new Readiness(prisma, core);
  readiness.needs(async () =>
    (await tokens.withoutKeys()).map((issuer) => `the keys of the issuer ${issuer} cannot be had`),
  );
  readiness.needs(() => expiredCertificates(shownCertificates(tls), clock.nowMs()));
  return readiness;
}
