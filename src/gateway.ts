import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamicModule } from '@nestjs/common';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { AppModule } from './app.module.js';
import type { AuthorisationServer } from './authorisation-server/authorisation-server.js';
import { CurrentCustomers } from './customer-authentication/current-customers.js';
import { BankCredentials } from './bank-facing/bank-credentials.js';
import { createBankFacingServer } from './bank-facing/bank-facing.server.js';
import { Readiness } from './bank-facing/readiness.js';
import type { Clock } from './clock/clock.js';
import { BootError } from './config/boot-error.js';
import type { GatewayConfig } from './config/config.js';
import { ConsentRewriting } from './consents/consent-rewriting.js';
import { ConsentService } from './consents/consent.service.js';
import { LiveConsentGuard } from './consents/live-consent.guard.js';
import { sweepLapsedConsents } from './consents/prisma-consent.store.js';
import { FileRevocationJournal, noJournal, type RevocationJournal } from './consents/revocation-journal.js';
import { TppWithdrawalService } from './consents/tpp-withdrawal.service.js';
import type { CustomerAuthentication } from './customer-authentication/customer-authentication.js';
import { CoreBanking } from './core-banking/core-banking.js';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { usedConsent } from './http/consent-use.js';
import { drainable } from './http/drain.js';
import { ErrorResponder } from './http/error-responder.js';
import { listen } from './http/listen.js';
import { Metrics } from './http/metrics.js';
import { NestLogger } from './http/nest-logger.js';
import { registerOpenApi } from './http/openapi.js';
import { registerPublishedFacts } from './http/published-facts.js';
import { createServer, type EntryCheck, type EntryChecks } from './http/server.js';
import { basePath } from './open-banking/base-path.js';
import { PublicIds } from './open-banking/public-ids.js';
import { faultRecord } from './http/fault-record.js';
import { PeriodicSweep } from './persistence/periodic-sweep.js';
import { PrismaService } from './persistence/prisma.service.js';
import type { Profile } from './profiles/profile.js';
import { RateLimitCheck } from './quotas/rate-limit.check.js';
import { unattendedPolicy } from './quotas/unattended-access.guard.js';
import { refuseLastingChange, type Renewed } from './renewed.js';
import { ClientCertificates } from './security/client-certificate.js';
import type { ListenerTls } from './security/listener-tls.js';
import { expiredCertificates, listenersTls, shownCertificates, type ListenersTls } from './security/listeners-tls.js';
import { TokenVerifier } from './security/token-verifier.js';
import { TppGuard } from './security/tpp.guard.js';
import { TppStandingGuard } from './security/tpp-standing.guard.js';

export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly profile: Profile;
  readonly adapter: CoreAdapter;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** How many records of the log could not be written so far. */
  readonly droppedRecords?: () => number;
  /** The module that provides `PrismaService` and `ChangeFeed`. */
  readonly persistence: DynamicModule;
  /** Who the customer is: needed by the embedded authorization server. */
  readonly customers?: CustomerAuthentication;
}

export interface Gateway {
  /** The TPPs' server and the bank's. */
  readonly server: FastifyInstance;
  readonly bankServer: FastifyInstance;
  readonly authorisationServer: AuthorisationServer | undefined;
  /** Does now what is otherwise done once a minute, with an authorization server of our own or without. */
  sweep(): Promise<void>;
  /** Answers from then on. Throws {@link BootError} when a port cannot be had. */
  listen(): Promise<void>;
  /** Takes over what was read again: all of it or, with a {@link BootError}, nothing. No connection is dropped. */
  renew(renewed: Renewed): void;
  /**
   * Is ready no more, but goes on answering for as long as is set; then takes no new request, answers what is under way,
   * and lets go of the core and the store.
   */
  close(): Promise<void>;
}

