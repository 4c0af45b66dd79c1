import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { FastifyBaseLogger } from 'fastify';
import { BankClock, Clock } from '../clock/clock.js';
import { outgoingCertificates } from '../config/client-certificates.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { LOG } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import type { Tracing } from '../observability/tracing.js';
import { packageVersion } from '../persistence/package-root.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { LISTENERS_TLS, renewedCertificates, type ListenersTls } from '../security/tls/listeners-tls.js';
import { ERROR_NAMES } from '../server/error-names.js';
import type { ErrorResponder } from '../server/error-responder.js';
import { Listeners } from '../server/listeners.js';
import { Recording } from '../server/recording.js';
import { Pseudonyms } from '../trail/pseudonyms.js';
import type { SegmentWriter } from '../trail/segment-writer.js';
import { Trail } from '../trail/trail.js';

/** Values that exist before Nest, because the process or the TPPs' server needs them. */
export interface ProcessParts {
  readonly config: GatewayConfig;
  readonly profile: Profile;
  readonly clock: Clock;
  /** Where a sandbox moves the time of its bank on. Otherwise it is `clock`. */
  readonly bankClock?: Clock | undefined;
  readonly log: FastifyBaseLogger;
  /** How many records of the log could not be written so far. */
  readonly droppedRecords?: (() => number) | undefined;
  /** Where this process is one of several: the metrics of all of them, as Prometheus reads them. */
  readonly scrapeAll?: (() => Promise<string>) | undefined;
  readonly errors: ErrorResponder;
  readonly tls: ListenersTls;
  readonly trail: SegmentWriter;
  readonly tracing?: Tracing | undefined;
}

/** Values and services that a process has once, for every other module. */
@Module({})
export class ProcessModule implements OnApplicationShutdown {
  constructor(private readonly recording: Recording) {}

  static forRoot(parts: ProcessParts): DynamicModule {
    return {
      module: ProcessModule,
      global: true,
      providers: [
        { provide: GATEWAY_CONFIG, useValue: parts.config },
        { provide: PROFILE, useValue: parts.profile },
        { provide: Clock, useValue: parts.clock },
        { provide: BankClock, useValue: parts.bankClock ?? parts.clock },
        { provide: LOG, useValue: parts.log },
        { provide: LISTENERS_TLS, useValue: parts.tls },
        { provide: Trail, useValue: parts.trail },
        { provide: Pseudonyms, useValue: new Pseudonyms(parts.config.trail.pseudonymKeys[0] ?? '') },
        { provide: Recording, useValue: new Recording(parts.log, parts.trail, parts.tracing) },
        { provide: Metrics, useValue: metricsOf(parts) },
        { provide: APP_FILTER, useValue: parts.errors },
        { provide: ERROR_NAMES, useValue: parts.errors.errorNames },
        Listeners,
      ],
      exports: [
        GATEWAY_CONFIG,
        PROFILE,
        Clock,
        BankClock,
        LOG,
        LISTENERS_TLS,
        ERROR_NAMES,
        Trail,
        Recording,
        Pseudonyms,
        Metrics,
        Listeners,
      ],
    };
  }

  /** In the last phase of a stop: every request has been answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.recording.tracing?.close();
  }
}

function metricsOf({ config, log, droppedRecords, scrapeAll, tls, clock, profile }: ProcessParts): Metrics {
  const metrics = new Metrics(log, droppedRecords, scrapeAll);
  metrics.build(packageVersion(), profile.name);
  metrics.certificates(
    () => [...renewedCertificates(tls), ...outgoingCertificates(config)],
    () => clock.nowMs(),
  );
  return metrics;
}
