import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { CONFIGURED_CORES, type ConfiguredCore } from '../core-banking/core-banking.module.js';
import { factsOfCores } from '../openapi/facts-of-cores.js';
import { registerPublishedFacts } from '../openapi/published-facts.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { listen } from '../server/listen.js';
import { Listeners } from '../server/listeners.js';
import { RequestChecks } from './request-checks.js';
import { ServiceWatch } from './service-watch.js';

/** The TPPs' server, on which Nest has put the routes of the resources. */
@Injectable()
export class ApiServer implements OnModuleInit, OnApplicationBootstrap {
  readonly server: FastifyInstance;

  constructor(
    { httpAdapter }: HttpAdapterHost,
    listeners: Listeners,
    private readonly checks: RequestChecks,
    private readonly service: ServiceWatch,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIGURED_CORES) private readonly cores: readonly ConfiguredCore[],
  ) {
    this.server = httpAdapter.getInstance<FastifyInstance>();
    listeners.add(this.server);
  }

  onModuleInit(): void {
    const adapters = this.cores.map(({ adapter }) => adapter);
    registerPublishedFacts(this.server, this.config, this.profile, factsOfCores(adapters), () => this.service.now());
    this.server.decorate('entry', this.checks.entry);
  }

  /** Every module has declared its routes. */
  async onApplicationBootstrap(): Promise<void> {
    this.server.refuseOtherMethods();
    await this.server.ready();
  }

  async listen(): Promise<void> {
    const { host, port, maxConnections } = this.config;
    await listen(this.server, { host, port, maxConnections }, { host: 'HOST', port: 'PORT' });
  }
}
