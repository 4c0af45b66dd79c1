import { HttpService } from '@nestjs/axios';
import { Module } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { ClientCertificates } from './tls/client-certificate.js';
import { ProofStore } from './tokens/proof.store.js';
import { TokenVerifier } from './tokens/token-verifier.js';
import { FailedIssuerQueries } from './tokens/failed-issuer-queries.js';
import { TppSources } from './tpp-sources.js';
import { TppStandingCheck } from './tpp-standing.check.js';
import { TppStandingStore } from './tpp-standing.store.js';
import { TppCheck } from './tpp.check.js';

/** Identifies the TPP: tokens, certificates, and its standing at the bank. */
@Module({
  imports: [OutgoingModule],
  providers: [
    {
      provide: ClientCertificates,
      inject: [GATEWAY_CONFIG],
      useFactory: ({ proxy, authorisationServer }: GatewayConfig) =>
        new ClientCertificates(proxy, [], authorisationServer?.tpp.tls?.clientCrlFile !== undefined),
    },
    {
      provide: TokenVerifier,
      inject: [HttpService, GATEWAY_CONFIG, Clock],
      useFactory: (http: HttpService, { issuers }: GatewayConfig, clock: Clock) =>
        new TokenVerifier(http, issuers, clock),
    },
    ProofStore,
    TppSources,
    FailedIssuerQueries,
    TppStandingStore,
    TppCheck,
    TppStandingCheck,
  ],
  exports: [ClientCertificates, ProofStore, TokenVerifier, TppSources, TppStandingStore, TppCheck, TppStandingCheck],
})
export class SecurityModule {}
