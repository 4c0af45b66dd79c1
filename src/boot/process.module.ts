import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { FastifyBaseLogger } from 'fastify';
import { BankClock, Clock } from '../clock/clock.js';
import { LOG } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { TRACING, type Tracing } from '../observability/tracing.js';
import { packageVersion } from '../persistence/package-root.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { LISTENERS_TLS, shownCertificates, type ListenersTls } from '../security/tls/listeners-tls.js';
import type { ErrorResponder } from '../server/error-responder.js';
import { Listeners } from '../server/listeners.js';

/** Values that exist before Nest, because the process or the TPPs' server needs them. */
export interface ProcessParts {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly bankClock: Clock;
  readonly log: FastifyBaseLogger;
  /** How many records of the log could not be written so far. */
  readonly droppedRecords: (() => number) | undefined;
  readonly errors: ErrorResponder;
  readonly tls: ListenersTls;
  readonly tracing: Tracing | undefined;
}

/** Values and services that a process has once, for every other module. */
@Module({})
export class ProcessModule implements OnApplicationShutdown {
  constructor(@Inject(TRACING) private readonly tracing: Tracing | undefined) {}

  static forRoot(parts: ProcessParts): DynamicModule {
    return {
      module: ProcessModule,
      global: true,
      providers: [
        { provide: PROFILE, useValue: parts.profile },
        { provide: Clock, useValue: parts.clock },
        { provide: BankClock, useValue: parts.bankClock },
        { provide: LOG, useValue: parts.log },
        { provide: LISTENERS_TLS, useValue: parts.tls },
        { provide: TRACING, useValue: parts.tracing },
        { provide: Metrics, useFactory: () => metricsOf(parts) },
        { provide: APP_FILTER, useValue: parts.errors },
        Listeners,
      ],
      exports: [PROFILE, Clock, BankClock, LOG, LISTENERS_TLS, Metrics, TRACING, Listeners],
    };
  }

  /** In the last phase of a stop: every request has been answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.tracing?.close();
  }
}

function metricsOf({ log, droppedRecords, tls, clock, profile }: ProcessParts): Metrics {
  const metrics = new Metrics(log, droppedRecords);
  metrics.build(packageVersion(), profile.name);
  metrics.certificates(
    () => shownCertificates(tls),
    () => clock.nowMs(),
  );
  return metrics;
}
