import type { Instance } from './instance.js';
import type { Sample } from './prometheus-text.js';

/** The state of a gateway, and whether a restart is safe now. */
export interface Status {
  readonly version: string;
  readonly profile: string;
  readonly processes: number;
  readonly startedAt: string;
  readonly ready: boolean;
  readonly faults: readonly string[];
  readonly certificates: readonly { readonly setting: string; readonly days: number; readonly endsAt: string }[];
  /** The settings of certificates whose files the next start would refuse. */
  readonly unreadableCertificates: readonly string[];
  /** The newest of each algorithm; none without the embedded authorization server. */
  readonly signingKeys: readonly { readonly algorithm: string; readonly days: number }[];
  readonly issuerKeys: readonly { readonly issuer: string; readonly ageSeconds: number }[];
  readonly database: { readonly waitingQueries: number };
  readonly cores: readonly CoreStatus[];
  readonly trail: { readonly lagSeconds: number; readonly lostEvents: number; readonly unrootedSegments: number };
  /** At all gateways. */
  readonly events: { readonly waiting: number; readonly oldestSeconds: number };
  readonly droppedLogRecords: number;
  /** Customers in the middle of an authorisation; absent without the embedded authorization server or its database. */
  readonly openJourneys?: number;
  readonly others: readonly Other[];
  readonly safeToRestart: boolean;
  /** Why not; empty where it is safe. */
  readonly reasons: readonly string[];
  /** Further facts that an operator should know before a restart. */
  readonly notes: readonly string[];
}

interface CoreStatus {
  readonly core: string;
  readonly readsUnderWay: number;
  readonly mostReads: number;
  readonly waitingReads: number;
  readonly openCircuits: number;
}

export interface Other {
  readonly origin: string;
  readonly ready: boolean;
  /** A gateway that does not answer may not run, or its address may be wrong. */
  readonly answers: boolean;
}

const dayMs = 86_400_000;
const soonDays = 30;
/** From then on the trail counts as late, and refuses requests where TRAIL_FAULT says so. */
const mostLagSeconds = 1;

export function statusOf({ faults, samples }: Instance, others: readonly Other[], nowMs: number): Status {
  const metrics = new Metrics(samples);
  const [build] = metrics.named('gateway_build_info');
  const openJourneys = metrics.most('gateway_open_journeys');
  const facts = {
    version: build?.labels.version ?? 'unknown',
    profile: build?.labels.profile ?? 'unknown',
    processes: Math.max(1, metrics.named('gateway_build_info').length),
    startedAt: new Date((metrics.most('process_start_time_seconds') ?? 0) * 1_000).toISOString(),
    ready: faults.length === 0,
    faults,
    certificates: metrics
      .by('certificate', 'gateway_certificate_expiry_days')
      .map(([setting, days]) => ({ setting, days, endsAt: new Date(nowMs + days * dayMs).toISOString() })),
    unreadableCertificates: metrics.labelled('certificate', 'gateway_certificate_unreadable'),
    signingKeys: metrics
      .by('algorithm', 'gateway_signing_key_age_days')
      .map(([algorithm, days]) => ({ algorithm, days })),
    issuerKeys: metrics
      .by('issuer', 'gateway_issuer_keys_age_seconds')
      .map(([issuer, ageSeconds]) => ({ issuer, ageSeconds })),
    database: { waitingQueries: metrics.sum('gateway_database_waiting_queries') },
    cores: coresOf(metrics),
    trail: {
      lagSeconds: metrics.most('gateway_trail_lag_seconds') ?? 0,
      lostEvents: metrics.sum('gateway_trail_lost_events_total'),
      unrootedSegments: metrics.sum('gateway_trail_unrooted_segments'),
    },
    // Each process shows those of all.
    events: {
      waiting: metrics.greatest(['issuer', 'tpp'], 'gateway_events_waiting'),
      oldestSeconds: metrics.most('gateway_events_oldest_seconds') ?? 0,
    },
    droppedLogRecords: metrics.sum('gateway_log_records_dropped_total'),
    ...(openJourneys !== undefined && { openJourneys }),
    others,
  };
  const reasons = reasonsAgainst(facts);
  return { ...facts, safeToRestart: reasons.length === 0, reasons, notes: notesOn(facts) };
}