/** The whole gateway, wired and ready to listen or to be asked in process. */
export async function createGateway(parts: GatewayParts): Promise<Gateway> {
  const { config, profile, log } = parts;
  const metrics = new Metrics(log, parts.droppedRecords);
  const errors = new ErrorResponder(config.errorCodePrefix);
  const journal = await openJournal(config, parts.clock, log, metrics);
  // The server exists before what checks its requests does: Nest makes that, on top of the server.
  const checks: { -readonly [K in keyof EntryChecks]: EntryChecks[K] } = {
    tpp: notReady,
    rateLimit: new RateLimitCheck(config.rateLimits, unattendedPolicy(config.unattendedAccess)),
    consent: notReady,
    observe: (request, reply) => {
      metrics.request(request, reply);
      request.unattended?.end(usedConsent(request, reply) !== undefined);
    },
  };
  const tls = listenersTls(config, parts.clock);
  const server = createServer(config, log, errors, checks, tls.api);
  await registerOpenApi(server, config, profile);
  registerPublishedFacts(server, config, profile, parts.adapter);

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot({ ...parts, metrics, errors, journal }, parts.persistence),
    new ServerAdapter(server as never),
    { logger: new NestLogger(log), bodyParser: false, abortOnError: false },
  );
  app.setGlobalPrefix(basePath.slice(1));
  checks.tpp = inTurn(app.get(TppGuard).check, app.get(TppStandingGuard).check);
  checks.consent = app.get(LiveConsentGuard).check;
  await app.init();
  server.refuseOtherMethods();
  const customers = parts.customers && new CurrentCustomers(parts.customers);
  const authorisationServer = await embed({ ...parts, customers, tls }, app, server);
  if (authorisationServer !== undefined) {
    checks.tpp = inTurn(checks.tpp, authorisationServer.check);
    const { observe } = checks;
    checks.observe = (request, reply) => {
      observe(request, reply);
      authorisationServer.observe(request, reply);
    };
  }

  const readiness = app.get(Readiness);
  const bankCredentials = new BankCredentials(credentialsOf(config));
  const { clock } = parts;
  readiness.needs(async () =>
    (await app.get(TokenVerifier).withoutKeys()).map((issuer) => `the keys of the issuer ${issuer} cannot be had`),
  );
  readiness.needs(() => expiredCertificates(shownCertificates(tls), clock.nowMs()));
  metrics.certificates(
    () => shownCertificates(tls),
    () => clock.nowMs(),
  );
  const bankServer = createBankFacingServer(
    {
      consents: app.get(ConsentService),
      ids: app.get(PublicIds),
      errors,
      metrics,
      readiness,
      credentials: bankCredentials,
      clock: parts.clock,
      tls: tls.bank,
      coreDeadlineMs: config.core.deadlineMs,
      authorisationServer,
      withdrawals: app.get(TppWithdrawalService),
    },
    log,
  );
  await Promise.all([server.ready(), bankServer.ready()]);
  const rewriting = app.get(ConsentRewriting);
  const drains = [drainable(server.server), drainable(bankServer.server)];

  const lapsed = new PeriodicSweep({
    sweep: sweepLapsedConsents(config.consentAuthorisationMs),
    prisma: app.get(PrismaService),
    nowMs: () => parts.clock.nowMs(),
    onFault: (error) =>
      log.error(faultRecord(error), 'consents that nobody authorised in time could not be removed; it is tried again'),
  });

  return {
    server,
    bankServer,
    authorisationServer,
    sweep: () => lapsed.now(),
    async listen() {
      rewriting.start();
      await authorisationServer?.listen();
      await listen(server, { host: config.host, port: config.port }, { host: 'HOST', port: 'PORT' });
      await listen(
        bankServer,
        { host: config.bankHost, port: config.bankPort },
        { host: 'BANK_HOST', port: 'BANK_PORT' },
      );
      lapsed.start();
    },
    renew(renewed) {
      const { config: next } = renewed;
      refuseLastingChange(config, next);
      refuseOwnIssuer(next);
      const puttingToUse = [
        ...Object.values(tls).map((listener: ListenerTls | undefined) => listener?.renew()),
        app.get(TokenVerifier).renew(next.issuers),
        authorisationServer?.renew(next.proxy),
        () => app.get(ClientCertificates).replace(next.proxy),
        () => bankCredentials.replace(credentialsOf(next)),
        () => {
          closeLater(app.get(CoreBanking).replaceAdapter(renewed.adapter), config.core.deadlineMs);
          if (customers && renewed.customers) closeLater(customers.replace(renewed.customers), config.core.deadlineMs);
        },
      ];
      for (const putToUse of puttingToUse) putToUse?.();
    },
    async close() {
      // Balancers hear of it while every listener goes on: what they still send is answered.
      readiness.stop();
      const all = [...drains, ...(authorisationServer?.drains ?? [])];
      for (const drain of all) drain.announce();
      await sleep(config.stopDelayMs);
      authorisationServer?.rest();
      // All at once: what the one still answers must not have another take new requests meanwhile.
      await Promise.all(all.map((drain) => drain.finish()));
      await authorisationServer?.close();
      await bankServer.close();
      await lapsed.stop();
      await rewriting.stop();
      await app.close();
      await journal.close();
    },
  };
}

