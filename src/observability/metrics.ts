import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { BadRecord } from '../../packages/core-adapter/core.adapter.js';
import { freeText } from '../open-banking/free-text.js';

/** A request that is over. */
interface CountedRequest {
  readonly endpoint?: string | undefined;
  readonly method?: string | undefined;
  readonly status?: number;
  readonly lastByteMs?: number | undefined;
  readonly unattended?: string | undefined;
}

interface Log {
  warn(record: object, message: string): void;
}

/**
 * Counts requests and reads of the core for operators. The labels come from closed lists, so no customer can be in them.
 * {@link Metrics.ofCore} has the form of the observer that core-banking/ declares, and imports nothing from there.
 */
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Requests by endpoint and status, 499 where the caller had gone',
    labelNames: ['endpoint', 'method', 'status'] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 3, 10],
    registers: [this.registry],
  });
  private readonly reads = new Histogram({
    name: 'gateway_core_read_duration_seconds',
    help: 'Reads of the core by kind and outcome',
    labelNames: ['core', 'read', 'outcome'] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 3, 10],
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
  private readonly bad = new Counter({
    name: 'gateway_core_bad_records_total',
    help: 'Records of the core that could not be read and were left out',
    labelNames: ['core', 'read'] as const,
    registers: [this.registry],
  });
  private readonly leftOutCores = new Counter({
    name: 'gateway_core_left_out_total',
    help: 'Lists of accounts that were answered without this core, because it could not be read',
    labelNames: ['core'] as const,
    registers: [this.registry],
  });
  private readonly overdueLines = new Gauge({
    name: 'gateway_revocation_journal_overdue',
    help: 'Withdrawals that took effect and are not in the revocation journal yet',
    registers: [this.registry],
  });

  private readonly unattended = new Counter({
    name: 'gateway_unattended_requests_total',
    help: 'Requests without the customer by outcome: within the limit, beyond it and answered, refused',
    labelNames: ['outcome'] as const,
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
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 3, 10],
    registers: [this.registry],
  });

  /** @param droppedRecords how many records of the log could not be written so far */
  constructor(
    private readonly log: Log,
    droppedRecords = (): number => 0,
  ) {
    new Counter({
      name: 'gateway_log_records_dropped_total',
      help: 'Records of the log, including access records, that were dropped because standard output was full',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(droppedRecords());
      },
    });
    collectDefaultMetrics({ register: this.registry });
  }

  /** The remaining days of each listener's certificate, by the setting that names its file. */
  certificates(shown: () => readonly { setting: string; expiresAtMs: number }[], nowMs: () => number): void {
    new Gauge({
      name: 'gateway_certificate_expiry_days',
      help: 'Days until the certificate of a listener expires, less than 0 when it has',
      labelNames: ['certificate'] as const,
      registers: [this.registry],
      collect() {
        for (const { setting, expiresAtMs } of shown())
          this.set({ certificate: setting }, (expiresAtMs - nowMs()) / 86_400_000);
      },
    });
  }

  /** The decision trail, by the process's own counts. */
  trail(facts: () => { written: number; lost: number; lagSeconds: number; unrooted: number }): void {
    const gauges = {
      gateway_trail_lag_seconds: ['How long the oldest event waits to be written', () => facts().lagSeconds],
      gateway_trail_unrooted_segments: ['Closed segments that wait for their root', () => facts().unrooted],
    } as const;
    for (const [name, [help, value]] of Object.entries(gauges))
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(value());
        },
      });
    const counters = {
      gateway_trail_events_total: ['Events that were written to the decision trail', () => facts().written],
      gateway_trail_lost_events_total: ['Events that could not be written to the trail', () => facts().lost],
    } as const;
    for (const [name, [help, value]] of Object.entries(counters))
      new Counter({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.reset();
          this.inc(value());
        },
      });
  }

  /** Called once for each request to one of the TPPs' servers. The endpoint is from a closed list. */
  request({ endpoint = 'unknown', method = '', status, lastByteMs = 0, unattended }: CountedRequest): void {
    this.requests.observe({ endpoint, method, status: String(status) }, lastByteMs / 1_000);
    if (unattended !== undefined) this.unattended.inc({ outcome: unattended });
  }

  journalOverdue(lines: number): void {
    this.overdueLines.set(lines);
  }

  /** A list of accounts was answered without the accounts of this core. */
  coreLeftOut(core: string): void {
    this.leftOutCores.inc({ core });
  }

  /** The observer of one core, by the name that operators gave it. */
  ofCore(core: string) {
    this.waitingReads.set({ core }, 0);
    this.openCircuits.set({ core }, 0);
    return {
      read: (read: string, outcome: string, durationMs: number): void =>
        this.reads.observe({ core, read, outcome }, durationMs / 1_000),
      retried: (read: string): void => this.retries.inc({ core, read }),
      shared: (read: string): void => this.sharedReads.inc({ core, read }),
      waiting: (change: 1 | -1): void => this.waitingReads.inc({ core }, change),
      circuit: (change: 'opened' | 'closed'): void => this.openCircuits.inc({ core }, change === 'opened' ? 1 : -1),
      badRecords: (read: string, bad: readonly BadRecord[], interactionId: string): void =>
        this.badRecords(core, read, bad, interactionId),
    };
  }

  /** The caller bounds the names. */
  adapterEvent(adapter: string, event: string, value: number): void {
    this.adapterEvents.inc({ adapter, event }, value);
  }

  adapterDuration(adapter: string, step: string, seconds: number): void {
    this.adapterDurations.observe({ adapter, step }, seconds);
  }

  private badRecords(core: string, read: string, bad: readonly BadRecord[], interactionId: string): void {
    this.bad.inc({ core, read }, bad.length);
    // The place and the fault, never the value. A few records are enough. `freeText` masks a card number that an adapter
    // left in.
    const few = bad.slice(0, 5).map(({ where, fault }) => ({ where: freeText(where), fault: freeText(fault) }));
    this.log.warn({ interactionId, core, read, count: bad.length, bad: few }, 'bad records left out');
  }
}