type Facts = Omit<Status, 'safeToRestart' | 'reasons' | 'notes'>;

function reasonsAgainst(facts: Facts): string[] {
  const { faults, trail, others, unreadableCertificates } = facts;
  return [
    ...faults.map((fault) =>
      fault === 'stopping' ? 'it is stopping already' : `it would not become ready after the restart: ${fault}`,
    ),
    ...unreadableCertificates.map((setting) => `the next start would fail: the files of ${setting} cannot be used`),
    ...(trail.lagSeconds > mostLagSeconds
      ? [`events have waited ${trail.lagSeconds.toFixed(1)} s for the disk of the trail and could be lost in a restart`]
      : []),
    ...(others.length > 0 && !others.some(({ ready }) => ready) ? ['none of the other gateways is ready'] : []),
  ];
}

function notesOn({ certificates, processes, others, openJourneys = 0, trail, droppedLogRecords }: Facts): string[] {
  return [
    ...certificates
      .filter(({ days }) => days < soonDays)
      .map(({ setting, days }) => `${setting} expires in ${days.toFixed(1)} days: renew it, then send SIGHUP`),
    ...(openJourneys > 0
      ? [
          `${count(openJourneys, 'customer is', 'customers are')} in the middle of an authorisation, which continues after the restart`,
        ]
      : []),
    ...(others.length > 0
      ? []
      : processes > 1
        ? ['send SIGUSR2 to replace the processes one after the other: no request fails']
        : [
            'you named no other gateway (--instance ORIGIN): without one, callers get no answer until this one is ready again',
          ]),
    ...(trail.unrootedSegments > 0
      ? [
          `${count(trail.unrootedSegments, 'segment', 'segments')} of the trail have no root yet: the next process makes it`,
        ]
      : []),
    ...(trail.lostEvents > 0 ? [`the trail lost ${count(trail.lostEvents, 'event', 'events')}`] : []),
    ...(droppedLogRecords > 0 ? [`the log dropped ${count(droppedLogRecords, 'record', 'records')}`] : []),
  ];
}

export function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`;
}

function coresOf(metrics: Metrics): CoreStatus[] {
  const reads = metrics.named('gateway_core_reads_at_a_time');
  return [...new Set(reads.map(({ labels }) => labels.core ?? ''))].map((core) => ({
    core,
    readsUnderWay: metrics.sum('gateway_core_reads_at_a_time', { core, state: 'under_way' }),
    mostReads: metrics.sum('gateway_core_reads_at_a_time', { core, state: 'most' }),
    waitingReads: metrics.sum('gateway_core_waiting_reads', { core }),
    openCircuits: metrics.sum('gateway_core_open_circuits', { core }),
  }));
}

/** The values of one gateway, which may be several processes. */
class Metrics {
  constructor(private readonly samples: readonly Sample[]) {}

  named(name: string, labels: Readonly<Record<string, string>> = {}): Sample[] {
    return this.samples.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  }

  sum(name: string, labels?: Readonly<Record<string, string>>): number {
    return this.named(name, labels).reduce((total, { value }) => total + value, 0);
  }

  most(name: string): number | undefined {
    const values = this.named(name).map(({ value }) => value);
    return values.length === 0 ? undefined : Math.max(...values);
  }

  /** The sum of the greatest values of each series of these labels. */
  greatest(labels: readonly string[], name: string): number {
    const greatest = new Map<string, number>();
    for (const sample of this.named(name)) {
      const key = labels.map((label) => sample.labels[label]).join(' ');
      greatest.set(key, Math.max(sample.value, greatest.get(key) ?? 0));
    }
    return [...greatest.values()].reduce((total, value) => total + value, 0);
  }

  /** The values of a label with a value above 0. */
  labelled(label: string, name: string): string[] {
    return [...new Set(this.named(name).flatMap(({ labels, value }) => (value > 0 ? [labels[label] ?? ''] : [])))];
  }

  /** The least value for each value of a label: processes that were started later know a newer certificate. */
  by(label: string, name: string): [string, number][] {
    const least = new Map<string, number>();
    for (const { labels, value } of this.named(name)) {
      const key = labels[label] ?? '';
      least.set(key, Math.min(value, least.get(key) ?? Number.POSITIVE_INFINITY));
    }
    return [...least];
  }
}
