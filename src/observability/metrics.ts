import type { OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { BadRecord, UnreadField } from '../../packages/core-adapter/core.adapter.js';
import { BadRecordMetrics } from './bad-record.metrics.js';
import { durationBuckets } from './duration-buckets.js';
import { showCertificates, type ShownCertificate } from './certificate-metrics.js';
import type { EndedRequest } from './ended-request.js';
import { RequestMetrics } from './request-metrics.js';
import { scrapeCounter, scrapeGauge } from './scraped-metrics.js';

interface Log {
  warn(record: object, message: string): void;
}

/**
 * Counts requests and reads of the core for operators. The labels come from closed lists, so no customer can be in them.
 * {@link Metrics.ofCore} has the form of the observer that core-banking/ declares, and imports nothing from there.
 */
export class Metrics implements OnApplicationShutdown {
  readonly registry = new Registry();

  private readonly requests = new RequestMetrics(this.registry);
  private readonly readsOfCores = new Map<string, () => { underWay: number; most: number }>();
  private readonly reads = new Histogram({
    name: 'gateway_core_read_duration_seconds',
    help: 'Reads of the core by kind and outcome',
    labelNames: ['core', 'read', 'outcome'] as const,
    buckets: durationBuckets,
    registers: [this.registry],
  });
  private readonly retries = new Counter({
    name: 'gateway_core_retries_total',
    help: 'Reads for which the core was asked once more, because it had failed',
    labelNames: ['core', 'read'] as const,
    registers: [this.registry],
  });
  private readonly sharedReads = new Counter({
    name: 'gateway_core_shared_reads_total',
    help: 'Reads that took the answer of an identical one that was under way',
    labelNames: ['core', 'read'] as const,
    registers: [this.registry],
  });
  private readonly waitingReads = new Gauge({
    name: 'gateway_core_waiting_reads',
    help: 'Reads that wait for a connection to the core',
    labelNames: ['core'] as const,
    registers: [this.registry],
  });
  private readonly openCircuits = new Gauge({
    name: 'gateway_core_open_circuits',
    help: 'TPPs for which the core is not asked because most of their latest reads failed; the bank counts as one',
    labelNames: ['core'] as const,
    registers: [this.registry],
  });
  private readonly bad: BadRecordMetrics;
  private readonly omittedCores = new Counter({
    name: 'gateway_core_omitted_total',
    help: 'Lists of accounts that were answered without this core, because it could not be read',
    labelNames: ['core'] as const,
    registers: [this.registry],
  });

  private readonly adapterEvents = new Counter({
    name: 'gateway_adapter_events_total',
    help: 'Events that the core’s adapter counts, by the adapter’s name for them',
    labelNames: ['adapter', 'event'] as const,
    registers: [this.registry],
  });
  private readonly adapterDurations = new Histogram({
    name: 'gateway_adapter_duration_seconds',
    help: 'Durations that the core’s adapter measures, by the adapter’s name for them',
    labelNames: ['adapter', 'step'] as const,
    buckets: durationBuckets,
    registers: [this.registry],
  });

  /**
   * @param droppedRecords how many records of the log could not be written so far
   * @param scrapeAll where this process is one of several: the metrics of all of them
   */
  constructor(
    log: Log,
    droppedRecords = (): number => 0,
    private readonly scrapeAll?: () => Promise<string>,
  ) {
    this.bad = new BadRecordMetrics(this.registry, log);
    scrapeCounter(
      this.registry,
      'gateway_log_records_dropped_total',
      'Records of the log, including access records, that were dropped because standard output was full',
      droppedRecords,
    );
    scrapeGauge(
      this.registry,
      'gateway_core_reads_at_a_time',
      'Reads of the core that hold a connection now, and the most that may',
      ['core', 'state'],
      () =>
        [...this.readsOfCores].flatMap(([core, reads]) => {
          const { underWay, most } = reads();
          return [[{ core, state: 'under_way' }, underWay] as const, [{ core, state: 'most' }, most] as const];
        }),
    );
    collectDefaultMetrics({ register: this.registry });
  }

  /** prom-client observes the garbage collector up to the end of the process, and would keep a closed gateway with it. */
  onApplicationShutdown(): void {
    this.registry.clear();
  }

  /** As Prometheus reads them. */
  text(): Promise<string> {
    return this.scrapeAll?.() ?? this.registry.metrics();
  }

  /** @param version that of the package */
  build(version: string, profile: string): void {
    scrapeGauge(
      this.registry,
      'gateway_build_info',
      '1, with the version of the gateway and its profile',
      ['version', 'profile'],
      () => [[{ version, profile }, 1]],
    );
  }

  /** See {@link showCertificates}. */
  certificates(shown: () => readonly ShownCertificate[], nowMs: () => number): void {
    showCertificates(this.registry, shown, nowMs);
  }

  /** The age of the keys by which the tokens of each issuer are verified. */
  issuerKeys(ages: () => readonly { issuer: string; ageMs: number }[]): void {
    scrapeGauge(
      this.registry,
      'gateway_issuer_keys_age_seconds',
      'Seconds since the keys of an issuer were fetched; they are used for at most a day',
      ['issuer'],
      () => ages().map(({ issuer, ageMs }) => [{ issuer }, ageMs / 1_000]),
    );
  }

  /** The pool of connections to the database. An embedded database has none. */
  databasePool(pool: () => { inUse: number; idle: number; most: number; waiting: number } | undefined): void {
    scrapeGauge(
      this.registry,
      'gateway_database_connections',
      'Connections of the pool to the database: in use, idle, and the most that it may have',
      ['state'],
      () => {
        const { inUse, idle, most } = pool() ?? {};
        return Object.entries({ in_use: inUse, idle, most }).flatMap(([state, count]) =>
          count === undefined ? [] : [[{ state }, count] as const],
        );
      },
    );
    scrapeGauge(
      this.registry,
      'gateway_database_waiting_queries',
      'Queries that wait for a connection of the pool',
      [],
      () => [[{}, pool()?.waiting ?? 0]],
    );
  }

  /** How much of a limit each TPP has used. @param quotas each limit, with the used share of a TPP by the key of its id */
  quotas(quotas: Parameters<RequestMetrics['showQuotas']>[0]): void {
    this.requests.showQuotas(quotas);
  }

  /** The decision trail, by the process's own counts. */
  trail(facts: () => { written: number; lost: number; lagSeconds: number; unrooted: number; refused: number }): void {
    const gauges: Readonly<Record<string, readonly [help: string, read: () => number]>> = {
      gateway_trail_lag_seconds: ['How long the oldest event waits to be written', () => facts().lagSeconds],
      gateway_trail_unrooted_segments: ['Closed segments that wait for their root', () => facts().unrooted],
      gateway_trail_refused_files: ['Files in TRAIL_DIR that get no root', () => facts().refused],
    };
    for (const [name, [help, read]] of Object.entries(gauges))
      scrapeGauge(this.registry, name, help, [], () => [[{}, read()]]);
    const counters: typeof gauges = {
      gateway_trail_events_total: ['Events that were written to the decision trail', () => facts().written],
      gateway_trail_lost_events_total: ['Events that could not be written to the trail', () => facts().lost],
    };
    for (const [name, [help, read]] of Object.entries(counters)) scrapeCounter(this.registry, name, help, read);
  }

  /** Called once for each request to one of the TPPs' servers. The endpoint is from a closed list. */
  request(request: EndedRequest): void {
    this.requests.count(request);
  }

  /** A list of accounts was answered without the accounts of this core. */
  coreLeftOut(core: string): void {
    this.omittedCores.inc({ core });
  }

  /** The observer of one core, by the name that operators gave it. */
  ofCore(core: string) {
    this.waitingReads.set({ core }, 0);
    this.openCircuits.set({ core }, 0);
    return {
      core,
      read: (read: string, outcome: string, durationMs: number): void =>
        this.reads.observe({ core, read, outcome }, durationMs / 1_000),
      retried: (read: string): void => this.retries.inc({ core, read }),
      shared: (read: string): void => this.sharedReads.inc({ core, read }),
      waiting: (change: 1 | -1): void => this.waitingReads.inc({ core }, change),
      circuit: (change: 'opened' | 'closed'): void => this.openCircuits.inc({ core }, change === 'opened' ? 1 : -1),
      badRecords: (read: string, bad: readonly BadRecord[], interactionId: string): void =>
        this.bad.records(core, read, bad, interactionId),
      unreadFields: (read: string, unread: readonly UnreadField[], interactionId: string): void =>
        this.bad.fields(core, read, unread, interactionId),
    };
  }

  /** The caller bounds the names. */
  adapterEvent(adapter: string, event: string, value: number): void {
    this.adapterEvents.inc({ adapter, event }, value);
  }

  adapterDuration(adapter: string, step: string, seconds: number): void {
    this.adapterDurations.observe({ adapter, step }, seconds);
  }

  /** How many reads of a core are under way, and the most that may be at a time. */
  coreReads(core: string, reads: () => { underWay: number; most: number }): void {
    this.readsOfCores.set(core, reads);
  }
}