async function openJournal(
  { revocationJournal: directory }: GatewayConfig,
  clock: Clock,
  log: FastifyBaseLogger,
  metrics: Metrics,
): Promise<RevocationJournal> {
  if (directory === undefined) return noJournal;
  return FileRevocationJournal.open(directory, clock, {
    failed: (error) =>
      log.error(
        faultRecord(error),
        'the revocation journal cannot be written: withdrawals take effect, but are not acknowledged',
      ),
    overdue: (lines) => {
      metrics.journalOverdue(lines);
      if (lines === 0) log.info('the revocation journal is written again, and lacks nothing');
    },
  });
}

function credentialsOf({ bankCredential, bankCredentialNext }: GatewayConfig): readonly string[] {
  return bankCredentialNext === undefined ? [bankCredential] : [bankCredential, bankCredentialNext];
}

interface Embedding {
  readonly customers: CurrentCustomers | undefined;
  readonly tls: ListenersTls;
}

/** Loaded only where it is switched on: the library and the pages cost memory and time. */
async function embed(
  { config, profile, log, customers, tls }: Omit<GatewayParts, 'customers'> & Embedding,
  app: NestFastifyApplication,
  api: FastifyInstance,
): Promise<AuthorisationServer | undefined> {
  const { authorisationServer: settings } = config;
  if (settings === undefined) return undefined;
  if (customers === undefined)
    throw new BootError(
      'AUTHORISATION_SERVER=embedded needs to know customers: set CUSTOMER_AUTHENTICATION_URL and CUSTOMER_AUTHENTICATION_CREDENTIAL',
    );
  refuseOwnIssuer(config);
  const { AuthorisationServerModule } = await import('./authorisation-server/authorisation-server.module.js');
  return AuthorisationServerModule.load(app.get(LazyModuleLoader), {
    config: settings,
    profile,
    log,
    customers,
    tls,
    api,
    proxy: config.proxy,
    bankPrefix: config.errorCodePrefix,
    coreDeadlineMs: config.core.deadlineMs,
    timeZone: config.bankTimeZone,
  });
}

/** The gateway's own issuer cannot be set as well: its tokens are judged by the keys in the database. */
function refuseOwnIssuer({ authorisationServer, issuers }: GatewayConfig): void {
  if (authorisationServer === undefined) return;
  const { url } = authorisationServer.browser;
  if (issuers.some(({ issuer }) => issuer.startsWith(`${url}/`)))
    throw new BootError(
      `an issuer of access tokens is configured that begins with BROWSER_URL ${url}, which is our own`,
    );
}

/** Once what was asked through it has had its time; by then there is nothing left that its end could fail. */
function closeLater(former: { close(): Promise<void> }, afterMs: number): void {
  setTimeout(() => void former.close().catch(() => undefined), afterMs).unref();
}

function inTurn(first: EntryCheck, second: EntryCheck): EntryCheck {
  return (request, reply) => {
    const waiting = first(request, reply);
    return waiting === undefined ? second(request, reply) : waiting.then(() => second(request, reply));
  };
}

/** Nest on a server that has its own answers for errors and unknown paths, and for those that never reach Nest. */
class ServerAdapter extends FastifyAdapter {
  /** Registers what runs middleware, of which there is none: it would be asked on every request. */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  override setErrorHandler(): never {
    return undefined as never;
  }

  override setNotFoundHandler(): never {
    return undefined as never;
  }
}

function notReady(): never {
  throw new Error('the gateway is not wired yet');
}
