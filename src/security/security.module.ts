import { Module } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { ClientCertificates } from './client-certificate.js';
import { PrismaProofStore } from './prisma-proof.store.js';
import { ProofStore } from './proof.store.js';
import { TokenVerifier } from './token-verifier.js';
import { TppStandingCheck } from './tpp-standing.check.js';
import { TppStandingStore } from './tpp-standing.store.js';
import { TppCheck } from './tpp.check.js';

/** Who asks: tokens, certificates, and whether the bank has suspended the TPP. */
@Module({
  providers: [
    {
      provide: ClientCertificates,
      inject: [GATEWAY_CONFIG],
      useFactory: ({ proxy }: GatewayConfig) => new ClientCertificates(proxy),
    },
    {
      provide: TokenVerifier,
      inject: [GATEWAY_CONFIG, Clock],
      useFactory: ({ issuers }: GatewayConfig, clock: Clock) => new TokenVerifier(issuers, clock),
    },
    { provide: ProofStore, useClass: PrismaProofStore },
    TppStandingStore,
    TppCheck,
    TppStandingCheck,
  ],
  exports: [ClientCertificates, TokenVerifier, TppStandingStore, TppCheck, TppStandingCheck],
})
export class SecurityModule {}
