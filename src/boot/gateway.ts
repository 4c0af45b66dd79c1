import 'reflect-metadata';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { AdapterFactory } from '../adapters/adapter-factory.js';
import { AppModule } from '../app.module.js';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import { BankFacingServer } from '../bank-facing/bank-facing.server.js';
import { UnauthorisedConsentsSweep } from '../consents/unauthorised-consents.sweep.js';
import { CONFIGURED_CORES, type ConfiguredCore } from '../core-banking/core-banking.module.js';
import { EventsSweep } from '../events/events.sweep.js';
import { errorNamesOf } from '../server/error-names.js';
import { ErrorResponder } from '../server/error-responder.js';
import { Metrics } from '../observability/metrics.js';
import { NestLogger } from '../observability/nest-logger.js';
import { registerOpenApi } from '../openapi/openapi.js';
import { Listeners } from '../server/listeners.js';
import { createServer } from '../server/server.js';
import { versionsNamed } from '../versions/versions.js';
import type { ListenerTls } from '../security/tls/listener-tls.js';
import { listenersTls, type ListenersTls } from '../security/tls/listeners-tls.js';
import { TokenVerifier } from '../security/tokens/token-verifier.js';
import { refuseUnusableFolder } from '../trail/trail-folder.js';
import { openTrail } from '../trail/trail.module.js';
import { ApiServer } from './api-server.js';
import type { GivenSystems } from './bank-systems.module.js';
import { NestFastifyAdapter } from './nest-fastify.adapter.js';
import type { ProcessParts } from './process.module.js';

interface GatewayParts extends GivenSystems, Omit<ProcessParts, 'errors' | 'tls' | 'trail'> {
  /** In a sandbox: the core's reference of the account that the OpenAPI document has as its example. */
  readonly exampleAccount?: string | undefined;
  /** The module that provides `PrismaService`. */
  readonly persistence: DynamicModule;
}

export interface Gateway {
  /** The TPPs' server and the bank's. */
  readonly server: FastifyInstance;
  readonly bankServer: FastifyInstance;
  readonly authorisationServer: AuthorisationServer | undefined;
  readonly cores: readonly ConfiguredCore[];
  readonly metrics: Registry;
  /** Removes now the consents that were not authorised in time and the events that wait too long, as the gateway does once a minute. */
  sweep(): Promise<void>;
  /** Answers from then on. Throws {@link BootError} for a port that is not free. */
  listen(): Promise<void>;
  /** Reads certificates and their keys again: all are put to use or, with a {@link BootError}, nothing. Drops no connection. */
  renewCertificates(): void;
  /** Another process answers at the same ports: the readiness that balancers ask for does not end with this one. */
  isReplaced(): void;
  /** Stops in the phases of docs/architecture.md: answers every request that has come, then closes what requests used. */
  close(): Promise<void>;
}

/** The whole gateway, wired and ready to listen or to be asked in process. */
export async function createGateway(parts: GatewayParts): Promise<Gateway> {
  const { config, profile, clock, log, persistence, tracing } = parts;
  const versions = versionsNamed(profile.rules.versions);
  const names = { baseUrl: config.baseUrl, errorCodePrefix: profile.rules.errorCodePrefix };
  const errors = new ErrorResponder(errorNamesOf(names, versions));
  const tls = listenersTls(config, clock);
  await refuseUnusableFolder(config.trail.directory);
  const trail = openTrail(config.trail, clock, log);
  const server = createServer({ log, trail, tracing }, errors, tls.api, versions);
  // Describes the routes that are declared after it.
  await registerOpenApi(server, config, profile, parts.exampleAccount);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(persistence, { ...parts, errors, tls, trail }, parts),
    new NestFastifyAdapter(server),
    { logger: new NestLogger(log), bodyParser: false, abortOnError: false },
  );
  await app.init();

  const authorisationServer = app.get<AuthorisationServer | undefined>(AUTHORISATION_SERVER);
  const bank = app.get(BankFacingServer);
  return {
    server,
    bankServer: bank.server,
    authorisationServer,
    cores: app.get<readonly ConfiguredCore[]>(CONFIGURED_CORES),
    metrics: app.get(Metrics).registry,
    sweep: () => sweep(app),
    listen: async () => {
      await authorisationServer?.listen(config.maxConnections);
      await app.get(ApiServer).listen();
      await bank.listen();
    },
    renewCertificates: () => renewCertificates(app, tls),
    isReplaced: () => app.get(Listeners).isReplaced(),
    close: () => app.close(),
  };
}

async function sweep(app: NestFastifyApplication): Promise<void> {
  await app.get(UnauthorisedConsentsSweep).now();
  await app.get(EventsSweep).now();
}

function renewCertificates(app: NestFastifyApplication, tls: ListenersTls): void {
  const listeners = Object.values(tls).map((listener: ListenerTls | undefined) => listener?.renew());
  const clients = [app.get(TokenVerifier), app.get(AdapterFactory)].map((part) => part.renewCertificates());
  for (const putToUse of [...listeners, ...clients]) putToUse?.();
}
