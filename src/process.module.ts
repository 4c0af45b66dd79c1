import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { FastifyBaseLogger } from 'fastify';
import { AdapterFactory } from './adapter-factory.js';
import { AdaptersModule } from './adapters.module.js';
import { BankClock, Clock } from './clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from './config/config.js';
import { CORE_ADAPTER } from './core-banking/core-banking.module.js';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import {
  CUSTOMER_AUTHENTICATION,
  type CustomerAuthentication,
} from './customer-authentication/customer-authentication.js';
import { CurrentCustomers } from './customer-authentication/current-customers.js';
import { ErrorResponder } from './server/error-responder.js';
import { LOG } from './observability/log.js';
import { Metrics } from './observability/metrics.js';
import { refuseEmptyPromises } from './preflight.js';
import { PROFILE, type Profile } from './profiles/profile.js';
import { LISTENERS_TLS, type ListenersTls } from './security/listeners-tls.js';

/** Made by the boot before Nest, because the server, the preflight or the log needs it. */
export interface ProcessParts {
  readonly profile: Profile;
  /** Where these two are `undefined`, Nest creates the configured ones. */
  readonly adapter: CoreAdapter | undefined;
  readonly customers: CustomerAuthentication | undefined;
  readonly clock: Clock;
  readonly bankClock: Clock;
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly errors: ErrorResponder;
  readonly tls: ListenersTls;
}

@Module({})
export class ProcessModule {
  static forRoot(parts: ProcessParts): DynamicModule {
    const { profile, adapter, customers, errors } = parts;
    const providers = [
      { provide: PROFILE, useValue: profile },
      {
        provide: CORE_ADAPTER,
        inject: [AdapterFactory, GATEWAY_CONFIG],
        useFactory: (factory: AdapterFactory, { core }: GatewayConfig) =>
          adapter ?? configuredCore(factory, core, profile),
      },
      {
        provide: CUSTOMER_AUTHENTICATION,
        inject: [AdapterFactory, GATEWAY_CONFIG],
        useFactory: async (factory: AdapterFactory, config: GatewayConfig) => {
          const created = customers ?? (await factory.customers(config));
          return created && new CurrentCustomers(created);
        },
      },
      { provide: Clock, useValue: parts.clock },
      { provide: BankClock, useValue: parts.bankClock },
      { provide: LOG, useValue: parts.log },
      { provide: Metrics, useValue: parts.metrics },
      { provide: ErrorResponder, useValue: errors },
      { provide: LISTENERS_TLS, useValue: parts.tls },
    ];
    return {
      module: ProcessModule,
      imports: [AdaptersModule],
      global: true,
      providers: [...providers, { provide: APP_FILTER, useValue: errors }],
      exports: [AdaptersModule, ...providers.map(({ provide }) => provide)],
    };
  }
}

async function configuredCore(
  factory: AdapterFactory,
  core: GatewayConfig['core'],
  profile: Profile,
): Promise<CoreAdapter> {
  const adapter = await factory.core(core.name, core);
  refuseEmptyPromises(profile, adapter);
  return adapter;
}
