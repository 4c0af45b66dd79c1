import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { FastifyBaseLogger } from 'fastify';
import { Clock } from './clock/clock.js';
import { CORE_ADAPTER } from './core-banking/core-banking.module.js';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { CUSTOMER_AUTHENTICATION } from './customer-authentication/customer-authentication.js';
import type { CurrentCustomers } from './customer-authentication/current-customers.js';
import { ErrorResponder } from './server/error-responder.js';
import { LOG } from './observability/log.js';
import { Metrics } from './observability/metrics.js';
import { PROFILE, type Profile } from './profiles/profile.js';
import { LISTENERS_TLS, type ListenersTls } from './security/listeners-tls.js';

/** What the boot makes before Nest, because the server, the preflight or the log needs it. */
export interface ProcessParts {
  readonly profile: Profile;
  readonly adapter: CoreAdapter;
  readonly customers: CurrentCustomers | undefined;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly errors: ErrorResponder;
  readonly tls: ListenersTls;
}

@Module({})
export class ProcessModule {
  static forRoot({ profile, adapter, customers, clock, log, metrics, errors, tls }: ProcessParts): DynamicModule {
    const providers = [
      { provide: PROFILE, useValue: profile },
      { provide: CORE_ADAPTER, useValue: adapter },
      { provide: CUSTOMER_AUTHENTICATION, useFactory: () => customers },
      { provide: Clock, useValue: clock },
      { provide: LOG, useValue: log },
      { provide: Metrics, useValue: metrics },
      { provide: ErrorResponder, useValue: errors },
      { provide: LISTENERS_TLS, useValue: tls },
    ];
    return {
      module: ProcessModule,
      global: true,
      providers: [...providers, { provide: APP_FILTER, useValue: errors }],
      exports: providers.map(({ provide }) => provide),
    };
  }
}
