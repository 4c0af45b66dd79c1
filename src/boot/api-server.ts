import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { CORE_ADAPTER } from '../core-banking/core-banking.module.js';
import { registerPublishedFacts } from '../openapi/published-facts.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { listen } from '../server/listen.js';
import { Listeners } from '../server/listeners.js';
import { RequestChecks } from './request-checks.js';

/** The TPPs' server, on which Nest has put the routes of the resources. */
@Injectable()
export class ApiServer implements OnModuleInit, OnApplicationBootstrap {
  readonly server: FastifyInstance;

  constructor(
    { httpAdapter }: HttpAdapterHost,
    listeners: Listeners,
    private readonly checks: RequestChecks,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CORE_ADAPTER) private readonly core: CoreAdapter,
  ) {
    this.server = httpAdapter.getInstance<FastifyInstance>();
    listeners.add(this.server);
  }

  onModuleInit(): void {
    registerPublishedFacts(this.server, this.config, this.profile, this.core);
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
