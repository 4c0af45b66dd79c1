import 'reflect-metadata';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { AppModule } from './app.module.js';
import type { AuthorisationServer } from './authorisation-server/authorisation-server.js';
import type { Clock } from './clock/clock.js';
import type { GatewayConfig } from './config/config.js';
import type { CustomerAuthentication } from './customer-authentication/customer-authentication.js';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { errorNamesOf } from './server/error-names.js';
import { ErrorResponder } from './server/error-responder.js';
import { Metrics } from './observability/metrics.js';
import { NestLogger } from './observability/nest-logger.js';
import { registerOpenApi } from './openapi/openapi.js';
import { registerPublishedFacts } from './openapi/published-facts.js';
import { RequestEntry } from './server/request-entry.js';
import { createServer } from './server/server.js';
import type { Profile } from './profiles/profile.js';
import { RunningGateway } from './running-gateway.js';
import { listenersTls, shownCertificates } from './security/listeners-tls.js';

export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly profile: Profile;
  /** Tests give their own. Otherwise Nest creates the configured one. */
  readonly adapter?: CoreAdapter;
  readonly clock: Clock;
  /** Where a sandbox moves the time of its bank on. Otherwise it is `clock`. */
  readonly bankClock?: Clock;
  readonly log: FastifyBaseLogger;
  /** In a sandbox: the core's reference of the account that the OpenAPI document has as its example. */
  readonly exampleAccount?: string;
  /** How many records of the log could not be written so far. */
  readonly droppedRecords?: () => number;
  /** The module that provides `PrismaService`. */
  readonly persistence: DynamicModule;
  /** The same for the bank's customer authentication, which the embedded authorization server needs. */
  readonly customers?: CustomerAuthentication;
}

export interface Gateway {
  /** The TPPs' server and the bank's. */
  readonly server: FastifyInstance;
  readonly bankServer: FastifyInstance;
  readonly authorisationServer: AuthorisationServer | undefined;
  /** The adapter of the core, as it was at the start. */
  readonly adapter: CoreAdapter;
  /** Does now what is otherwise done once a minute, with an authorization server of our own or without. */
  sweep(): Promise<void>;
  /** Answers from then on. Throws {@link BootError} when a port cannot be had. */
  listen(): Promise<void>;
  /** Takes over settings that were read again: all of them or, with a {@link BootError}, nothing. Drops no connection. */
  renew(config: GatewayConfig): Promise<void>;
  /**
   * Is ready no more, but goes on answering for as long as is set; then takes no new request, answers what is under way,
   * and lets go of the core and the store.
   */
  close(): Promise<void>;
}

/** The whole gateway, wired and ready to listen or to be asked in process. */
export async function createGateway(parts: GatewayParts): Promise<Gateway> {
  const { config, profile, adapter, customers, clock, bankClock = clock, log } = parts;
  const metrics = new Metrics(log, parts.droppedRecords);
  const errors = new ErrorResponder(errorNamesOf(config));
  const tls = listenersTls(config, clock);
  metrics.certificates(
    () => shownCertificates(tls),
    () => clock.nowMs(),
  );
  const server = createServer(log, errors, tls.api);
  // Loading it holds the process up for seconds on a busy machine: before the database is connected to, not meanwhile.
  if (config.authorisationServer !== undefined) await import('./authorisation-server/authorisation-server.module.js');
  await registerOpenApi(server, config, profile, parts.exampleAccount);

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, parts.persistence, {
      ...{ profile, adapter, customers, clock, bankClock, log, metrics, errors, tls },
    }),
    new ServerAdapter(server as never),
    { logger: new NestLogger(log), bodyParser: false, abortOnError: false },
  );
  const running = app.get(RunningGateway);
  registerPublishedFacts(server, config, profile, running.adapter);
  server.decorate('entry', new RequestEntry(config, running.entryChecks));
  await app.init();
  server.refuseOtherMethods();
  await running.ready();

  return {
    server,
    bankServer: running.bankServer,
    authorisationServer: running.authorisationServer,
    adapter: running.adapter,
    sweep: () => running.sweep(),
    listen: () => running.listen(),
    renew: (next) => running.renew(next),
    close: () => running.close(() => app.close()),
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
