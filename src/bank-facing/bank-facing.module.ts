import { Module } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { ConsentService } from '../consents/consent.service.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { TppWithdrawalService } from '../consents/tpp-withdrawal.service.js';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { CoreBanking } from '../core-banking/core-banking.js';
import {
  AUTHORISATION_SERVER,
  EmbeddedAuthorisationServerModule,
} from '../authorisation-server/embedded-authorisation-server.module.js';
import { ErrorResponder } from '../server/error-responder.js';
import { LOG } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { PublicIds } from '../open-banking/public-ids.js';
import { ChangeFeed } from '../persistence/change-feed.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { expiredCertificates, LISTENERS_TLS, shownCertificates, type ListenersTls } from '../security/listeners-tls.js';
import { SecurityModule } from '../security/security.module.js';
import { TokenVerifier } from '../security/token-verifier.js';
import { BankCredentials, credentialsOf } from './bank-credentials.js';
import { createBankFacingServer } from './bank-facing.server.js';
import { Readiness } from './readiness.js';

/** By this token Nest injects the server of the bank's own port. */
export const BANK_SERVER = Symbol('BANK_SERVER');

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
      inject: [PrismaService, CoreBanking, ChangeFeed, TokenVerifier, LISTENERS_TLS, Clock],
      useFactory: readinessOf,
    },
    {
      provide: BANK_SERVER,
      inject: [
        ...[ConsentService, PublicIds, ErrorResponder, Metrics, Readiness, BankCredentials, Clock],
        ...[TppWithdrawalService, LISTENERS_TLS, GATEWAY_CONFIG, AUTHORISATION_SERVER, LOG],
      ],
      useFactory: (
        consents: ConsentService,
        ids: PublicIds,
        errors: ErrorResponder,
        metrics: Metrics,
        readiness: Readiness,
        credentials: BankCredentials,
        clock: Clock,
        withdrawals: TppWithdrawalService,
        { bank: tls }: ListenersTls,
        { core }: GatewayConfig,
        authorisationServer: AuthorisationServer | undefined,
        log: FastifyBaseLogger,
      ) =>
        createBankFacingServer(
          {
            ...{ consents, ids, errors, metrics, readiness, credentials, clock, withdrawals, tls, authorisationServer },
            coreDeadlineMs: core.deadlineMs,
          },
          log,
        ),
    },
  ],
  exports: [BANK_SERVER, BankCredentials, Readiness],
})
export class BankFacingModule {}

function readinessOf(
  prisma: PrismaService,
  core: CoreBanking,
  changes: ChangeFeed,
  tokens: TokenVerifier,
  tls: ListenersTls,
  clock: Clock,
): Readiness {
  const readiness = new Readiness(prisma, core, changes);
  readiness.needs(async () =>
    (await tokens.withoutKeys()).map((issuer) => `the keys of the issuer ${issuer} cannot be had`),
  );
  readiness.needs(() => expiredCertificates(shownCertificates(tls), clock.nowMs()));
  return readiness;
}
