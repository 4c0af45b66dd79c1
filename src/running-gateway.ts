import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { AdapterFactory } from './adapter-factory.js';
import type { AuthorisationServer } from './authorisation-server/authorisation-server.js';
import { BankCredentials, credentialsOf } from './bank-facing/bank-credentials.js';
import { BankFacingServer } from './bank-facing/bank-facing.server.js';
import { Readiness } from './bank-facing/readiness.js';
import { BankClock } from './clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from './config/config.js';
import { sweepLapsedConsents } from './consents/lapsed-consents.store.js';
import { LiveConsentCheck } from './consents/live-consent.check.js';
import { RevocationJournal } from './consents/revocation-journal.js';
import { CoreBanking } from './core-banking/core-banking.js';
import { CORE_ADAPTER } from './core-banking/core-banking.module.js';
import { CurrentCustomers } from './customer-authentication/current-customers.js';
import {
  CUSTOMER_AUTHENTICATION,
  type CustomerAuthentication,
} from './customer-authentication/customer-authentication.js';
import { AUTHORISATION_SERVER, refuseOwnIssuer } from './authorisation-server/embedded-authorisation-server.module.js';
import { usedConsent } from './consents/consent-use.js';
import { drainable, type Drain } from './server/drain.js';
import { faultRecord } from './observability/fault-record.js';
import { listen } from './server/listen.js';
import { LOG } from './observability/log.js';
import { Metrics } from './observability/metrics.js';
import type { EntryChecks } from './server/request-entry.js';
import { PeriodicSweep } from './persistence/periodic-sweep.js';
import { PrismaService } from './persistence/prisma.service.js';
import { RateLimitCheck } from './quotas/rate-limit.check.js';
import { refuseLastingChange } from './renewed.js';
import { ClientCertificates } from './security/client-certificate.js';
import type { ListenerTls } from './security/listener-tls.js';
import { LISTENERS_TLS, type ListenersTls } from './security/listeners-tls.js';
import { TokenVerifier } from './security/token-verifier.js';
import { TppStandingCheck } from './security/tpp-standing.check.js';
import { TppCheck } from './security/tpp.check.js';

/** Starts, renews and stops the parts that Nest has made. */
@Injectable()
export class RunningGateway {
  private readonly lapsed: PeriodicSweep;
  private drains: readonly Drain[] = [];

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(LISTENERS_TLS) private readonly tls: ListenersTls,
    @Inject(LOG) log: FastifyBaseLogger,
    @Inject(AUTHORISATION_SERVER) readonly authorisationServer: AuthorisationServer | undefined,
    @Inject(CUSTOMER_AUTHENTICATION) private readonly customers: CurrentCustomers | undefined,
    @Inject(CORE_ADAPTER) readonly adapter: CoreAdapter,
    private readonly adapters: AdapterFactory,
    private readonly host: HttpAdapterHost,
    private readonly bank: BankFacingServer,
    private readonly metrics: Metrics,
    private readonly tpp: TppCheck,
    private readonly standing: TppStandingCheck,
    private readonly rateLimit: RateLimitCheck,
    private readonly liveConsent: LiveConsentCheck,
    private readonly tokens: TokenVerifier,
    private readonly certificates: ClientCertificates,
    private readonly credentials: BankCredentials,
    private readonly core: CoreBanking,
    private readonly readiness: Readiness,
    private readonly journal: RevocationJournal,
    prisma: PrismaService,
    clock: BankClock,
  ) {
    this.lapsed = new PeriodicSweep({
      sweep: sweepLapsedConsents(config.consentAuthorisationMs),
      prisma,
      nowMs: () => clock.nowMs(),
      onFault: (error) =>
        log.error(
          faultRecord(error),
          'consents that nobody authorised in time could not be removed; it is tried again',
        ),
    });
  }

  /** The checks of each request to the TPPs' server before Nest, in their order. */
  get entryChecks(): EntryChecks {
    const { authorisationServer, metrics } = this;
    return {
      tpp: [this.tpp.check, this.standing.check, ...(authorisationServer ? [authorisationServer.check] : [])],
      rateLimit: this.rateLimit,
      consent: this.liveConsent.check,
      observe: [
        (_request, _reply, access) => metrics.request(access),
        (request, reply) => request.unattended?.end(usedConsent(request, reply) !== undefined),
        ...(authorisationServer ? [authorisationServer.observe] : []),
      ],
    };
  }

  /** Both servers have all their routes. */
  async ready(): Promise<void> {
    await Promise.all([this.server.ready(), this.bankServer.ready()]);
    this.drains = [drainable(this.server.server), drainable(this.bankServer.server)];
  }

  sweep(): Promise<void> {
    return this.lapsed.now();
  }

  async listen(): Promise<void> {
    const { config } = this;
    await this.authorisationServer?.listen(config.maxConnections);
    const { host, port, maxConnections } = config;
    await listen(this.server, { host, port, maxConnections }, { host: 'HOST', port: 'PORT' });
    const bank = { host: config.bankHost, port: config.bankPort };
    await listen(this.bankServer, bank, { host: 'BANK_HOST', port: 'BANK_PORT' });
    this.lapsed.start();
  }

  /** Takes over all of the settings or, with a `BootError`, nothing. */
  async renew(next: GatewayConfig): Promise<void> {
    const adapter = await this.adapters.core(next.core.name, next.core);
    let customers: CustomerAuthentication | undefined;
    try {
      customers = await this.adapters.customers(next);
      this.apply(next, adapter, customers);
    } catch (error) {
      await Promise.allSettled([adapter.close(), customers?.close()]);
      throw error;
    }
  }

  private apply(next: GatewayConfig, adapter: CoreAdapter, customers: CustomerAuthentication | undefined): void {
    const { deadlineMs } = this.config.core;
    refuseLastingChange(this.config, next);
    refuseOwnIssuer(next);
    const pendingRenewals = [
      ...Object.values(this.tls).map((listener: ListenerTls | undefined) => listener?.renew()),
      this.tokens.renew(next.issuers),
      this.authorisationServer?.renew(next.proxy),
      () => this.certificates.replace(next.proxy),
      () => this.credentials.replace(credentialsOf(next)),
      () => {
        closeLater(this.core.replaceAdapter(adapter), deadlineMs);
        if (this.customers && customers) closeLater(this.customers.replace(customers), deadlineMs);
      },
    ];
    for (const use of pendingRenewals) use?.();
  }

  /** Ends what is under way, and then everything by `closeAll`. */
  async close(closeAll: () => Promise<void>): Promise<void> {
    // Balancers hear of it while every listener goes on: what they still send is answered.
    this.readiness.stop();
    const all = [...this.drains, ...(this.authorisationServer?.drains ?? [])];
    for (const drain of all) drain.announce();
    await sleep(this.config.stopDelayMs);
    this.authorisationServer?.rest();
    // All at once: what the one still answers must not have another take new requests meanwhile.
    await Promise.all(all.map((drain) => drain.finish()));
    await this.authorisationServer?.close();
    await this.bankServer.close();
    await this.lapsed.stop();
    await closeAll();
    await this.journal.close();
  }

  get bankServer(): FastifyInstance {
    return this.bank.server;
  }

  private get server(): FastifyInstance {
    return this.host.httpAdapter.getInstance<FastifyInstance>();
  }
}

/** Closes the old client after the deadline of its last call, when no call can still use it. */
function closeLater(former: { close(): Promise<void> }, afterMs: number): void {
  setTimeout(() => void former.close().catch(() => undefined), afterMs).unref();
}
